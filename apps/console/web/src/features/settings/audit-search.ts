import { dayAfter, instantOf } from '../../base/moments.ts'
import { t } from '../../base/texts.ts'

/** The narrowing of the audit log, as it is in the address. */
export interface AuditSearch {
  /** The beginning of the actions to show. */
  readonly area?: string
  readonly actorId?: string
  readonly outcome?: 'FAILURE'
  /** Days, with the first and the last one. */
  readonly from?: string
  readonly to?: string
  readonly page?: number
}

/** The areas of actions in words. */
export const auditAreas: Readonly<Record<string, string>> = {
  'session.*': t('settings.signIn'),
  'password.*': t('settings.passwords'),
  'second-factor.*': t('settings.twoStepVerification'),
  'passkey.*': t('settings.passkeys'),
  'invitation.*': t('settings.invitations'),
  'user.*': t('common.people'),
  'role.*': t('settings.roles'),
  'api-key.*': t('common.apiKeys'),
  'identity.*': t('settings.linkedAccounts'),
  'identity-provider.*': t('settings.singleSignOn'),
  'scim-token.*': t('settings.directoryTokens'),
  'scim-group.*': t('settings.directoryGroups'),
  'sign-in-policy.*': t('settings.rulesForSigningIn'),
  'audit.*': t('common.auditLog'),
}

const day = /^\d{4}-\d{2}-\d{2}$/
const id = /^[\da-f-]{36}$/

/** Reads the address; invalid parts are ignored. */
export function readAuditSearch(raw: Readonly<Record<string, unknown>>): AuditSearch {
  const text = (name: string, form: RegExp) => {
    const value = raw[name]
    return typeof value === 'string' && form.test(value) ? { [name]: value } : {}
  }
  const area = raw['area']
  const page = Number(raw['page'])
  return {
    ...(typeof area === 'string' && area in auditAreas ? { area } : {}),
    ...text('actorId', id),
    ...(raw['outcome'] === 'FAILURE' ? { outcome: 'FAILURE' as const } : {}),
    ...text('from', day),
    ...text('to', day),
    ...(Number.isSafeInteger(page) && page > 1 ? { page } : {}),
  }
}

/** Returns the moments between which the days of the search lie, in the zone of the account. */
export function timesOf({ from, to }: AuditSearch): { from?: string; to?: string } {
  return {
    ...(from === undefined ? {} : { from: instantOf(from) }),
    ...(to === undefined ? {} : { to: new Date(Date.parse(instantOf(dayAfter(to, 1))) - 1).toISOString() }),
  }
}
