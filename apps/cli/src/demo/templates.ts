import { newId, schema, type Executor } from '@crm/db'
import type { History } from './history.ts'
import { born, madeBy, pickOwner, type Place } from './place.ts'

const letters = [
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

/** The part of a template that the documents written from it need. */
export interface DemoTemplate {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly body: string
}

/** Adds templates from which letters and contracts are made for records. */
export async function addTemplates(tx: Executor, place: Place, history: History): Promise<DemoTemplate[]> {
  const { workspaceId } = place
  const made = letters.map(([name, kind, body]) => {
    const [by, at] = [pickOwner(place), born(place)]
    return { by, at, row: { workspaceId, id: newId(), name, kind, body, ...madeBy(by, at) } }
  })
  await tx.insert(schema.documents).values(made.map(({ row }) => row))
  history.add(...made.map(({ row, by, at }) => ({ entityType: 'DOCUMENT', entityId: row.id, kind: 'CREATED', at, by })))
  return made.map(({ row }) => row)
}
