import { newId, schema } from '@crm/db'
import { ApiError } from '@crm/errors'
import type { OutgoingMail } from '../domain/mail/outgoing-mail.ts'
import type { CrmContext } from '../platform/context.ts'
import { employeeContext } from './employee-context.ts'
import type { Job } from './job-handler.ts'

/** After so many attempts the sender gets a notification instead. */
const attemptsMax = 8

/** A mail in the outbox, with its sender. */
export interface MailOfPerson extends OutgoingMail {
  readonly employeeId: string
}

/** Sends a mail with the rights of its sender. After a lasting failure `giveUp` runs and the sender is told. */
export async function sendForPerson(
  job: Job,
  { employeeId, entityType, entityId, mail }: MailOfPerson,
  send: (context: CrmContext) => Promise<void>,
  giveUp?: (context: CrmContext) => Promise<unknown>,
): Promise<void> {
  const { row, tx, at } = job
  const { workspaceId } = row
  let context: CrmContext | undefined
  try {
    context = await employeeContext(job, { workspaceId, employeeId })
    await send(context)
  } catch (error) {
    const isPassing = !(error instanceof ApiError) || error.status >= 500
    if (row.attempts < attemptsMax && isPassing) throw error
    if (context) await giveUp?.(context)
    await tx.insert(schema.notifications).values({
      workspaceId,
      id: newId(),
      employeeId,
      kind: 'mail.failed',
      text: `A mail to ${mail.to.join(', ')} could not be sent`,
      data: { entityType, entityId, name: mail.to.join(', ') },
      createdAt: at,
    })
  }
}
