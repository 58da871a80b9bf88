import { recordChange, systemActor, systemScope } from '@crm/db'
import type { CrmContext } from '../platform/context.ts'
import { renderPdf } from '../pdf/render-pdf.ts'
import { sheetWords } from '../pdf/sheet-words.ts'
import { findRecord } from '../records/owned/repository.ts'
import type { CommercialMail } from '../domain/commercial/commercial.mail.ts'
import { fileNameOf } from '../domain/commercial/commercial.pdf.ts'
import { makeSheet, sheetTitle, type SheetSource } from '../domain/commercial/commercial.sheet.ts'
import { invoiceKind } from '../kinds/invoices.ts'
import { quoteKind } from '../kinds/quotes.ts'
import type { MailJob, MailKind, PostReport, WrittenLetter } from '../domain/mail/post.ts'
import { ofPerson, sayOf, tellSender, type MailOfPerson } from './mail-of-person.ts'

/** A quote or an invoice as PDF; the history of the document says who does not have it. */
export const commercialMail: MailKind = {
  write: async (job) => {
    const { asked, context } = await ofPerson<CommercialMail & MailOfPerson>(job)
    return write(job, context, asked)
  },
  settle: async (job, report) => {
    await noteOnDocument(job, report)
    await tellSender(job, report)
  },
}

async function write(
  { tx }: MailJob,
  context: CrmContext,
  { entityType, entityId, mail }: CommercialMail,
): Promise<WrittenLetter | undefined> {
  const source = await readSource(tx, context, entityType, entityId)
  // The sent document is deleted; there is nothing to mail.
  if (!source) return undefined
  const sheet = await makeSheet(tx, context, source)
  const { content } = await renderPdf(sheet, context.workspace.id)
  const words = sheetWords(context.workspace.locale)
  const filled = (text: string): string =>
    text.replace('{title}', sheetTitle(context, source)).replace('{seller}', sheet.seller.name)
  const [to, ...alsoTo] = mail.to.map((address) => ({ address }))
  if (!to) return undefined
  return {
    message: {
      isWritten: true,
      to,
      alsoTo,
      cc: mail.cc.map((address) => ({ address })),
      fromName: sheet.seller.name,
      replyTo: { name: context.caller.employee.name, address: context.caller.employee.email },
      subject: mail.subject ?? filled(words.mailSubject),
      text: `${mail.message ?? filled(words.mailText)}\n`,
      attachments: [{ filename: fileNameOf(context, source), contentType: 'application/pdf', content }],
    },
  }
}

/** Adds to the history of a document that its mail did not reach everybody, once it is not tried again. */
async function noteOnDocument({ row, tx, at }: MailJob, report: PostReport): Promise<void> {
  const { isFinal, outcome } = report
  const { refused, unknown } = outcome
  if (!isFinal || refused.length + unknown.length === 0) return
  const { entityType, entityId } = row.payload as unknown as CommercialMail
  const data = {
    to: [...refused.map(({ address }) => address), ...unknown],
    isUnknown: refused.length === 0,
    said: sayOf(report),
  }
  await recordChange(tx, {
    workspaceId: row.workspaceId,
    actor: systemActor,
    at,
    timeline: [{ entityType, entityId, kind: 'EMAIL_FAILED', data }],
  })
}

async function readSource(
  tx: MailJob['tx'],
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
