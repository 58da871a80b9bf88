import type { WrittenMail } from '@crm/contract'
import type { Transaction } from '@crm/db'
import { requireAttachedFiles } from '../../../domain/mail/attached-files.ts'
import { countMail, queueMail } from '../../../domain/mail/outgoing-mail.ts'
import type { ActivityRow } from '../../../kinds/activities.ts'
import type { CrmContext } from '../../../platform/context.ts'
import { createActivity } from './activities.commands.ts'

/** The event that asks for a mail which a person wrote. */
export const writtenMailEvent = 'activity.mail'

/** Records a mail as an activity and queues it. */
export async function sendEmail(
  tx: Transaction,
  context: CrmContext,
  { to, cc, subject, message, links, fileIds }: WrittenMail,
): Promise<ActivityRow> {
  const attached = await requireAttachedFiles(tx, context, fileIds)
  const activity = await createActivity(tx, context, {
    type: 'EMAIL',
    direction: 'OUT',
    status: 'DONE',
    subject,
    body: [message, attached.map(({ name }) => `📎 ${name}`).join('\n')].filter(Boolean).join('\n\n'),
    participants: [...to, ...cc].map((email) => ({ name: null, email, entityType: null, entityId: null })),
    links,
  })
  const mail = { to, cc, subject, message }
  await countMail(context, mail)
  await queueMail(tx, context, writtenMailEvent, { entityType: 'ACTIVITY', entityId: activity.id, mail, fileIds })
  return activity
}
