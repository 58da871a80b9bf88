export { versionCheckOf } from './record-version.ts'
export { withWordsOf, type Asker } from './query-words.ts'
export type {
  Answer,
  Budget,
  Exchange,
  IdempotencyClaim,
  PipelineCaller,
  Ports,
  ReplicaUse,
  ReachChecks,
  SavedQuery,
} from './exchange.ts'
export { answerError, registerService } from './routes.ts'
export { sendInner } from './inner-requests.ts'
export { answerNowhere, createServer } from './server.ts'
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
export { confirmationHeader, requestDigest } from './request-digest.ts'

export { isFromOwnPage } from './steps/check-origin.ts'
