import type { NotificationKind } from '@crm/contract'
import type { Mailbox, MailMessage } from './message.ts'
import { mailTexts } from './texts/mail-texts.ts'

/** A notification as the product keeps it. */
export interface Notice {
  readonly kind: NotificationKind
  /** The sentence of the product, in English. */
  readonly text: string
  /** The name of the person who caused it; null for what happened by itself. */
  readonly actor: string | null
  /** The name of the thing that it is about, such as a workflow. */
  readonly name: string | null
}

/** One notification as a mail says it. */
export interface NoticeLine {
  readonly subject: string
  readonly text: string
}

export interface NoticeFacts {
  readonly to: Mailbox
  readonly workspace: { readonly name: string; readonly baseUrl: string }
  /** A language from `chooseLanguage`. */
  readonly language: string
  /** At least one. */
  readonly lines: readonly NoticeLine[]
}

const shownMax = 20
const subjectMax = 150

/** Returns a notification as a sentence in a language from `chooseLanguage`. */
export function noticeSentence({ kind, text, actor, name }: Notice, language: string): string {
  const { kinds, byPerson } = mailTexts(language).notices
  if (kinds === null) return text
  const told = actor === null ? undefined : byPerson[kind]?.replace('{actor}', () => actor)
  return told ?? (name === null ? kinds[kind] : `${kinds[kind]}: ${name}`)
}

/** Writes a mail with the notifications of a person. */
export function writeNoticeMail({ to, workspace, language, lines }: NoticeFacts): MailMessage {
  const { subject, more, chosen } = mailTexts(language).notices
  const shown = lines.slice(0, shownMax).map(({ text }) => `• ${text}`)
  const others = lines.length - shown.length
  const only = lines.length === 1 ? lines[0] : undefined
  return {
    to,
    isToMember: true,
    fromName: workspace.name,
    subject: only ? only.subject.slice(0, subjectMax) : subject.replace('{n}', String(lines.length)),
    text: [
      ...shown,
      ...(others > 0 ? [more.replace('{n}', String(others))] : []),
      '',
      `${workspace.name}: ${workspace.baseUrl}/inbox`,
      chosen.replace('{url}', `${workspace.baseUrl}/settings/notifications`),
      '',
    ].join('\n'),
  }
}
