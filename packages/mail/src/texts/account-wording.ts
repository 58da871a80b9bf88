/** The kinds of mail about an account; each stands in the header `X-CRM-Kind`. */
export const accountMailKinds = [
  'invitation',
  'password-reset',
  'password-changed',
  'email-changed',
  'new-device',
  'second-factor-changed',
  'second-factor-reset',
  'recovery-code-used',
  'break-glass-used',
  'identity-linked',
  'key-expiring',
] as const
export type AccountMailKind = (typeof accountMailKinds)[number]

/** The subject and the first paragraph of a mail; `{workspace}`, `{person}` and `{name}` are replaced. */
interface AccountMailText {
  readonly subject: string
  readonly text: string
}

/** All texts of mails about accounts in one language. */
export interface AccountTexts {
  readonly mails: Readonly<Record<AccountMailKind, AccountMailText>>
  readonly accept: string
  readonly chooseNew: string
  /** Said below a link; the time follows. */
  readonly validUntil: string
  readonly when: string
  readonly from: string
  readonly program: string
  /** Said where nobody has to do anything, if it was they. */
  readonly notYou: string
  /** Said where nobody asked for the mail. */
  readonly ignore: string
  readonly security: string
}
