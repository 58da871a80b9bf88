import { t } from './texts.ts'
import type { SettingsTexts } from '../../texts/settings/en.ts'

interface Entry {
  readonly action: string
  readonly summary: string
  readonly actorName: string
}
type Subject = keyof SettingsTexts['audit']['subjects']
type Verb = keyof SettingsTexts['audit']['verbs']

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

/** Returns an action in words, such as “API key: created”; the sentence of the log for one that the console does not know. */
export function describeAction({ action, summary }: Entry): string {
  const [subject = '', verb = ''] = action.split('.')
  const [subjectKey, verbKey] = [`audit.subjects.${subject as Subject}`, `audit.verbs.${verb as Verb}`] as const
  return t.has(subjectKey) && t.has(verbKey) ? t('audit.deed', { subject: t(subjectKey), verb: t(verbKey) }) : summary
}

/** The openings of the log's sentences, which are English; the name of the subject follows. Names are in no other part of an entry. */
const openings = [
  /^(?:Created|Changed|Deleted|Rotated|Revoked|Added|Connected) the (?:API key|role|identity provider|client) (.+)$/,
  /^The (?:API key|workflow|automation rule|booking link|host|workspace) (.+?)(?: of .+| was used from an address .+)?$/,
  /^(?:Department|Channel|Booking link|Custom entity|\w+ field) (.+)$/,
  /^(?:A directory (?:added|changed|deleted) the group|Changed the rights of the group) (.+)$/,
  /^(?:Typed a new password for|Removed the second factors of|Ended sessions of|A link to choose a new password was sent to) (.+)$/,
  /^(?:Invited|Cancelled the invitation of|Sent again the invitation of|A run of the workflow|A request to|Proved the domain) (.+)$/,
  /^(?:The|Changed the) roles of (.+?)(?: follow their groups .+)?$/,
  /^Ended the connection with (.+)$/,
  /^(?:Created|Ended) the token (.+) (?:for|of) a directory$/,
  /^Took the import of (.+) back$/,
  /^(?:Added|Changed|Terminated|Suspended|Reactivated|Brought back|Imported|Exported) (?!the |where |for how )(.+)$/,
]

/** Returns the name of what an action changed; undefined where there is none besides the person who did it. */
export function subjectOf({ summary, actorName }: Entry): string | undefined {
  const name = openings.map((opening) => opening.exec(summary)?.[1]).find((found) => found !== undefined)
  return name === actorName ? undefined : name
}
