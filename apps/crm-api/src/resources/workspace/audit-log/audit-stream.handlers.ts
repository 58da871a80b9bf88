import { auditStreams, success } from '@crm/contract'
import { fieldChanges, schema, type Executor, type Transaction } from '@crm/db'
import { checkOutbound } from '@crm/egress'
import { invalidField } from '@crm/errors'
import { eq } from 'drizzle-orm'
import { streamHeader } from '../../../domain/audit/stream-header.ts'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit } from '../../../records/audit.ts'

const { auditChains, auditStreams: table } = schema

type StreamRow = typeof table.$inferSelect

export const implementedAuditStreams = implement(auditStreams, {
  get: async (_input, context) => success(await toRecord(context.db, context, await findStream(context.db, context))),

  update: async ({ body }, context) =>
    context.transact(async (tx) => {
      const { workspace, deps, at } = context
      const current = await findStream(tx, context)
      const { headerValue, ...settings } = body
      const next = { ...shownOf(current), ...settings }
      if (next.url === null) throw invalidField('url', 'Say to which address the entries are sent')
      const headers = next.headerName === null ? {} : { [next.headerName]: headerValue ?? 'x' }
      const [problem] = checkOutbound(
        { url: next.url, method: 'POST', headers },
        { allowCidrs: deps.outboundAllowCidrs },
      )
      if (problem) throw invalidField(problem.path[0] === 'url' ? 'url' : 'headerName', problem.message)
      // A stored value goes to the host for which it was given, and to no other.
      if (headerValue === undefined && current?.headerValue && originOf(current.url) !== originOf(next.url))
        throw invalidField('headerValue', 'No value is kept for this header and address; give it anew')
      const sealed = headerValue ? await deps.secrets.seal(tx, streamHeader(workspace.id), headerValue) : null
      const set = {
        url: next.url,
        headerName: next.headerName,
        isActive: next.isActive,
        headerValue: headerValue === undefined ? (current?.headerValue ?? null) : sealed,
        failures: 0,
        problem: null,
        nextAt: at,
        updatedAt: at,
      }
      await tx
        .insert(table)
        .values({ workspaceId: workspace.id, ...set })
        .onConflictDoUpdate({ target: table.workspaceId, set })
      await audit(tx, context, {
        action: 'audit-stream.changed',
        subjectType: 'AUDIT_STREAM',
        subjectId: workspace.id,
        summary: 'Changed where the audit log is sent',
        changes: fieldChanges(shownOf(current), settings),
        data: { hasNewHeaderValue: headerValue !== undefined },
      })
      return success(await toRecord(tx, context, await findStream(tx, context)))
    }),
})

async function findStream(db: Executor | Transaction, { workspace }: CrmContext): Promise<StreamRow | undefined> {
  const [row] = await db.select().from(table).where(eq(table.workspaceId, workspace.id))
  return row
}

function shownOf(row: StreamRow | undefined) {
  return { url: row?.url ?? null, headerName: row?.headerName ?? null, isActive: row?.isActive ?? true }
}

async function toRecord(db: Executor | Transaction, { workspace }: CrmContext, row: StreamRow | undefined) {
  const [chain] = await db
    .select({ sentSeq: auditChains.streamedSeq })
    .from(auditChains)
    .where(eq(auditChains.workspaceId, workspace.id))
  return {
    ...shownOf(row),
    isActive: row?.isActive ?? false,
    hasHeaderValue: (row?.headerValue ?? null) !== null,
    sentSeq: chain?.sentSeq ?? 0,
    problem: row?.problem ?? null,
    nextAt: row?.nextAt ?? null,
  }
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url
}
