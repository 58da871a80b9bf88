import { taskComments } from '@crm/contract'
import { implement } from '../../../platform/context.ts'
import { createComment, listCommentsOn } from './comments.handlers.ts'

export const implementedTaskComments = implement(taskComments, {
  list: async ({ params, query }, context) =>
    listCommentsOn(context, { entityType: 'TASK', entityId: params.id }, query),
  create: async ({ params, body }, context) =>
    createComment(context, { ...body, entityType: 'TASK', entityId: params.id }),
})
