import { ApiError } from '@crm/errors'
import type { Step } from '../exchange.ts'

/** Refuses all requests while a workspace or the database is being updated (docs/guide/errors.md). */
export const checkSchema: Step = ({ recognition, declared }, ports) => {
  if (declared.operation.access === 'open') return
  const isBehind = recognition.workspace?.inMaintenance || ports.isSchemaBehind()
  return typeof isBehind === 'boolean' ? refuseIf(isBehind) : isBehind.then(refuseIf)
}

function refuseIf(isBehind: boolean): void {
  if (isBehind) throw new ApiError('SCHEMA_OUT_OF_DATE', { retryAfterS: 30 })
}
