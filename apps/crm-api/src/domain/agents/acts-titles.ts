import { isAnyOf, schema } from '@crm/db'
import { kindOf } from '@crm/model'
import { and, eq, isNotNull } from 'drizzle-orm'
import { keyOf, readSeen } from '../../kinds/in-sight.ts'
import type { RecordLink } from '../../kinds/record-links.ts'
import type { CrmContext } from '../../platform/context.ts'
import { withinSight } from '../files/files.visibility.ts'

const { agentActs, files } = schema

/** Returns the names of what agents touched, as far as the caller sees it, by `keyOf`; null: it has none. Records may be deleted. */
export async function titlesOf(
  context: CrmContext,
  links: readonly RecordLink[],
): Promise<ReadonlyMap<string, string | null>> {
  const seen = await readSeen(context.db, context, links, { withDeleted: true })
  return new Map([
    ...[...seen].map(([key, { kind, row }]) => [key, kind.title(row)] as const),
    ...(await titlesOfActs(
      context,
      links.filter((link) => !seen.has(keyOf(link))),
    )),
  ])
}

/** Returns the names of files within sight, and of other rows without a history. */
async function titlesOfActs(
  context: CrmContext,
  links: readonly RecordLink[],
): Promise<ReadonlyMap<string, string | null>> {
  const { db } = context
  const fileIds = idsOf(links.filter(({ entityType }) => entityType === 'FILE'))
  // Records are seen by themselves alone.
  const others = links.filter(({ entityType }) => entityType !== 'FILE' && !kindOf(entityType))
  const maySee = context.caller.effective.has('VIEW_FILE') || context.caller.effective.has('VIEW_DOCUMENT')
  const seen =
    maySee && fileIds.length > 0
      ? await db
          .select({ entityId: files.id, title: files.name })
          .from(files)
          .where(and(withinSight(context), isAnyOf(files.id, fileIds)))
      : []
  const named =
    others.length > 0
      ? await db
          .select({ entityType: agentActs.entityType, entityId: agentActs.entityId, title: agentActs.title })
          .from(agentActs)
          .where(and(eq(agentActs.workspaceId, context.workspace.id), isAnyOf(agentActs.entityId, idsOf(others))))
          .orderBy(isNotNull(agentActs.title), agentActs.id)
      : []
  return new Map([
    ...seen.map(({ entityId, title }) => [keyOf({ entityType: 'FILE', entityId }), title] as const),
    ...named.map(({ title, ...link }) => [keyOf(link), title] as const),
  ])
}

const idsOf = (links: readonly RecordLink[]): readonly string[] => [...new Set(links.map(({ entityId }) => entityId))]
