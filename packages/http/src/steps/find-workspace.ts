import { ApiError } from '@crm/errors'
import type { Step } from '../exchange.ts'

/** The host names the workspace; an unknown host is 404. */
export const findWorkspace: Step = async (exchange, ports) => {
  exchange.recognition = await ports.recognise(exchange.request)
  const { workspace } = exchange.recognition
  if (!workspace) throw new ApiError('NOT_FOUND', { message: 'There is no workspace at this address' })
  // Browsers that have once been here by https never come by http again.
  if (workspace.baseUrl.startsWith('https:'))
    void exchange.reply.header('strict-transport-security', 'max-age=31536000')
}
