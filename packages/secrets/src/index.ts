export { secretsConfig, wrapperOf } from './config.ts'
export { environmentKeys, SecretUnreadableError, type KeyWrapper } from './key-wrapper.ts'
export { headerDigest } from './header-digest.ts'
export { mapHeaderValues } from './header-values.ts'
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
export { rotateSecrets, sealingBackfill, secretsStatus, type Rotation, type SecretsStatus } from './rotation.ts'
export { sealedColumns, sealedFor, sealedPlace, type SealedColumn } from './sealed-columns.ts'
export { createSecrets, isSealed, versionOf, type SecretPlace, type Secrets } from './secrets.ts'
