export { noise, seed, stepsOf, timeoutOf, unique } from './chance.ts'
export { eventually } from './eventually.ts'

export { loopbackCertificate, loopbackCertificateKey } from './certificate.ts'
export { bookingRow } from './booking-row.ts'
export { isFirefox, launchBrowser } from './browser.ts'
export { Key, launchWebKit, type WebElement } from './webkit.ts'

export { afterThisFile, onceForAllFiles } from './cleanup.ts'
export {
  databaseRoles,
  freezableDatabase,
  replicatedDatabase,
  testDatabase,
  asDeployable,
  isOnCitus,
  undistributedDatabase,
} from './database.ts'
export type { TestDatabase } from './database.ts'
export { startDns } from './dns.ts'

export { plainSample, plainSamples } from './plain-samples.ts'
export { provePeriodicWork } from './periodic-work.ts'
export type { PlantDue } from './periodic-work.ts'
export { oldShortZones } from './old-short-zones.ts'
export { freePort } from './ports.ts'
export { bareEnv, bundleOf, childrenOf, isAlive, startProcess, untilGone } from './process.ts'
export type { TestProcess } from './process.ts'
export { requireRedisProgram, startRedisServer, testRedis } from './redis.ts'
export type { TestRedisServer } from './redis.ts'
export { lockWaiters } from './lock-waiters.ts'
export { miscounted } from './miscounted.ts'
export { serviceLog } from './service-log.ts'
export { testScratchDir } from './services.ts'
export { recordWire } from './wire.ts'

export { createTestWorkspace, testPassword } from './workspace.ts'
export type { TestWorkspace } from './workspace.ts'
export { startRedisCluster } from './redis-cluster.ts'
