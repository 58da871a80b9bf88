export { doApart } from './apart.ts'
export { addressIn, plainAddress } from './address-list.ts'
export {
  codingsOf,
  decoderFor,
  isDamage,
  readUpTo,
  unpacked,
  UnknownCoding,
  type BodyCoding,
  type ReadBody,
} from './body-coding.ts'
export { brokenRequestsAs, hasTwoHosts, ignoreUnknownExpectations, wordInUsualShape } from './broken-request.ts'
export type { WordBrokenRequest } from './broken-request.ts'
export { systemClock, fixedClock } from './clock.ts'
export type { Clock, FixedClock } from './clock.ts'
export { countedAddress, loggedClient } from './counted-address.ts'
export type { LoggedClients } from './counted-address.ts'
export {
  ConfigError,
  addressList,
  commonConfig,
  loadConfig,
  readBy,
  redisUrl,
  replicaConfig,
  requestsConfig,
  tracingConfig,
} from './config.ts'
export { databaseUrl } from './database-url.ts'
export type { Environment } from './environment.ts'
export { unsafeIn } from './production.ts'
export { announcedBytes, DrainingResponse } from './draining-response.ts'
export {
  beginSpan,
  currentTraceparent,
  isTracing,
  runWithin,
  startTracing,
  traced,
  tracedWithin,
  traceHeaders,
} from './tracing.ts'
export type { OpenSpan, SpanStart } from './spans.ts'
export { SharedPlaces } from './shared-places.ts'
export { FairLine } from './fair-line.ts'
export { FairTurns } from './fair-turns.ts'

export { addHealthRoutes } from './health.ts'
export type { ReadyCheck } from './health.ts'
export { createLogger } from './logger.ts'
export type { Logger } from './logger.ts'
export { createMetrics, readSeldom, readTogether } from './metrics.ts'
export type { Metrics } from './metrics.ts'
export { runProcess } from './process.ts'

export { addConnectionGauges, addReplicaGauge } from './connection-gauges.ts'

export { createRandom } from './random.ts'
export type { Random } from './random.ts'
export { productAgent, productVersion } from './version.ts'
export { startRounds } from './rounds.ts'
export type { Rounds } from './rounds.ts'
export { untilAborted, within } from './waits.ts'
export {
  placesOf,
  usualRequestsAtOnce,
  workspaceLimits,
  type WorkspaceLimitName,
  type WorkspaceLimits,
} from './workspace-limits.ts'
