import { plainKinds, resourceName, type PlainKind } from '@crm/model'
import * as z from 'zod'
import { plainResource } from './plain-resources.ts'
import { recordOf } from './standard.ts'
import { activity } from './resources/activities.ts'
import { comment } from './resources/comments.ts'
import { company } from './resources/companies.ts'
import { contact } from './resources/contacts.ts'
import { deal } from './resources/deals.ts'
import { invoice, payment } from './resources/invoices.ts'
import { lead } from './resources/leads.ts'
import { order } from './resources/orders.ts'
import { product } from './resources/products.ts'
import { project } from './resources/projects.ts'
import { quote } from './resources/quotes.ts'
import { bookingRecord } from './resources/settings/booking.ts'
import { user } from './resources/settings/people.ts'
import { finishedImport } from './resources/settings/transfers.ts'
import { task } from './resources/tasks.ts'

/** An event that rules and workflows can listen to. */
export interface ChangeEventDeclaration {
  /** For example `lead.created`. */
  readonly name: string
  /** The occasion of the event, in one sentence. */
  readonly when: string
  readonly entityType: string
  /** The record in `data`, as it is after the change. */
  readonly record: z.ZodObject
  /** The fields of `data` besides the record and `changes`. */
  readonly more?: Readonly<Record<string, z.ZodType>>
  /** The operations that emit it; imports, workflows and bookings of guests emit it likewise. */
  readonly emittedBy: readonly string[]
}

interface EntityEvents {
  readonly noun: string
  /** The noun in capitals, if it is not told. */
  readonly entityType?: string
  readonly resource: string
  readonly record: z.ZodObject
  readonly created?: readonly string[]
  readonly updated?: readonly string[]
  readonly deleted?: readonly string[]
  readonly special?: readonly (Pick<ChangeEventDeclaration, 'name' | 'when' | 'emittedBy'> &
    Pick<Partial<ChangeEventDeclaration>, 'more'>)[]
}

const bulk = (resource: string) => ({
  updated: [`${resource}.update`, `${resource}.bulkUpdate`],
  deleted: [`${resource}.delete`, `${resource}.bulkDelete`],
})
const leadMoves = ['leads.update', 'leads.bulkUpdate', 'leads.convert', 'pipelines.transfer', 'pipelines.stages.delete']
const dealMoves = ['deals.update', 'deals.bulkUpdate', 'pipelines.transfer', 'pipelines.stages.delete']

const entities: readonly EntityEvents[] = [
  {
    noun: 'lead',
    resource: 'leads',
    record: lead,
    ...bulk('leads'),
    updated: [...leadMoves, 'leads.merge'],
    deleted: ['leads.delete', 'leads.bulkDelete', 'leads.merge'],
    special: [
      { name: 'lead.stage_changed', when: 'A lead entered another stage', emittedBy: leadMoves },
      { name: 'lead.status_changed', when: 'The status of a lead changed', emittedBy: leadMoves },
      {
        name: 'lead.converted',
        when: 'A lead was converted',
        emittedBy: ['leads.convert'],
        more: { contactId: z.uuid().nullable(), companyId: z.uuid().nullable(), dealId: z.uuid().nullable() },
      },
    ],
  },
  {
    noun: 'contact',
    resource: 'contacts',
    record: contact,
    ...bulk('contacts'),
    created: ['contacts.create', 'leads.convert'],
  },
  {
    noun: 'company',
    resource: 'companies',
    record: company,
    ...bulk('companies'),
    created: ['companies.create', 'leads.convert'],
  },
  {
    noun: 'deal',
    resource: 'deals',
    record: deal,
    ...bulk('deals'),
    created: ['deals.create', 'leads.convert'],
    updated: dealMoves,
    special: [
      { name: 'deal.stage_changed', when: 'A deal entered another stage', emittedBy: dealMoves },
      { name: 'deal.won', when: 'A deal came into a stage that wins it', emittedBy: ['deals.create', ...dealMoves] },
      { name: 'deal.lost', when: 'A deal came into a stage that loses it', emittedBy: ['deals.create', ...dealMoves] },
    ],
  },
  {
    noun: 'task',
    resource: 'tasks',
    record: task.omit({ links: true, checklist: true }),
    ...bulk('tasks'),
    special: [
      {
        name: 'task.completed',
        when: 'A task was done',
        emittedBy: ['tasks.create', 'tasks.update', 'tasks.bulkUpdate'],
      },
    ],
  },
  { noun: 'project', resource: 'projects', record: project },
  { noun: 'activity', resource: 'activities', record: activity.omit({ links: true }) },
  {
    noun: 'product',
    resource: 'products',
    record: product.omit({ images: true, attributes: true }),
    ...bulk('products'),
  },
  { noun: 'quote', resource: 'quotes', record: quote },
  {
    noun: 'order',
    resource: 'orders',
    record: order,
    updated: ['orders.update', 'orders.confirm', 'orders.fulfil', 'orders.cancel'],
  },
  {
    noun: 'invoice',
    resource: 'invoices',
    record: invoice.omit({ isOverdue: true, amountDue: true, paymentLinkUrl: true }),
    updated: ['invoices.update', 'invoices.send', 'invoices.recordPayment', 'invoices.reversePayment'],
    special: [
      { name: 'invoice.issued', when: 'An invoice was issued', emittedBy: ['invoices.issue', 'invoices.send'] },
      { name: 'invoice.paid', when: 'An invoice was paid in full', emittedBy: ['invoices.recordPayment'] },
      {
        name: 'invoice.payment_recorded',
        when: 'A payment of an invoice was recorded',
        emittedBy: ['invoices.recordPayment'],
        more: { payment },
      },
      {
        name: 'invoice.payment_reversed',
        when: 'A payment of an invoice was taken back',
        emittedBy: ['invoices.reversePayment'],
        more: { payment },
      },
    ],
  },
  ...Object.values<PlainKind>(plainKinds).map((kind) => ({
    noun: kind.noun,
    entityType: kind.entity,
    resource: resourceName(kind.stem),
    record: recordOf(plainResource(kind)),
  })),
  { noun: 'employee', resource: 'settings.users', record: user },
]

