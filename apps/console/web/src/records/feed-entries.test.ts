import type { timelineKinds } from '@crm/contract'
import { expect, it } from 'vitest'
import { feedFilters, foldAlike, foldEntries } from './feed-entries.ts'

type Kind = (typeof timelineKinds)[number]
let count = 0

const entry = (minute: number, field: string, from: string, to: string, more: object = {}) => ({
  id: `${++count}`,
  groupId: `group ${count}` as string | null,
  kind: 'UPDATED' as Kind,
  entityType: 'DEAL',
  entityId: '1',
  occurredAt: new Date(Date.UTC(2026, 10, 23, 12, minute)).toISOString(),
  actor: { id: 'ada', name: 'Ada' },
  source: 'UI',
  changes: [{ field, from, to }],
  links: [{ id: from }, { id: to }],
  ...more,
})
const of = (groupId: string, kind: Kind, entityType = 'DEAL', entityId = '1', changes: object[] = []) =>
  entry(0, '', '', '', { groupId, kind, entityType, entityId, changes })
const told = (...entries: Parameters<typeof foldEntries>[0]) =>
  foldEntries(entries).map(({ entry: { kind, entityType, entityId }, others }) => [
    kind,
    `${entityType} ${entityId}`,
    ...others.map((other) => `${other.entityType} ${other.entityId}`),
  ])

it('folds what one person changed within ten minutes, from the first value to the last', () => {
  const folded = foldEntries([entry(9, 'name', 'B', 'C'), entry(5, 'phone', '1', '2'), entry(0, 'name', 'A', 'B')])
  expect(folded).toHaveLength(1)
  expect(folded[0]?.entry).toMatchObject({
    occurredAt: '2026-11-23T12:09:00.000Z',
    changes: [
      { field: 'name', from: 'A', to: 'C' },
      { field: 'phone', from: '1', to: '2' },
    ],
  })
})

it('tells several moves of one operation as one, from the first stage to the last', () => {
  const moved = (from: string, to: string) =>
    entry(0, 'stageId', from, to, { groupId: 'moves', kind: 'STAGE_CHANGED' as Kind })
  const [only, ...more] = foldEntries([moved('Proposal', 'Won'), moved('New', 'Proposal')])
  expect(more).toEqual([])
  expect(only?.entry.changes).toEqual([{ field: 'stageId', from: 'New', to: 'Won' }])
})

it('keeps the objects that the first and the last value name', () => {
  const [folded] = foldEntries([entry(5, 'companyId', 'B', 'C'), entry(0, 'companyId', 'A', 'B')])
  expect(folded?.entry.changes).toEqual([{ field: 'companyId', from: 'A', to: 'C' }])
  expect(folded?.entry.links).toEqual(expect.arrayContaining([{ id: 'A' }, { id: 'C' }]))
})

it('says nothing of a field that is again what it was', () => {
  expect(foldEntries([entry(9, 'name', 'B', 'A'), entry(0, 'name', 'A', 'B')])).toEqual([])
})

it.each([
  ['eleven minutes later', entry(11, 'name', 'B', 'C')],
  ['somebody else', entry(5, 'name', 'B', 'C', { actor: { id: 'bo', name: 'Bo' } })],
  ['another record', entry(5, 'name', 'B', 'C', { entityId: '2' })],
  ['another kind', entry(5, 'name', 'B', 'C', { kind: 'STAGE_CHANGED' })],
  ['another way', entry(5, 'name', 'B', 'C', { source: 'API' })],
])('keeps the entry of %s apart', (_what, newer) => {
  expect(foldEntries([newer, entry(0, 'name', 'A', 'B')])).toHaveLength(2)
})

it('tells a conversion once, whatever it created', () => {
  expect(
    told(
      of('a', 'CONVERTED', 'LEAD', '7'),
      of('b', 'UPDATED', 'DEAL', '9', [{ field: 'name', from: 'A', to: 'B' }]),
      of('a', 'CREATED', 'DEAL', '2'),
      of('a', 'CREATED', 'CONTACT', '3'),
    ),
  ).toEqual([
    ['CONVERTED', 'LEAD 7'],
    ['UPDATED', 'DEAL 9'],
  ])
})

it('tells a change of many records once, and the records to which something else happened apart', () => {
  const moved = (id: string, to: string) => of('a', 'STAGE_CHANGED', 'DEAL', id, [{ field: 'stageId', from: '0', to }])
  expect(told(moved('1', 'won'), moved('2', 'won'), moved('3', 'lost'))).toEqual([
    ['STAGE_CHANGED', 'DEAL 1', 'DEAL 2'],
    ['STAGE_CHANGED', 'DEAL 3'],
  ])
})

it('tells a request that writes several entries by the one that says most, with the changes of its record', () => {
  const changes = [
    of('a', 'UPDATED', 'DEAL', '1', [{ field: 'amount', from: '1', to: '2' }]),
    of('a', 'STATUS_CHANGED', 'DEAL', '1', [{ field: 'status', from: 'OPEN', to: 'WON' }]),
    of('a', 'STAGE_CHANGED', 'DEAL', '1', [{ field: 'stageId', from: '1', to: '2' }]),
  ]
  const [one, ...more] = foldEntries(changes)
  expect(more).toEqual([])
  expect(one?.entry).toMatchObject({
    kind: 'STAGE_CHANGED',
    changes: [{ field: 'amount' }, { field: 'stageId' }],
  })
  expect(told(of('c', 'CREATED', 'TASK', '5'), of('c', 'TASK_ADDED'))).toEqual([['TASK_ADDED', 'DEAL 1']])
})

it('tells every comment by itself, and entries from before there were groups', () => {
  expect(told(of('a', 'COMMENT_ADDED'), of('a', 'BOOKING_CREATED'), of('a', 'CREATED'))).toHaveLength(2)
  const old = () => entry(0, '', '', '', { groupId: null, kind: 'CREATED', changes: [] })
  expect(foldEntries([old(), old()])).toHaveLength(2)
})

it('shows no kind of entry under two filters', () => {
  const kinds = Object.values(feedFilters).flat()
  expect(new Set(kinds).size).toBe(kinds.length)
})

it('tells what somebody did many times in a row once, with all records', () => {
  const made = (id: string, more: object = {}) =>
    entry(0, '', '', '', { kind: 'CREATED', entityType: 'TASK', entityId: id, changes: [], ...more })
  const counts = (...entries: Parameters<typeof foldEntries>[0]) =>
    foldAlike(foldEntries(entries)).map(({ others }) => others.length + 1)
  expect(counts(made('1'), made('2'), made('3'))).toEqual([3])
  expect(counts(made('1'), made('2', { source: 'WORKFLOW' }), made('3'))).toEqual([1, 1, 1])
  expect(counts(made('1'), made('2', { entityType: 'LEAD' }))).toEqual([1, 1])
  const noted = (id: string) => made(id, { kind: 'NOTE_ADDED' })
  expect(counts(noted('1'), noted('2'))).toEqual([1, 1])
})
