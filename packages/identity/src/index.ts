export { createRecogniser } from './recognise.ts'
export { coversCaller, reachOfCaller } from './caller-reach.ts'
export {
  fullName,
  readAgentCaller,
  readCaller,
  readEmployeeCaller,
  readSessionCaller,
  type Caller,
  type CredentialClass,
  type Queryable,
} from './caller.ts'
export {
  accessTokenPrefix,
  apiKeyPrefix,
  cookieNameAt,
  digest,
  keyPrefix,
  newSecret,
  readCookie,
  refreshTokenPrefix,
  scimTokenPrefix,
  sessionCookie,
} from './credential.ts'
export { createWorkspaceFinder, hostName, isRegisteredHost, readWorkspace, type Workspace } from './workspace.ts'
export { viewAsRole } from './view-as.ts'
export { domainRecord } from './domain-record.ts'
export { createRequestLimit, createScimLimit } from './request-limit.ts'
export { hashPassword, verifyPassword } from './password.ts'
export { passwordConfig } from './password-config.ts'
export type { EstimatePassword } from './password-estimate.ts'
export { findPasswordProblems, passwordProblems, type PasswordOwner, type PasswordRules } from './password-rules.ts'
export { instantText, sessionEnd, sessionExpiry } from './session-ends.ts'
export { usualSignInPolicy, type SignInPolicy } from './sign-in-policy.ts'
export { LaterTokenError, signRunToken } from './run-token.ts'
