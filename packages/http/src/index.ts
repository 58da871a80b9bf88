export type {
  Answer, Budget, Exchange, IdempotencyClaim, PipelineCaller, PipelineWorkspace, Ports, Recognition, SavedQuery,
} from './exchange.ts'
export { answerError, registerService } from './routes.ts'
export { createServer, type ServerOptions } from './server.ts'
export { answerUnrouted } from './unrouted.ts'
export { toIssues } from './issues.ts'
export { countedAddress } from './counted-address.ts'
