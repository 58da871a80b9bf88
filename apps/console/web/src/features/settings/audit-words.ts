import { t } from '../../base/texts.ts'
import type { Texts } from '../../texts/en.ts'

interface Entry {
  readonly action: string
  readonly summary: string
  readonly actorName: string
}
type Subject = keyof Texts['audit']['subjects']
type Verb = keyof Texts['audit']['verbs']

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
