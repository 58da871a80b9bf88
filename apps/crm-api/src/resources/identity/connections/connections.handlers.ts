import { connections, success } from '@crm/contract'
import { permissionRequired } from '@crm/errors'
import { fullName } from '@crm/identity'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit, changingWorkspace } from '../../../records/audit.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import { endConnection, listConnections, type ConnectionRow } from './connections.repository.ts'

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
    return pageOf({ items: found.items.map(toRecord), total: found.total }, query)
  },

  delete: async ({ params: { clientId }, query }, context) => {
    refuseForeign(context, query.employeeId)
    const employeeId = query.employeeId ?? context.caller.employee.id
    const { workspace, at } = context
    await changingWorkspace(context, async (tx) => {
      const name = await endConnection(tx, { workspaceId: workspace.id, clientId, employeeId, at })
      if (name === null) throw context.refuse('NOT_FOUND', { message: 'There is no such connection' })
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

function toRecord({ clientId, name, scopes, employeeId, connectedAt, lastUsedAt, ...person }: ConnectionRow) {
  return { clientId, name, scopes, employeeId, employeeName: fullName(person), connectedAt, lastUsedAt }
}