/** Returns the word with which the names of the events of a kind begin. */
export const eventWord = (noun: string): string => noun.replaceAll(' ', '_')

const toDeclarations = ({
  noun,
  entityType = noun.toUpperCase(),
  resource,
  record,
  created,
  updated,
  deleted,
  special = [],
}: EntityEvents): ChangeEventDeclaration[] => {
  const of = { entityType, record }
  const word = eventWord(noun)
  const article = /^[aeiou]/.test(noun) ? 'An' : 'A'
  return [
    {
      ...of,
      name: `${word}.created`,
      when: `${article} ${noun} was created`,
      emittedBy: created ?? [`${resource}.create`],
    },
    {
      ...of,
      name: `${word}.updated`,
      when: `${article} ${noun} was changed`,
      emittedBy: updated ?? [`${resource}.update`],
    },
    {
      ...of,
      name: `${word}.deleted`,
      when: noun === 'employee' ? 'An employee was terminated' : `${article} ${noun} was deleted`,
      emittedBy: deleted ?? [`${resource}.delete`],
    },
    ...special.map((event) => ({ ...of, ...event })),
  ]
}

const ofBooking = { entityType: 'BOOKING', record: bookingRecord }

/** Every event that rules and workflows can listen to, except for custom entities, which have created, updated and deleted events too. */
export const changeEvents: readonly ChangeEventDeclaration[] = [
  ...entities.flatMap(toDeclarations),
  { ...ofBooking, name: 'booking.created', when: 'A guest booked a meeting', emittedBy: ['booking.create'] },
  { ...ofBooking, name: 'booking.rescheduled', when: 'A meeting was moved', emittedBy: ['booking.reschedule'] },
  {
    ...ofBooking,
    name: 'booking.cancelled',
    when: 'A meeting was cancelled',
    emittedBy: ['booking.cancel', 'settings.bookings.cancel'],
  },
  {
    name: 'comment.created',
    when: 'A comment was written',
    entityType: 'COMMENT',
    record: comment,
    emittedBy: ['crm.comments.create', 'tasks.comments.create'],
  },
  {
    name: 'import.finished',
    when: 'An import came to its end, once however many rows it has, and when its records are silent too',
    entityType: 'IMPORT',
    record: finishedImport,
    emittedBy: ['settings.migrations.start', 'settings.imports.create'],
  },
]

/** Returns the names of the events of a custom entity's records, by the entity's key. */
export const customEntityEvents = (key: string): readonly string[] =>
  ['created', 'updated', 'deleted'].map((verb) => `${key}.${verb}`)

/** The change of one field. */
const change = z.object({ field: z.string(), from: z.unknown(), to: z.unknown() })

/** Returns the usual body of an outbound request about an event. */
export function eventBody({ record, more = {} }: Pick<ChangeEventDeclaration, 'record' | 'more'>) {
  return z.object({
    event: z.string(),
    entityType: z.string(),
    entityId: z.uuid(),
    tenantId: z.uuid(),
    timestamp: z.iso.datetime(),
    data: z.object({ ...record.shape, ...more, changes: z.array(change) }),
  })
}
