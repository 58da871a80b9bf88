import type { Mailbox, MailMessage } from './message.ts'
import { letterParts, whenInWords, type Row } from './letter.ts'
import { deAccount } from './texts/account.de.ts'
import { enAccount } from './texts/account.en.ts'
import { esAccount } from './texts/account.es.ts'
import { frAccount } from './texts/account.fr.ts'
import { ruAccount } from './texts/account.ru.ts'
import type { AccountMailKind, AccountTexts } from './texts/account-wording.ts'
import { chooseLanguage } from './texts/booking-texts.ts'

const textsByLanguage: Readonly<Record<string, AccountTexts>> = {
  en: enAccount,
  de: deAccount,
  es: esAccount,
  fr: frAccount,
  ru: ruAccount,
}

/** The facts in a mail about an account. */
export interface AccountFacts {
  readonly kind: AccountMailKind
  readonly to: Mailbox
  readonly workspace: {
    readonly name: string
    readonly baseUrl: string
    readonly locale: string
    readonly timezone: string
    readonly timeFormat: '12h' | '24h'
  }
  /** Who invites. */
  readonly person?: string
  /** The account or the key that the mail is about. */
  readonly name?: string
  /** The link of an invitation or a reset. */
  readonly link?: { readonly url: string; readonly expiresAt: string }
  /** When, from where and with which program something happened; the time is ISO 8601. */
  readonly event?: { readonly at: string; readonly address: string | null; readonly userAgent: string | null }
}

/** Writes a mail about an account, in the language of the workspace. */
export function writeAccountMail(facts: AccountFacts): MailMessage {
  const { kind, to, workspace, link } = facts
  const language = chooseLanguage(workspace.locale)
  const texts = textsByLanguage[language] ?? enAccount
  const mail = texts.mails[kind]
  const isInvitation = kind === 'invitation'
  return {
    ...letterParts({
      language,
      opening: filled(mail.text, facts),
      rows: rowsOf(facts, texts, language),
      links: link
        ? [{ label: isInvitation ? texts.accept : texts.chooseNew, value: link.url }]
        : [{ label: texts.security, value: `${workspace.baseUrl}/settings/account` }],
      closing: link ? texts.ignore : texts.notYou,
    }),
    kind,
    to,
    fromName: workspace.name,
    isToMember: !isInvitation,
    subject: filled(mail.subject, facts),
  }
}

function rowsOf({ link, event, workspace }: AccountFacts, texts: AccountTexts, language: string): Row[] {
  const when = (at: string): string => whenInWords(at, { ...workspace, language })
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
