import { newId } from '@crm/db'
import type { DemoDeal, DemoLead, Subject } from './sales.ts'
import { addLinks, addRecords, between, daysAhead, soonest, type RecordRef, type Story } from './story.ts'

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
export async function addActivities(
  story: Story,
  leads: readonly DemoLead[],
  deals: readonly DemoDeal[],
): Promise<void> {
  const { random, now, history } = story
  const subjects = [...leads.filter(() => random.chance(0.3)), ...deals]
  const made = subjects.flatMap((subject) =>
    Array.from({ length: 1 + random.below(3) }, () => inventActivity(story, subject)),
  )
  await addRecords(
    story,
    'ACTIVITY',
    made.map(({ row }) => row),
  )
  await addLinks(
    story,
    'ACTIVITY',
    made.map(({ row, subject }) => ({ fromId: row.id, to: subject.links })),
  )
  for (const { row, kind, subject } of made) {
    const { id, by, at, type, direction, status, startAt, endAt } = row
    const data = { type, direction, status, startAt, endAt }
    const told = { kind, at, by, data, relatedType: 'ACTIVITY', relatedId: id }
    history.add(...subject.links.map((link) => ({ ...link, ...told })))
  }
  for (const { owner, createdAt, links } of subjects)
    if (random.chance(0.4))
      history.comment(links[0] as RecordRef, random.pick(remarks), between(story, createdAt, now), owner)
}

function inventActivity(story: Story, subject: Subject) {
  const { random, now } = story
  const { type, kind, minutes, subject: title, body, outcome } = random.pick(plots)
  const isAhead = minutes > 0 && random.chance(0.15)
  const at = between(story, subject.createdAt, now)
  const startAt = isAhead ? daysAhead(story, 1 + random.below(14)) : at
  const endAt = new Date(Date.parse(startAt) + minutes * 60_000).toISOString()
  const row = {
    id: newId(),
    by: subject.owner,
    at,
    type,
    subject: title,
    body: isAhead ? null : body,
    outcome: isAhead ? null : outcome,
    direction: type === 'EMAIL' ? ('OUT' as const) : type === 'CALL' ? random.pick(['IN', 'OUT'] as const) : null,
    status: isAhead ? ('PLANNED' as const) : ('DONE' as const),
    startAt,
    endAt,
    happenedAt: isAhead ? null : soonest(endAt, now),
  }
  return { row, kind, subject }
}
