import { exportLines, sealEntries, toEntry } from '@crm/audit'
import { auditLog, BytesReply } from '@crm/contract'
import { schema } from '@crm/db'
import { and, count, desc, eq, gte, like, lte, type SQL } from 'drizzle-orm'
import { implement } from '../../../platform/context.ts'
import { audit } from '../../../records/audit.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'

const { auditLog: table } = schema

/** A reader sees entries with their places in the chain; of a long backlog the reader waits for this much only. */
const batchesBeforeRead = 4

interface Filter {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly action?: string | undefined
  readonly actorId?: string | undefined
  readonly viaId?: string | undefined
  readonly subjectType?: string | undefined
  readonly subjectId?: string | undefined
  readonly outcome?: 'SUCCESS' | 'FAILURE' | undefined
  readonly address?: string | undefined
}

export const implementedAuditLog = implement(auditLog, {
  list: async ({ query }, context) => {
    const { db, workspace, deps } = context
    await sealEntries(deps.db, workspace.id, batchesBeforeRead)
    const where = matching(workspace.id, query)
    const [total] = await db.select({ n: count() }).from(table).where(where)
    const rows = await db
      .select()
      .from(table)
      .where(where)
      .orderBy(desc(table.id))
      .limit(query.pageSize)
      .offset(offsetOf(query))
    return pageOf({ items: rows.map(toEntry), total: total?.n ?? 0 }, query)
  },

  export: async ({ query }, context) => {
    const { workspace, deps, at } = context
    await context.transact((tx) =>
      audit(tx, context, {
        action: 'audit.exported',
        subjectType: 'AUDIT_LOG',
        subjectId: workspace.id,
        summary: 'Exported the audit log',
        data: { from: query.from?.toISOString() ?? null, to: query.to?.toISOString() ?? null },
      }),
    )
    await sealEntries(deps.db, workspace.id)
    const range = { workspaceId: workspace.id, from: query.from?.toISOString(), to: query.to?.toISOString() }
    const { key, keep } = deps.auditProof ?? { key: undefined, keep: async () => undefined }
    const headers = {
      'content-type': 'application/x-ndjson',
      'content-disposition': 'attachment; filename="audit-log.ndjson"',
    }
    return new BytesReply(200, headers, inBytes(exportLines(deps.db, range, { key, at, keep })))
  },
})

function matching(workspaceId: string, query: Filter): SQL | undefined {
  const { from, to, action, actorId, viaId, subjectType, subjectId, outcome, address } = query
  return and(
    eq(table.workspaceId, workspaceId),
    from && gte(table.at, from.toISOString()),
    to && lte(table.at, to.toISOString()),
    action === undefined ? undefined : isAction(action),
    actorId === undefined ? undefined : eq(table.actorId, actorId),
    viaId === undefined ? undefined : eq(table.viaId, viaId),
    subjectType === undefined ? undefined : eq(table.subjectType, subjectType),
    subjectId === undefined ? undefined : eq(table.subjectId, subjectId),
    outcome === undefined ? undefined : eq(table.outcome, outcome),
    address === undefined ? undefined : eq(table.address, address),
  )
}

function isAction(action: string): SQL {
  if (!action.endsWith('.*')) return eq(table.action, action)
  return like(table.action, `${action.slice(0, -1).replaceAll(/[\\%_]/g, '\\$&')}%`)
}

const linesAtOnce = 500

async function* inBytes(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let some: string[] = []
  for await (const line of lines) {
    if (some.push(line) < linesAtOnce) continue
    yield Buffer.from(some.join(''))
    some = []
  }
  yield Buffer.from(some.join(''))
}
