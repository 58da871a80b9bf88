import { newId, schema } from '@crm/db'
import type { DemoDeal } from './sales.ts'
import { writeSheet } from './sheet.ts'
import { add, addRecords, between, born, dayOf, inTurn, pickOwner, type Story } from './story.ts'

/** The templates of letters and contracts: name, kind, and text. */
const templates = [
  [
    'Welcome letter',
    'LETTER',
    '# Welcome, {{record.name}}\n\nThank you for choosing **{{organization.name}}**. {{author.name}} looks after you from today on and can be reached at {{author.email}}.\n\n{{today}}',
  ],
  [
    'Non-disclosure agreement',
    'CONTRACT',
    '# Non-disclosure agreement\n\nbetween **{{organization.name}}** and **{{record.name}}**\n\n1. Both sides keep to themselves what the other one tells them in confidence.\n2. This holds for three years from {{today}}.\n\n---\n\n{{author.name}}',
  ],
  [
    'Summary of a deal',
    'OTHER',
    '# {{record.name}}\n\n- Amount: {{record.amount}} {{record.currency}}\n- Expected to close on {{record.expectedCloseDate}}\n\nWritten by {{author.name}} on {{today}}.',
  ],
] as const

const statuses = ['SIGNED', 'SENT', 'DRAFT'] as const

/** Adds templates, and documents written from them. These belong to companies, but a summary belongs to its deal. */
export async function addLetters(story: Story, deals: readonly DemoDeal[]): Promise<void> {
  const made = templates.map(([name, kind, body]) => {
    return { id: newId(), name, kind, body, by: pickOwner(story), at: born(story) }
  })
  await addRecords(story, 'DOCUMENT', made)
  for (const [serial, deal] of deals.slice(0, 2 * made.length).entries())
    await addLetter(story, inTurn(made, serial), deal)
}

async function addLetter(
  story: Story,
  template: { readonly id: string; readonly name: string; readonly kind: string; readonly body: string },
  deal: DemoDeal,
): Promise<void> {
  const { owner: by, customer } = deal
  const [record, name] =
    template.kind === 'OTHER'
      ? [{ entityType: 'DEAL', entityId: deal.id }, deal.name]
      : [{ entityType: 'COMPANY', entityId: customer.id }, customer.company.name]
  const title = `${template.name}, ${name}`
  const status = story.random.pick(statuses)
  const at = between(story, deal.createdAt, story.now)
  const content = write(template.body, {
    'record.name': name,
    'record.amount': deal.amount,
    'record.currency': deal.currency,
    'record.expectedCloseDate': dayOf(deal.stageChangedAt),
    'organization.name': 'Demo Company GmbH',
    'author.name': by.name,
    'author.email': by.email,
    today: dayOf(at),
  })
  const file = { name: `${title}.pdf`, contentType: 'application/pdf', content, links: [record], by, at }
  const [id, fileId] = [newId(), await story.shelf.add(story, file)]
  const stamps = { createdById: by.id, createdAt: at, updatedAt: at }
  await add(story, schema.documentRecords, [
    { id, documentId: template.id, ...record, title, status, fileId, ...stamps },
  ])
  if (status === 'DRAFT') return
  const changes = [{ field: 'document', from: 'DRAFT', to: status }]
  const related = { relatedType: 'DOCUMENT_RECORD', relatedId: id }
  story.history.add({ ...record, kind: 'UPDATED', at, by, changes, data: { title }, ...related })
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
