import { sight, success } from '@crm/contract'
import { ApiError } from '@crm/errors'
import { blindTo, hiddenFrom, linkOf, outOfSight, requireSeen } from '../../kinds/in-sight.ts'
import { resolveKind } from '../../kinds/kinds.ts'
import { implement } from '../../platform/context.ts'

export const implementedSight = implement(sight, {
  get: async (asked, context) => {
    const link = linkOf(asked)
    await requireSeen(context.db, context, link)
    return success({ hiddenFrom: [...(await hiddenFrom(context, link, asked.query.employeeIds ?? []))] })
  },

  ofKind: async ({ params: { entityType }, query: { employeeIds = [] } }, context) => {
    if (!(await resolveKind(context.db, context, entityType))) throw new ApiError('NOT_FOUND')
    return success({
      hiddenFrom: [...(await blindTo(context, entityType, employeeIds))],
      outOfSight: [...(await outOfSight(context, entityType, employeeIds))],
    })
  },
})
