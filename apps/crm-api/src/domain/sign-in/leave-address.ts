import { emailKey } from '../../records/contact-points.ts'
import type { Transaction } from '@crm/db'
import type { CrmContext } from '../../platform/context.ts'
import { queueAccountMail } from './account-mails.ts'
import { endResetLinks } from './passwords.repository.ts'

/** Ends the links that were sent to the former address of a person, and tells that address that the account has another one. */
export async function leaveAddress(
  tx: Transaction,
  context: CrmContext,
  { id, email }: { readonly id: string; readonly email: string },
  changed: string | undefined,
): Promise<void> {
  if (changed === undefined || emailKey(changed) === emailKey(email)) return
  await endResetLinks(tx, context, id)
  await queueAccountMail(tx, context, { kind: 'email-changed', employeeId: id, address: email, name: changed })
}
