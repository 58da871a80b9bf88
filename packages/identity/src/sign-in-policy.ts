/** The rules of a workspace for signing in; times in the unit of the name. */
export interface SignInPolicy {
  readonly passwordMinLength: number
  /** Whether somebody who manages people may type passwords for them. */
  readonly typedPasswords: boolean
  readonly invitationHours: number
  readonly sessionIdleHours: number
  readonly sessionAbsoluteHours: number
  /** How long a sign-in counts as fresh. */
  readonly reauthMinutes: number
  readonly secondFactor: 'OPTIONAL' | 'REQUIRED'
  /** The roles whose holders need a second factor even where it is optional. */
  readonly secondFactorRoleIds: string[]
  readonly enforceSso: boolean
  /** The people who may sign in with a password while SSO is enforced. */
  readonly breakGlassUserIds: string[]
  /** The longest life of an API key; null: no limit. */
  readonly keyMaxDays: number | null
  /** How long the audit log is kept; null: as long as the installation keeps it. */
  readonly auditRetentionDays: number | null
}

/** The rules for signing in of a workspace that set none of its own. */
export const usualSignInPolicy: SignInPolicy = {
  passwordMinLength: 10,
  typedPasswords: false,
  invitationHours: 168,
  sessionIdleHours: 336,
  sessionAbsoluteHours: 720,
  reauthMinutes: 60,
  secondFactor: 'OPTIONAL',
  secondFactorRoleIds: [],
  enforceSso: false,
  breakGlassUserIds: [],
  keyMaxDays: null,
  auditRetentionDays: null,
}
