import { ApiError } from '@crm/errors'
import type { Step } from '../pipeline.ts'

/** While a workspace or the database is being updated, nothing is answered (interface 7.3). */
export const checkSchema: Step = async ({ recognition, declared }, ports) => {
  if (declared.operation.access === 'open') return
  if (recognition.workspace?.inMaintenance || (await ports.isSchemaBehind())) throw new ApiError('SCHEMA_OUT_OF_DATE', { retryAfterS: 30 })
}
