import { ApiError } from '@crm/errors'
import type { Step } from '../pipeline.ts'

/** The host names the workspace; an unknown host is 404. */
export const findWorkspace: Step = async (exchange, ports) => {
  exchange.recognition = await ports.recognise(exchange.request)
  if (!exchange.recognition.workspace) throw new ApiError('NOT_FOUND', { message: 'There is no workspace at this address' })
}
