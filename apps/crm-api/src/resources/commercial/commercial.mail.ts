import type { MailInput } from '@crm/contract'
import { recordChange, type Transaction } from '@crm/db'
import type { WriteContext } from '../../records/owned/write.ts'

/** The event that asks for a mail with a quote or an invoice. */
export const commercialMailEvent = 'commercial.mail'

/** What is to be mailed, by whom. */
export interface CommercialMail {
  readonly entityType: 'INVOICE' | 'QUOTE'
  readonly entityId: string
  readonly mail: MailInput
}

/** Queues the mail in the transaction of the change: it goes out once the change stands, and not without it. */
export async function queueMail(tx: Transaction, { workspace, actor, caller, at }: WriteContext, mail: CommercialMail): Promise<void> {
  await recordChange(tx, { workspaceId: workspace.id, actor, at, events: [{ topic: 'job', event: commercialMailEvent, payload: { ...mail, employeeId: caller.employee.id } }] })
}
