import { auditLog } from '@crm/contract'
import { schema } from '@crm/db'
import { and, count, desc, eq } from 'drizzle-orm'
import { implement } from '../../../platform/context.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'

export const implementedAuditLog = implement(auditLog, {
  list: async ({ query }, { db, workspace }) => {
    const { auditLog: table } = schema
    const where = and(
      eq(table.workspaceId, workspace.id),
      query.action ? eq(table.action, query.action) : undefined,
      query.actorId ? eq(table.actorId, query.actorId) : undefined,
    )
    const [total] = await db.select({ n: count() }).from(table).where(where)
    const rows = await db
      .select()
      .from(table)
      .where(where)
      .orderBy(desc(table.id))
      .limit(query.pageSize)
      .offset(offsetOf(query))
    return pageOf({ items: rows.map(({ workspaceId: _workspace, ...row }) => row), total: total?.n ?? 0 }, query)
  },
})
