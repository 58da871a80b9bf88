import { schema, newId } from '@crm/db'
import { ApiError } from '@crm/errors'
import { refusalsInWords } from '@crm/mail'
import type { OutgoingMail } from '../domain/mail/outgoing-mail.ts'
import type { MailJob, PostReport } from '../domain/mail/post.ts'
import type { CrmContext } from '../platform/context.ts'
import { employeeContext } from './employee-context.ts'

/** A mail in the outbox, with its sender. */
export interface MailOfPerson extends OutgoingMail {
  readonly employeeId: string
}

/** Returns the mail of a row and the context of its sender, with the rights of this moment. */
export async function ofPerson<Mail extends MailOfPerson>(
  job: MailJob,
): Promise<{ readonly asked: Mail; readonly context: CrmContext }> {
  const asked = job.row.payload as unknown as Mail
  const { workspaceId } = job.row
  return { asked, context: await employeeContext(job, { workspaceId, employeeId: asked.employeeId }) }
}

/** Returns the context of the sender of a mail; undefined when they have none any more. */
export async function contextOfSender(job: MailJob): Promise<CrmContext | undefined> {
  try {
    return (await ofPerson(job)).context
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** Returns what is known of a mail, in a sentence for its sender; null when everybody has it. */
export function sayOf({ outcome: { sent, refused, waiting, unknown } }: PostReport): string | null {
  const sentences = [
    ...(refused.length > 0
      ? [
          `${sent.length + waiting.length + unknown.length === 0 ? 'The email could not be sent' : 'Not delivered'}: ${refusalsInWords(refused)}`,
        ]
      : []),
    ...(unknown.length > 0
      ? [
          `It is not known whether the mail server took the email for ${unknown.join(', ')}: the connection ended before it answered`,
        ]
      : []),
    ...(waiting.length > 0 ? [`Not delivered yet, it is tried again: ${refusalsInWords(waiting)}`] : []),
  ]
  return sentences.length === 0 ? null : sentences.join('. ').slice(0, 2_000)
}

/** Tells the sender in their inbox who does not have the mail, once it is not tried again. */
export async function tellSender({ row, tx, at }: MailJob, { outcome, isFinal }: PostReport): Promise<void> {
  const { refused, unknown, sent } = outcome
  if (!isFinal || refused.length + unknown.length === 0) return
  const { employeeId, entityType, entityId } = row.payload as unknown as MailOfPerson
  const refusals = refusalsInWords(refused)
  const sentences = [
    ...(refused.length > 0 ? [`A mail to ${refusals} could not be sent`] : []),
    ...(unknown.length > 0 ? [`It is not known whether a mail to ${unknown.join(', ')} was taken`] : []),
  ]
  const addresses = [...refused.map(({ address }) => address), ...unknown]
  await tx.insert(schema.notifications).values({
    workspaceId: row.workspaceId,
    id: newId(),
    employeeId,
    kind: 'mail.failed',
    text: sentences.join('. '),
    data: { entityType, entityId, name: addresses.join(', '), reached: sent.length },
    createdAt: at,
  })
}
