import type { Mailbox, MailMessage } from './message.ts'
import { letterParts, whenInWords, type Row } from './letter.ts'
import type { AccountMailKind, AccountTexts } from './texts/account-wording.ts'
import { chooseLanguage, mailTexts } from './texts/mail-texts.ts'

/** The facts in a mail about an account. */
export interface AccountFacts {
  readonly kind: AccountMailKind
  readonly to: Mailbox
  /** What the reader chose; of somebody who is invited, what the inviter did. The workspace has the rest. */
  readonly reader?: {
    readonly locale: string | null
    readonly timezone?: string | null
    readonly timeFormat?: '12h' | '24h' | null
  }
  readonly workspace: {
    readonly name: string
    readonly baseUrl: string
    readonly locale: string
    readonly timezone: string
    readonly timeFormat: '12h' | '24h'
  }
  /** Who invites. */
  readonly person?: string
  /** The account, the key or the new address that the mail is about. */
  readonly name?: string
  /** The link of an invitation or a reset. */
  readonly link?: { readonly url: string; readonly expiresAt: string }
  /** When, from where and with which program something happened; the time is ISO 8601. */
  readonly event?: { readonly at: string; readonly address: string | null; readonly userAgent: string | null }
}

/** Writes a mail about an account, in the language of its reader. */
export function writeAccountMail(facts: AccountFacts): MailMessage {
  const { kind, to, reader, workspace, link } = facts
  const language = chooseLanguage(reader?.locale, workspace.locale)
  const texts = mailTexts(language).account
  const mail = texts.mails[kind]
  const isInvitation = kind === 'invitation'
  return {
    ...letterParts({
      language,
      opening: filled(mail.text, facts),
      rows: rowsOf(facts, texts, language),
      links: link
        ? [{ label: isInvitation ? texts.accept : texts.chooseNew, value: link.url }]
        : [{ label: texts.security, value: `${workspace.baseUrl}/settings/security` }],
      closing: link ? texts.ignore : texts.notYou,
    }),
    kind,
    to,
    fromName: workspace.name,
    isToMember: !isInvitation,
    subject: filled(mail.subject, facts),
  }
}

function rowsOf({ link, event, workspace, reader }: AccountFacts, texts: AccountTexts, language: string): Row[] {
  const when = (at: string): string =>
    whenInWords(at, {
      language,
      timezone: reader?.timezone ?? workspace.timezone,
      timeFormat: reader?.timeFormat ?? workspace.timeFormat,
    })
  if (link) return [{ label: texts.validUntil, value: when(link.expiresAt) }]
  if (!event) return []
  return [
    { label: texts.when, value: when(event.at) },
    ...(event.address ? [{ label: texts.from, value: event.address }] : []),
    ...(event.userAgent ? [{ label: texts.program, value: event.userAgent }] : []),
  ]
}

function filled(text: string, { workspace, person = '', name = '' }: AccountFacts): string {
  const values = { workspace: workspace.name, person, name }
  return text.replaceAll(/\{(workspace|person|name)\}/g, (_sign, key: keyof typeof values) => values[key])
}
