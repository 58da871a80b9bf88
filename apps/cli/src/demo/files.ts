import type { Member } from './members.ts'
import { drawPicture, type Color } from './picture.ts'
import type { DemoDeal, DemoLead } from './sales.ts'
import { writeSheet } from './sheet.ts'
import { between, type RecordRef, type Story } from './story.ts'

const wall: Color = [73, 80, 87]
const shelf: Color = [116, 192, 252]
const floorPlan = drawPicture(
  640,
  400,
  [248, 249, 250],
  [
    { x: 20, y: 20, width: 600, height: 8, color: wall },
    { x: 20, y: 372, width: 600, height: 8, color: wall },
    { x: 20, y: 20, width: 8, height: 360, color: wall },
    { x: 612, y: 20, width: 8, height: 360, color: wall },
    { x: 400, y: 20, width: 8, height: 220, color: wall },
    ...[60, 130, 200, 270].map((y) => ({ x: 60, y, width: 280, height: 36, color: shelf })),
    { x: 450, y: 70, width: 120, height: 70, color: [255, 224, 102] as const },
  ],
)

const points = [
  'Every colleague signs in with their own account.',
  'Stock is counted with scanners, also without a network.',
  'Invoices go to accounting every night.',
  'Our data of the last five years is brought over.',
]
const notes =
  'Met at our stand. They count stock by hand and want to stop.\nDecision in the next quarter, about 40 users.\n'
const agenda = '1. Who is who\n2. What works today, and what does not\n3. Dates\n4. Questions\n'

/** Adds the files of customers and colleagues to their records: sheets, a drawing, tables and notes. */
export async function addFiles(
  story: Story,
  [lead]: readonly DemoLead[],
  [first, second]: readonly DemoDeal[],
  [task]: readonly { readonly id: string; readonly by: Member; readonly at: string }[],
): Promise<void> {
  if (!first || !second || !lead || !task) throw new Error('There is nothing that files could belong to')
  const { customer } = first
  const company = { entityType: 'COMPANY', entityId: customer.id }
  const ofTask = { owner: task.by, createdAt: task.at, links: [{ entityType: 'TASK', entityId: task.id }] }
  const sheet = writeSheet('Requirements', [
    first.name,
    customer.company.name,
    '',
    ...points.map((point, at) => `${at + 1}. ${point}`),
  ])
  await put(story, 'Requirements.pdf', 'application/pdf', sheet, first)
  await put(story, 'Warehouse plan.png', 'image/png', floorPlan, { ...customer, links: [company] })
  await put(story, 'Users to bring over.csv', 'text/csv', users(second), { ...second, links: second.links.slice(0, 1) })
  await put(story, 'Notes of the trade fair.txt', 'text/plain', Buffer.from(`${lead.companyName}\n\n${notes}`), lead)
  await put(story, 'Agenda.txt', 'text/plain', Buffer.from(agenda), ofTask)
}

/** Adds a file to records that somebody works on. */
async function put(
  story: Story,
  name: string,
  contentType: string,
  content: Uint8Array,
  on: { readonly owner: Member; readonly createdAt: string; readonly links: readonly RecordRef[] },
): Promise<void> {
  const at = between(story, on.createdAt, story.now)
  await story.shelf.add(story, { name, contentType, content, links: on.links, by: on.owner, at })
}

function users({ customer: { contacts } }: DemoDeal): Uint8Array {
  const rows = contacts.map(({ person: { firstName, lastName, email, jobTitle } }) =>
    [firstName, lastName, email, jobTitle].map((value) => `"${value}"`).join(','),
  )
  return Buffer.from(['firstName,lastName,email,jobTitle', ...rows, ''].join('\n'))
}
