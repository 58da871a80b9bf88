import { sight, success } from '@crm/contract'
import { scopeOf } from '@crm/db'
import { readEmployeeCaller } from '@crm/identity'
import { readSeen, requireSeen, type Onlooker } from '../../kinds/in-sight.ts'
import type { RecordLink } from '../../kinds/record-links.ts'
import { implement, type CrmContext } from '../../platform/context.ts'

export const implementedSight = implement(sight, {
  get: async ({ params, query }, context) => {
    const link = { entityType: params.entityType, entityId: params.id }
    await requireSeen(context.db, context, link)
    const hiddenFrom: string[] = []
    for (const id of new Set(query.employeeIds ?? [])) if (!(await isSeenBy(context, id, link))) hiddenFrom.push(id)
    return success({ hiddenFrom })
  },
})

async function isSeenBy({ deps, db, workspace }: CrmContext, employeeId: string, link: RecordLink): Promise<boolean> {
  const caller = await readEmployeeCaller(deps.pool, workspace.id, employeeId)
  if (caller?.employee.status !== 'ACTIVE') return false
  const onlooker: Onlooker = {
    workspace,
    caller,
    scopeIfAllowed: (entityType) => scopeOf(workspace.id, caller, entityType),
  }
  return (await readSeen(db, onlooker, [link])).size > 0
}
