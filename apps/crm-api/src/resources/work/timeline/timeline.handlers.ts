import { timeline } from '@crm/contract'
import { ApiError } from '@crm/errors'
import { sql } from 'drizzle-orm'
import { showHistory } from '../../../domain/history/shown-entries.ts'
import { implement } from '../../../platform/context.ts'
import { listHistory } from '../../../records/history.ts'
import { isReachable } from '../../../records/owned/repository.ts'
import { resolveKind } from '../../../kinds/kinds.ts'

export const implementedTimeline = implement(timeline, {
  list: async ({ query }, context) => {
    const { entityType, entityId } = query
    const kind = await resolveKind(context.db, context, entityType)
    if (!kind)
      throw context.refuse('INVALID_QUERY_PARAM', {
        details: { param: 'entityType', message: 'There is no such entity type' },
      })
    if (!(await isReachable(context.db, kind, context.scope(entityType), entityId))) {
      throw new ApiError('NOT_FOUND', { message: 'There is no such record' })
    }
    const record = sql`SELECT ${entityType}::text, ${entityId}::uuid`
    return showHistory(context.db, context, await listHistory(context.db, context.workspace.id, record, query))
  },
})
