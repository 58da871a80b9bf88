import { ApiError } from '@crm/errors'
import type { Step } from '../exchange.ts'

/** Finds the workspace by the host; an unknown host is 404. */
export const findWorkspace: Step = async (exchange, ports) => {
  exchange.recognition = exchange.inner?.recognition ?? (await ports.recognise(exchange.request))
  const { workspace } = exchange.recognition
  if (!workspace) throw new ApiError('NOT_FOUND', { message: 'There is no workspace at this address' })
  // A browser that has used https here once never uses http again.
  if (workspace.baseUrl.startsWith('https:'))
    void exchange.reply.header('strict-transport-security', 'max-age=31536000')
}
