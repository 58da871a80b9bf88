import { sight, success } from '@crm/contract'
import { readEmployeeCaller } from '@crm/identity'
import { linkOf, onlookerOf, readSeen, requireSeen } from '../../kinds/in-sight.ts'
import type { RecordLink } from '../../kinds/record-links.ts'
import { implement, type CrmContext } from '../../platform/context.ts'

export const implementedSight = implement(sight, {
  get: async (asked, context) => {
    const link = linkOf(asked)
    await requireSeen(context.db, context, link)
    const hiddenFrom: string[] = []
    for (const id of new Set(asked.query.employeeIds ?? []))
      if (!(await isSeenBy(context, id, link))) hiddenFrom.push(id)
    return success({ hiddenFrom })
  },
})

async function isSeenBy({ deps, db, workspace }: CrmContext, employeeId: string, link: RecordLink): Promise<boolean> {
  const caller = await readEmployeeCaller(deps.pool, workspace.id, employeeId)
  if (caller?.employee.status !== 'ACTIVE') return false
  return (await readSeen(db, onlookerOf(workspace, caller), [link])).size > 0
}
