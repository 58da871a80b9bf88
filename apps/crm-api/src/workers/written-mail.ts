import { systemScope } from '@crm/db'
import { readAttachments } from '../domain/mail/attached-files.ts'
import { changeRecord } from '../records/owned/write.ts'
import { activityWriter } from '../resources/activities/activities.commands.ts'
import type { Job } from './job-handler.ts'
import { sendForPerson, type MailOfPerson } from './send-for-person.ts'

/** Sends a mail that a person wrote; the activity that records it is cancelled when the mail cannot be sent. */
export async function mailWritten(job: Job): Promise<void> {
  const { row, tx, deps } = job
  const asked = row.payload as unknown as MailOfPerson
  await sendForPerson(
    job,
    asked,
    async (context) => {
      const { caller, workspace } = context
      const { employee } = caller
      const { subject = '', message, to, cc } = asked.mail
      const [first, ...alsoTo] = to.map((address) => ({ address }))
      if (!first) return
      await deps.mailer.send({
        to: first,
        alsoTo,
        cc: cc.map((address) => ({ address })),
        fromName: `${employee.name} (${workspace.name})`,
        replyTo: { name: employee.name, address: employee.email },
        subject,
        text: `${message}\n`,
        attachments: await readAttachments(tx, context, asked.fileIds ?? []),
      })
    },
    (context) =>
      changeRecord(tx, context, activityWriter, systemScope(row.workspaceId), asked.entityId, {
        status: 'CANCELLED',
        outcome: 'The email could not be sent',
      }),
  )
}
