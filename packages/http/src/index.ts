export { versionCheckOf } from './record-version.ts'
export { withWordsOf, type Asker } from './query-words.ts'
export type {
  Answer,
  Budget,
  Exchange,
  IdempotencyClaim,
  PipelineCaller,
  PipelineWorkspace,
  Ports,
  ReplicaUse,
  ReachChecks,
  Recognition,
  SavedQuery,
} from './exchange.ts'
export { answerError, registerService } from './routes.ts'
export { answerNowhere, createServer, type ServerOptions } from './server.ts'
export { isCoded } from './steps/check-coding.ts'
export { bodyBytesOf, smallBodyBytesMax } from './large-bodies.ts'
export { ReadLines } from './read-turns.ts'
export { answerUnrouted } from './unrouted.ts'
export { toIssues } from './issues.ts'
export { noteCaller, noteRefusal, observeRequests } from './observe-requests.ts'
export { pageIcon } from './page-icon.ts'
export { hidesClients } from './hides-clients.ts'
export { hasNul } from './storable.ts'
export { parseJson } from './parse-json.ts'
export { refusalOf } from './refusal-of.ts'
export type { SentValues } from './steps/validate.ts'
export { isFromOwnPage } from './steps/check-origin.ts'
