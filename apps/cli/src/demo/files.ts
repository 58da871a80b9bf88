import type { Executor } from '@crm/db'
import { toSubject, type Subjects } from './activities.ts'
import type { DemoDeal } from './customers.ts'
import type { History } from './history.ts'
import { drawPicture, type Color } from './picture.ts'
import { between, type Place } from './place.ts'
import { writeSheet } from './sheet.ts'
import type { DemoFile, Shelf } from './shelf.ts'
import type { DemoTask } from './work.ts'

const wall: Color = [73, 80, 87]
const floorPlan = (shelves: Color): Uint8Array =>
  drawPicture(
    640,
    400,
    [248, 249, 250],
    [
      { x: 20, y: 20, width: 600, height: 8, color: wall },
      { x: 20, y: 372, width: 600, height: 8, color: wall },
      { x: 20, y: 20, width: 8, height: 360, color: wall },
      { x: 612, y: 20, width: 8, height: 360, color: wall },
      { x: 400, y: 20, width: 8, height: 220, color: wall },
      ...[60, 130, 200, 270].map((y) => ({ x: 60, y, width: 280, height: 36, color: shelves })),
      { x: 450, y: 70, width: 120, height: 70, color: [255, 224, 102] },
    ],
  )

/** Adds the files of customers and colleagues to their records: sheets, a drawing, tables and notes. */
export async function addFiles(
  tx: Executor,
  place: Place,
  shelf: Shelf,
  { leads, deals, tasks }: Subjects & { readonly tasks: readonly DemoTask[] },
  history: History,
): Promise<void> {
  const [first, second] = deals
  const [lead] = leads
  const [task] = tasks
  if (!first || !second || !lead || !task) throw new Error('There is nothing that files could belong to')
  const later = (since: string): string => between(place, since, place.now.toISOString())
  const files: DemoFile[] = [
    {
      name: 'Requirements.pdf',
      contentType: 'application/pdf',
      content: requirements(first),
      links: toSubject(first).links,
      by: first.owner,
      at: later(first.createdAt),
    },
    {
      name: 'Warehouse plan.png',
      contentType: 'image/png',
      content: floorPlan([116, 192, 252]),
      links: [{ entityType: 'COMPANY', entityId: first.customer.companyId }],
      by: first.owner,
      at: later(first.customer.createdAt),
    },
    {
      name: 'Users to bring over.csv',
      contentType: 'text/csv',
      content: users(second),
      links: [{ entityType: 'DEAL', entityId: second.id }],
      by: second.owner,
      at: later(second.createdAt),
    },
    {
      name: 'Notes of the trade fair.txt',
      contentType: 'text/plain',
      content: Buffer.from(
        `${lead.name}\n\nMet at our stand. They count stock by hand and want to stop.\nDecision in the next quarter, about 40 users.\n`,
      ),
      links: [{ entityType: 'LEAD', entityId: lead.id }],
      by: lead.owner,
      at: later(lead.createdAt),
    },
    {
      name: 'Agenda.txt',
      contentType: 'text/plain',
      content: Buffer.from('1. Who is who\n2. What works today, and what does not\n3. Dates\n4. Questions\n'),
      links: [{ entityType: 'TASK', entityId: task.id }],
      by: task.owner,
      at: later(task.createdAt),
    },
  ]
  for (const file of files) await shelf.add(tx, place, history, file)
}

function requirements({ name, customer }: DemoDeal): Uint8Array {
  const points = [
    'Every colleague signs in with their own account.',
    'Stock is counted with scanners, also without a network.',
    'Invoices go to accounting every night.',
    'Our data of the last five years is brought over.',
  ]
  return writeSheet('Requirements', [
    name,
    customer.company.name,
    '',
    ...points.map((point, at) => `${at + 1}. ${point}`),
  ])
}

function users({ customer: { contacts } }: DemoDeal): Uint8Array {
  const rows = contacts.map(({ person: { firstName, lastName, email, jobTitle } }) =>
    [firstName, lastName, email, jobTitle].map((value) => `"${value}"`).join(','),
  )
  return Buffer.from(['firstName,lastName,email,jobTitle', ...rows, ''].join('\n'))
}
