import { auditSubjects, auditVerbs } from './audit-names.ts'
import { t } from './texts.ts'

interface Entry {
  readonly action: string
  readonly summary: string
  readonly actorName: string
}

/** The areas of actions in words. */
export const auditAreas: Readonly<Record<string, string>> = {
  'session.*': t('Sign-in'),
  'password.*': t('Passwords'),
  'second-factor.*': t('Two-step verification'),
  'passkey.*': t('Passkeys'),
  'invitation.*': t('Invitations'),
  'user.*': t('People'),
  'role.*': t('Roles'),
  'api-key.*': t('API keys'),
  'identity.*': t('Linked accounts'),
  'identity-provider.*': t('Single sign-on'),
  'scim-token.*': t('Directory tokens'),
  'scim-group.*': t('Directory groups'),
  'sign-in-policy.*': t('Rules for signing in'),
  'audit.*': t('Audit log'),
}

/** Returns an action in words, such as “API key: created”; the sentence of the log for one that the console does not know. */
export function describeAction({ action, summary }: Entry): string {
  const [subject = '', verb = ''] = action.split('.')
  const [about, done] = [auditSubjects[subject], auditVerbs[verb]]
  return about === undefined || done === undefined ? summary : t('{subject}: {verb}', { subject: about, verb: done })
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
