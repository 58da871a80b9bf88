export { secretsConfig, wrapperOf } from './config.ts'
export { environmentKeys, SecretUnreadableError, type KeyWrapper } from './key-wrapper.ts'
export { headerDigest } from './header-digest.ts'

export {
  calendarUrl,
  isPlainReader,
  openHeaders,
  openOncePlain,
  ruleHeaders,
  sealHeaders,
  sealOncePlain,
  unreadableHeaders,
  workflowHeaders,
} from './once-plain.ts'
export { rotateSecrets, sealingBackfill, secretsStatus } from './rotation.ts'
export { sealedPlace } from './sealed-columns.ts'
export { createSecrets, isSealed, type SecretPlace, type Secrets } from './secrets.ts'
