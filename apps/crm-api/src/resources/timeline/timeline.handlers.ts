import { timeline, type timelineKinds, type changeSources } from '@crm/contract'
import { schema } from '@crm/db'
import { ApiError } from '@crm/errors'
import { and, desc, eq, lt } from 'drizzle-orm'
import { implement } from '../../platform/context.ts'
import { isReachable } from '../../records/owned/repository.ts'
import { resolveKind } from '../../kinds/kinds.ts'
import { cursorPage, readCursor } from '../../records/cursors.ts'

export const implementedTimeline = implement(timeline, {
  list: async ({ query }, context) => {
    const kind = await resolveKind(context.db, context, query.entityType)
    if (!kind)
      throw context.refuse('INVALID_QUERY_PARAM', {
        details: { param: 'entityType', message: 'There is no such entity type' },
      })
    if (!(await isReachable(context.db, kind, context.scope(query.entityType), query.entityId))) {
      throw new ApiError('NOT_FOUND', { message: 'There is no such record' })
    }
    const { timeline: table } = schema
    const after = query.cursor ? readCursor(query.cursor) : undefined
    const rows = await context.db
      .select()
      .from(table)
      .where(
        and(
          eq(table.workspaceId, context.workspace.id),
          eq(table.entityType, query.entityType),
          eq(table.entityId, query.entityId),
          query.kind ? eq(table.kind, query.kind) : undefined,
          after ? lt(table.id, after) : undefined,
        ),
      )
      .orderBy(desc(table.id))
      .limit(query.limit + 1)
    return cursorPage(rows, query.limit, toRecord)
  },
})

function toRecord({
  workspaceId: _workspace,
  actorType,
  actorId,
  actorName,
  ...rest
}: typeof schema.timeline.$inferSelect) {
  return {
    ...rest,
    kind: rest.kind as (typeof timelineKinds)[number],
    source: rest.source as (typeof changeSources)[number],
    changes: rest.changes.map(({ field, from, to }) => ({ field, from, to })),
    actor: { type: actorType, id: actorId, name: actorName },
  }
}
