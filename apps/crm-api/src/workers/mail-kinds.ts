import { schema } from '@crm/db'
import type { JobHandler } from './job-handler.ts'
import { accountMailEvent, resetMailEvent } from '../domain/sign-in/account-mails.ts'
import { invitationMail, invitationMailEvent } from '../domain/sign-in/invitation-mail.ts'
import { commercialMailEvent } from '../domain/commercial/commercial.mail.ts'
import type { MailKinds } from '../domain/mail/post.ts'
import { writtenMailEvent } from '../resources/work/activities/activities.email.ts'
import { accountMail, resetMail } from './account-mail.ts'
import { cancelledMail, cancelledMailEvent } from './cancelled-booking.ts'
import { commercialMail } from './commercial-mail.ts'
import { writtenMail } from './written-mail.ts'

/** Every kind of mail that the CRM API sends from the outbox, by the event that asks for it. */
export const mailKinds: MailKinds = {
  [writtenMailEvent]: writtenMail,
  [commercialMailEvent]: commercialMail,
  [accountMailEvent]: accountMail,
  [resetMailEvent]: resetMail,
  [invitationMailEvent]: invitationMail,
  [cancelledMailEvent]: cancelledMail,
}

/** Passes on mail that a process of an earlier version queued among the jobs; its mail about a cancelled booking was one for two people. */
const passOnMail: JobHandler = async ({ row, tx }) => {
  const { workspaceId, event, entityType, entityId, payload, traceparent } = row
  const payloads =
    event === cancelledMailEvent ? ['guest', 'organizer'].map((whom) => ({ ...payload, whom })) : [payload]
  await tx.insert(schema.outbox).values(
    payloads.map((one) => ({
      workspaceId,
      topic: 'mail' as const,
      event,
      entityType,
      entityId,
      payload: one,
      traceparent,
    })),
  )
}

/** The jobs of earlier versions that asked for mail. */
export const passedOnMail: Readonly<Record<string, JobHandler>> = Object.fromEntries(
  Object.keys(mailKinds).map((event) => [event, passOnMail]),
)
