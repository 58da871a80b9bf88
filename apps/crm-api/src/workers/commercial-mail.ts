import { systemScope } from '@crm/db'
import type { CrmContext } from '../platform/context.ts'
import { renderPdf } from '../pdf/render-pdf.ts'
import { sheetWords } from '../pdf/sheet-words.ts'
import { findRecord } from '../records/owned/repository.ts'
import type { CommercialMail } from '../domain/commercial/commercial.mail.ts'
import { fileNameOf } from '../domain/commercial/commercial.pdf.ts'
import { makeSheet, sheetTitle, type SheetSource } from '../domain/commercial/commercial.sheet.ts'
import { invoiceKind } from '../kinds/invoices.ts'
import { quoteKind } from '../kinds/quotes.ts'
import type { Job } from './job-handler.ts'
import { sendForPerson, type MailOfPerson } from './send-for-person.ts'

/** Mails a quote or an invoice as PDF. */
export async function mailCommercial(job: Job): Promise<void> {
  const asked = job.row.payload as unknown as CommercialMail & MailOfPerson
  await sendForPerson(job, asked, (context) => send(job, context, asked))
}

async function send(
  { tx, deps }: Job,
  context: CrmContext,
  { entityType, entityId, mail }: CommercialMail,
): Promise<void> {
  const source = await readSource(tx, context, entityType, entityId)
  // The sent document is deleted; there is nothing to mail.
  if (!source) return
  const sheet = await makeSheet(tx, context, source)
  const content = await renderPdf(sheet, context.workspace.id)
  const words = sheetWords(context.workspace.locale)
  const filled = (text: string): string =>
    text.replace('{title}', sheetTitle(context, source)).replace('{seller}', sheet.seller.name)
  const [to, ...alsoTo] = mail.to.map((address) => ({ address }))
  if (!to) return
  await deps.mailer.send({
    to,
    alsoTo,
    cc: mail.cc.map((address) => ({ address })),
    fromName: sheet.seller.name,
    replyTo: { name: context.caller.employee.name, address: context.caller.employee.email },
    subject: mail.subject ?? filled(words.mailSubject),
    text: `${mail.message ?? filled(words.mailText)}\n`,
    attachments: [{ filename: fileNameOf(context, source), contentType: 'application/pdf', content }],
  })
}

async function readSource(
  tx: Job['tx'],
  { workspace }: CrmContext,
  entityType: CommercialMail['entityType'],
  id: string,
): Promise<SheetSource | null> {
  const scope = systemScope(workspace.id)
  const source =
    entityType === 'INVOICE'
      ? { entityType, row: await findRecord(tx, invoiceKind, scope, id) }
      : { entityType, row: await findRecord(tx, quoteKind, scope, id) }
  return source.row ? (source as SheetSource) : null
}
