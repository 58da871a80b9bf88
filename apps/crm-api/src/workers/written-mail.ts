import { systemScope } from '@crm/db'
import { readAttachments } from '../domain/mail/attached-files.ts'
import type { MailKind, MailJob, PostReport } from '../domain/mail/post.ts'
import { findRecord } from '../records/owned/repository.ts'
import { changeRecord } from '../records/owned/write.ts'
import { activityKind } from '../kinds/activities.ts'
import { activityWriter } from '../resources/work/activities/activities.commands.ts'
import { contextOfSender, ofPerson, sayOf, tellSender, type MailOfPerson } from './mail-of-person.ts'

/** A mail that a person wrote; the activity that records it says what became of it. */
export const writtenMail: MailKind = {
  write: async (job) => {
    const { asked, context } = await ofPerson<MailOfPerson>(job)
    const { employee } = context.caller
    const { subject = '', message, to, cc } = asked.mail
    const [first, ...alsoTo] = to.map((address) => ({ address }))
    if (!first) return undefined
    return {
      message: {
        isWritten: true,
        to: first,
        alsoTo,
        cc: cc.map((address) => ({ address })),
        fromName: `${employee.name} (${context.workspace.name})`,
        replyTo: { name: employee.name, address: employee.email },
        subject,
        text: `${message}\n`,
        attachments: await readAttachments(job.tx, context, asked.fileIds ?? []),
      },
    }
  },
  settle: async (job, report) => {
    await noteOnActivity(job, report)
    await tellSender(job, report)
  },
}

/** Notes on the activity who does not have the mail. The pauses of a mail that waits are noted once. */
async function noteOnActivity(job: MailJob, report: PostReport): Promise<void> {
  const { row, tx } = job
  const { isFinal, tries, outcome } = report
  if (isFinal ? tries === 1 && sayOf(report) === null : tries > 1) return
  const context = await contextOfSender(job)
  const { entityId } = row.payload as unknown as MailOfPerson
  const scope = systemScope(row.workspaceId)
  if (!context || !(await findRecord(tx, activityKind, scope, entityId))) return
  const nobodyHasIt = isFinal && outcome.sent.length + outcome.unknown.length === 0
  await changeRecord(tx, context, activityWriter, scope, entityId, {
    outcome: sayOf(report),
    ...(nobodyHasIt ? { status: 'CANCELLED' as const } : {}),
  })
}
