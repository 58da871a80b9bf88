import { lead } from '@crm/model'
import { newId, schema, type Executor } from '@crm/db'
import type { DemoDeal } from './customers.ts'
import type { History, RecordRef } from './history.ts'
import type { DemoLead } from './leads.ts'
import type { Member } from './members.ts'
import { between, daysAhead, madeBy, type Place } from './place.ts'

/** The records that activities and tasks are about. */
export interface Subjects {
  readonly leads: readonly DemoLead[]
  readonly deals: readonly DemoDeal[]
}

/** A record that somebody works on, with everything that an activity or a task on it refers to. */
interface Subject {
  readonly owner: Member
  readonly createdAt: string
  readonly links: readonly RecordRef[]
}

const plots = [
  {
    type: 'CALL',
    kind: 'CALL_LOGGED',
    minutes: 15,
    subject: 'Call about the offer',
    body: 'Explained the packages; they compare us with one other supplier.',
    outcome: 'Interested, wants numbers in writing',
  },
  {
    type: 'CALL',
    kind: 'CALL_LOGGED',
    minutes: 10,
    subject: 'First call',
    body: 'Short introduction and a look at what they use today.',
    outcome: 'Agreed on a demonstration',
  },
  {
    type: 'MEETING',
    kind: 'MEETING_SCHEDULED',
    minutes: 60,
    subject: 'Demonstration',
    body: 'Showed the product to the whole team.',
    outcome: 'Two questions about the integration are open',
  },
  {
    type: 'MEETING',
    kind: 'MEETING_SCHEDULED',
    minutes: 45,
    subject: 'Contract details',
    body: 'Went through terms, start and support.',
    outcome: 'They send their changes this week',
  },
  {
    type: 'EMAIL',
    kind: 'EMAIL_SENT',
    minutes: 0,
    subject: 'Price list and references',
    body: 'Sent the price list and two references from the same trade.',
    outcome: null,
  },
  {
    type: 'NOTE',
    kind: 'NOTE_ADDED',
    minutes: 0,
    subject: 'Decision makers',
    body: 'Operations decides, finance has to agree above 10,000.',
    outcome: null,
  },
] as const

const remarks = [
  'Asked for a call next week.',
  'Wants the price list before deciding.',
  'Met at the trade fair; very interested in the integration.',
  'Has a budget, needs approval of the board.',
  'Currently with another supplier until the end of the quarter.',
  'Prefers to be called in the morning.',
]

/** Adds calls, meetings, emails and notes on leads and deals, some of them planned, and the comments of colleagues. */
export async function addActivities(tx: Executor, place: Place, subjects: Subjects, history: History): Promise<void> {
  const { workspaceId, random, now } = place
  const made = subjectsOf(place, subjects).flatMap((subject) =>
    Array.from({ length: 1 + random.below(3) }, () => inventActivity(place, subject)),
  )
  await tx.insert(schema.activities).values(made.map(({ row }) => row))
  await tx
    .insert(schema.recordLinks)
    .values(
      made.flatMap(({ row, subject }) =>
        subject.links.map((link) => ({ workspaceId, fromType: 'ACTIVITY' as const, fromId: row.id, ...link })),
      ),
    )
  for (const { row, kind, subject } of made) {
    const { type, direction, status, startAt, endAt } = row
    history.add(
      ...subject.links.map((link) => ({
        ...link,
        kind,
        at: row.createdAt,
        by: subject.owner,
        data: { type, direction, status, startAt, endAt },
        relatedType: 'ACTIVITY',
        relatedId: row.id,
      })),
    )
    history.add({ entityType: 'ACTIVITY', entityId: row.id, kind: 'CREATED', at: row.createdAt, by: subject.owner })
  }
  for (const {
    owner,
    createdAt,
    links: [main],
  } of subjectsOf(place, subjects)) {
    if (main && random.chance(0.4))
      history.comment(main, random.pick(remarks), between(place, createdAt, now.toISOString()), owner)
  }
}

function subjectsOf({ random }: Place, { leads, deals }: Subjects): Subject[] {
  const ofLeads = leads
    .filter(() => random.chance(0.3))
    .map(({ id, owner, createdAt }) => ({ owner, createdAt, links: [{ entityType: lead.entity, entityId: id }] }))
  return [...ofLeads, ...deals.map(toSubject)]
}

/** Returns a deal with the people and the company that it is about. */
export function toSubject({ id, owner, createdAt, contactId, customer }: DemoDeal): Subject {
  const links = [
    { entityType: 'DEAL', entityId: id },
    { entityType: 'CONTACT', entityId: contactId },
    { entityType: 'COMPANY', entityId: customer.companyId },
  ]
  return { owner, createdAt, links }
}

function inventActivity(place: Place, subject: Subject) {
  const { workspaceId, random, now } = place
  const plot = random.pick(plots)
  const isAhead = plot.minutes > 0 && random.chance(0.15)
  const happenedAt = between(place, subject.createdAt, now.toISOString())
  const startAt = isAhead ? daysAhead(place, 1 + random.below(14)) : happenedAt
  const endAt = new Date(Date.parse(startAt) + plot.minutes * 60_000).toISOString()
  const row = {
    workspaceId,
    id: newId(),
    type: plot.type,
    subject: plot.subject,
    body: isAhead ? null : plot.body,
    outcome: isAhead ? null : plot.outcome,
    direction: directionOf(place, plot.type),
    status: isAhead ? ('PLANNED' as const) : ('DONE' as const),
    startAt,
    endAt,
    happenedAt: isAhead ? null : ([endAt, now.toISOString()].toSorted()[0] as string),
    ...madeBy(subject.owner, happenedAt),
  }
  return { row, kind: plot.kind, subject }
}

function directionOf({ random }: Place, type: (typeof plots)[number]['type']): 'IN' | 'OUT' | null {
  if (type === 'EMAIL') return 'OUT'
  return type === 'CALL' ? random.pick(['IN', 'OUT'] as const) : null
}
