import { recordChange, type Transaction } from '@crm/db'
import type { AccountFacts, AccountMailKind } from '@crm/mail'
import type { CrmContext } from '../../platform/context.ts'
import { userAgentOf } from '../../records/audit.ts'

/** The event that asks for a mail about an account. */
export const accountMailEvent = 'account.mail'
/** The event that asks for a link to choose a new password. */
export const resetMailEvent = 'account.reset-mail'

/** A mail about something that happened to an account. */
export interface AccountMail {
  readonly kind: Exclude<AccountMailKind, 'invitation' | 'password-reset'>
  /** The person who gets it. */
  readonly employeeId: string
  /** The address that it goes to, where that is no longer the person's. */
  readonly address?: string
  /** The account, the key or the address that it is about, where that is another one. */
  readonly name?: string
  readonly event: NonNullable<AccountFacts['event']>
}

/** A wish for a link; its token is made when the mail is sent, so that no plain token is stored. */
export interface ResetMail {
  /** The address that somebody typed, or else the id of the person whom an administrator chose. */
  readonly email?: string
  readonly employeeId?: string
  readonly sentById: string | null
  readonly event: AccountMail['event']
}

/** Queues a mail about an account in the transaction of the change: it is sent after the commit, and only then. */
export async function queueAccountMail(
  tx: Transaction,
  context: CrmContext,
  mail: Omit<AccountMail, 'event'>,
): Promise<void> {
  await queue(tx, context, accountMailEvent, { ...mail, event: eventOf(context) })
}

/** Queues a link to choose a new password. */
export async function queueResetMail(
  tx: Transaction,
  context: CrmContext,
  mail: Omit<ResetMail, 'event'>,
): Promise<void> {
  await queue(tx, context, resetMailEvent, { ...mail, event: eventOf(context) })
}

function queue(
  tx: Transaction,
  { workspace, actor, at }: CrmContext,
  event: string,
  payload: AccountMail | ResetMail,
): Promise<void> {
  return recordChange(tx, {
    workspaceId: workspace.id,
    actor,
    at,
    events: [{ topic: 'mail', event, payload: { ...payload } }],
  })
}

function eventOf({ at, address, requestHeaders }: CrmContext): AccountMail['event'] {
  return { at, address: address() || null, userAgent: userAgentOf(requestHeaders) }
}
