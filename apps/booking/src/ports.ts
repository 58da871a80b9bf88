import { isUnavailable, type Transaction } from '@crm/db'
import type { PipelineCaller, Ports } from '@crm/http'
import type { Workspace } from '@crm/identity'
import { SharedPlaces, usualRequestsAtOnce } from '@crm/runtime'
import type { BookingContext } from './platform/context.ts'
import type { BookingDeps } from './platform/deps.ts'
import { createWorkspaceFinder } from './platform/find-workspace.ts'
import { createLimits } from './platform/limits.ts'

export type BookingPorts = Ports<Workspace, PipelineCaller, BookingContext, Transaction>

/** Makes the functions that the pipeline needs from the booking service. */
export function createPorts(deps: BookingDeps): BookingPorts {
  const findWorkspace = createWorkspaceFinder(deps)
  const limits = createLimits(deps)
  return {
    recognise: async (request) => ({
      workspace: await findWorkspace(request.headers.host ?? ''),
      caller: null,
      budget: null,
      epoch: null,
    }),
    isSchemaBehind: () => false,
    countAnonymous: ({ declared, recognition, request }) => {
      if (!recognition.workspace) throw new Error('No workspace was recognised')
      return limits.count({ workspace: recognition.workspace, operation: declared.key, address: request.ip })
    },
    createContext: ({ recognition }) => {
      if (!recognition.workspace) throw new Error('No workspace was recognised')
      return { deps, limits, workspace: recognition.workspace, at: deps.clock.now().toISOString() }
    },
    report: (error, details) => deps.logger.error({ err: error, ...details }, 'request failed'),
    isTransient: isUnavailable,
    places: new SharedPlaces(deps.requestsAtOnce ?? usualRequestsAtOnce),
    checkAnswers: deps.checkAnswers,
  }
}
