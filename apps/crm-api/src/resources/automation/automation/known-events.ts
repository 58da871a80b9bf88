import { automationEvents, customEntityEvents } from '@crm/contract'
import { ApiError } from '@crm/errors'
import type { CrmContext } from '../../../platform/context.ts'
import { recallCustomEntities } from '../../../records/custom-kinds.ts'

/** Refuses an unknown event; a rule or workflow that listens to it would never start. */
export async function refuseUnknownEvent(context: CrmContext, event: string): Promise<void> {
  const custom = await recallCustomEntities(context.db, context)
  const values = [...automationEvents, ...custom.flatMap(({ key }) => customEntityEvents(key))]
  if (values.includes(event)) return
  throw new ApiError('VALIDATION_ERROR', {
    issues: [
      { path: ['trigger', 'event'], message: `Expected one of ${values.join(', ')}`, code: 'invalid_value', values },
    ],
  })
}
