import { newId, schema, type Executor } from '@crm/db'
import type { DemoDeal } from './customers.ts'
import type { History } from './history.ts'
import { between, type Place } from './place.ts'
import { writeSheet } from './sheet.ts'
import type { Shelf } from './shelf.ts'
import type { DemoTemplate } from './templates.ts'

const statuses = ['SIGNED', 'SENT', 'DRAFT'] as const

/** Adds the documents written from the templates. They belong to companies, but a summary belongs to its deal. */
export async function addLetters(
  tx: Executor,
  place: Place,
  shelf: Shelf,
  templates: readonly DemoTemplate[],
  deals: readonly DemoDeal[],
  history: History,
): Promise<void> {
  const { workspaceId, random, now } = place
  for (const [serial, deal] of deals.slice(0, 2 * templates.length).entries()) {
    const template = templates[serial % templates.length] as DemoTemplate
    const status = random.pick(statuses)
    const { owner: by, customer } = deal
    const record =
      template.kind === 'OTHER'
        ? { entityType: 'DEAL', entityId: deal.id }
        : { entityType: 'COMPANY', entityId: customer.companyId }
    const name = template.kind === 'OTHER' ? deal.name : customer.company.name
    const title = `${template.name}, ${name}`
    const [at, documentRecordId] = [between(place, deal.createdAt, now.toISOString()), newId()]
    const content = write(template.body, {
      'record.name': name,
      'record.amount': deal.amount,
      'record.currency': deal.currency,
      'record.expectedCloseDate': deal.stageChangedAt.slice(0, 10),
      'organization.name': 'Demo Company GmbH',
      'author.name': by.name,
      'author.email': by.email,
      today: at.slice(0, 10),
    })
    const fileId = await shelf.add(tx, place, history, {
      name: `${title}.pdf`,
      contentType: 'application/pdf',
      content,
      links: [record],
      by,
      at,
    })
    await tx.insert(schema.documentRecords).values({
      workspaceId,
      id: documentRecordId,
      documentId: template.id,
      ...record,
      title,
      status,
      fileId,
      createdById: by.id,
      createdAt: at,
      updatedAt: at,
    })
    if (status !== 'DRAFT')
      history.add({
        ...record,
        kind: 'UPDATED',
        at,
        by,
        changes: [{ field: 'document', from: 'DRAFT', to: status }],
        data: { title },
        relatedType: 'DOCUMENT_RECORD',
        relatedId: documentRecordId,
      })
  }
}

/** Fills in a template and sets it plainly: its first line is the title. */
function write(body: string, values: Readonly<Record<string, string>>): Uint8Array {
  const [title = '', ...lines] = body
    .replaceAll(/\{\{([\w.]+)\}\}/g, (_, name: string) => values[name] ?? '')
    .split('\n')
  return writeSheet(
    title.replace(/^# /, ''),
    lines.map((line) => (line === '---' ? '' : line.replaceAll('**', ''))),
  )
}
