export { createRecogniser, type RecognisedRequest, type RecogniserOptions, type RequestHead } from './recognise.ts'
export { coversCaller, reachOfCaller } from './caller-reach.ts'
export {
  fullName,
  readCaller,
  readEmployeeCaller,
  readSessionCaller,
  type Caller,
  type CallerEmployee,
  type ChangeSource,
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
  readCredential,
  refreshTokenPrefix,
  scimTokenPrefix,
  sessionCookie,
} from './credential.ts'
export {
  createWorkspaceFinder,
  findWorkspaceId,
  hostName,
  isRegisteredHost,
  readWorkspace,
  workspaceOfHost,
  type Workspace,
} from './workspace.ts'
export { viewAsRole } from './view-as.ts'
export { domainRecord } from './domain-record.ts'
export { createRequestLimit, createScimLimit } from './request-limit.ts'
export { hashPassword, verifyPassword } from './password.ts'
export { passwordConfig } from './password-config.ts'
export type { EstimatePassword } from './password-estimate.ts'
export {
  findPasswordProblems,
  passwordProblems,
  type PasswordOwner,
  type PasswordProblem,
  type PasswordRules,
} from './password-rules.ts'
export { instantText, sessionEnd, sessionExpiry } from './session-ends.ts'
export { usualSignInPolicy, type SignInPolicy } from './sign-in-policy.ts'
export { LaterTokenError, signRunToken, verifyRunToken, type RunClaims } from './run-token.ts'
