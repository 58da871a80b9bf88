import { connections, success } from '@crm/contract'
import { fieldChanges, schema } from '@crm/db'
import { permissionRequired } from '@crm/errors'
import { fullName } from '@crm/identity'
import { and, eq, type SQL } from 'drizzle-orm'
import { closeProposals } from '../../../domain/agents/proposals.repository.ts'
import { changedControl, readControls } from '../../../domain/agents/shown-control.ts'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit, changingWorkspace } from '../../../records/audit.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import { changeControl, endConnection, listConnections, type ConnectionRow } from './connections.repository.ts'

const { proposals } = schema

const everybodys = 'MANAGE_API_KEYS'

export const implementedConnections = implement(connections, {
  list: async ({ query }, context) => {
    const { caller, workspace, db } = context
    const ownOnly = caller.effective.has(everybodys) ? null : caller.employee.id
    refuseForeign(context, query.employeeId)
    const found = await listConnections(db, {
      workspaceId: workspace.id,
      employeeId: query.employeeId ?? ownOnly,
      limit: query.pageSize,
      offset: offsetOf(query),
    })
    return pageOf({ items: await present(context, found.items), total: found.total }, query)
  },

  update: async ({ params: { clientId }, query, body }, context) => {
    refuseForeign(context, query.employeeId)
    const { workspace } = context
    const employeeId = query.employeeId ?? context.caller.employee.id
    const of = { workspaceId: workspace.id, clientId, employeeId }
    const changed = await changingWorkspace(context, async (tx) => {
      const find = async () => (await listConnections(tx, { ...of, limit: 1, offset: 0 })).items[0]
      const connection = await find()
      if (!connection) throw context.refuse('NOT_FOUND', { message: 'There is no such connection' })
      const { writes, limits, confirm, name } = connection
      const control = changedControl(connection, body)
      await changeControl(tx, of, control)
      await audit(tx, context, {
        action: 'connection.changed',
        subjectType: 'CONNECTION',
        subjectId: clientId,
        summary: `Changed what ${name} may do by itself`,
        changes: fieldChanges({ writes, limits, confirm }, control),
        data: { employeeId },
      })
      return { ...connection, ...control }
    })
    const [shown] = await present(context, [changed])
    if (!shown) throw context.refuse('NOT_FOUND')
    return success(shown)
  },

  delete: async ({ params: { clientId }, query }, context) => {
    refuseForeign(context, query.employeeId)
    const employeeId = query.employeeId ?? context.caller.employee.id
    const { workspace, at } = context
    await changingWorkspace(context, async (tx) => {
      const name = await endConnection(tx, { workspaceId: workspace.id, clientId, employeeId, at })
      if (name === null) throw context.refuse('NOT_FOUND', { message: 'There is no such connection' })
      const ofConnection = and(eq(proposals.viaId, clientId), eq(proposals.employeeId, employeeId)) as SQL
      await closeProposals(tx, workspace.id, ofConnection, at)
      await audit(tx, context, {
        action: 'connection.ended',
        subjectType: 'CONNECTION',
        subjectId: clientId,
        summary: `Ended the connection with ${name}`,
        data: { employeeId },
      })
    })
    return success({ id: clientId })
  },
})

/** Refuses the connections of other people to callers who do not manage keys. */
function refuseForeign({ caller }: CrmContext, employeeId: string | undefined): void {
  if (employeeId === undefined || employeeId === caller.employee.id || caller.effective.has(everybodys)) return
  throw permissionRequired(everybodys)
}

async function present(context: CrmContext, rows: readonly ConnectionRow[]) {
  const controlsOf = await readControls(
    context.db,
    context,
    rows,
    ({ clientId, employeeId }) => `client:${clientId}:${employeeId}`,
  )
  return rows.map((row) => {
    const { clientId, name, scopes, employeeId, connectedAt, lastUsedAt, firstName, lastName, email } = row
    const employeeName = fullName({ firstName, lastName, email })
    return { clientId, name, scopes, employeeId, employeeName, connectedAt, lastUsedAt, ...controlsOf(row) }
  })
}
