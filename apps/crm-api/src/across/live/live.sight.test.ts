import type { RecordHolders, ScopeFacts } from '@crm/db'
import { describe, expect, it } from 'vitest'
import { actionFor, eventsFor, holdersBefore } from './live.sight.ts'

const me = 'me'
const scope = (level: ScopeFacts['level']): ScopeFacts => ({
  workspaceId: 'w',
  level,
  employeeId: me,
  departmentId: 'sales',
  departmentTreeIds: ['sales', 'north'],
})
const mine: RecordHolders = { ownerId: me, departmentId: 'sales' }
const colleagues: RecordHolders = { ownerId: 'pat', departmentId: 'sales' }
const strangers: RecordHolders = { ownerId: 'eve', departmentId: 'legal' }
const record = (firstKind: string, now: RecordHolders | undefined, before?: RecordHolders, isDeleted = false) => ({
  entityType: 'LEAD',
  entityId: 'a',
  firstKind,
  before,
  now: now && { holders: now, isDeleted },
})

describe('what a change means to a person', () => {
  it.each([
    ['a new record of theirs', 'OWN', record('CREATED', mine), 'CREATED'],
    ['a restored record', 'OWN', record('RESTORED', mine), 'CREATED'],
    ['a change', 'OWN', record('UPDATED', mine), 'UPDATED'],
    ['a record handed to them', 'OWN', record('OWNER_CHANGED', mine, strangers), 'CREATED'],
    ['a record handed away', 'OWN', record('OWNER_CHANGED', strangers, mine), 'DELETED'],
    ['a record handed on within the department', 'DEPARTMENT', record('OWNER_CHANGED', colleagues, mine), 'UPDATED'],
    ['a record that left the department', 'DEPARTMENT', record('OWNER_CHANGED', strangers, colleagues), 'DELETED'],
    ['a deleted record', 'OWN', record('DELETED', mine, undefined, true), 'DELETED'],
    ['a record created and deleted at once', 'ALL', record('CREATED', mine, undefined, true), undefined],
    ['a record of others', 'OWN', record('UPDATED', colleagues), undefined],
    ['a deleted record of others', 'DEPARTMENT', record('DELETED', strangers, undefined, true), undefined],
    [
      'a record handed from one stranger to another',
      'DEPARTMENT',
      record('OWNER_CHANGED', strangers, strangers),
      undefined,
    ],
    ['a record removed for good', 'ALL', record('DELETED', undefined), undefined],
    ['a change without a level', 'NONE', record('UPDATED', mine), undefined],
  ] as const)('%s', (_what, level, changed, action) => {
    expect(actionFor(scope(level), changed)).toBe(action)
  })

  it('gathers ids by kind and action, and names none of too many', () => {
    const many = Array.from({ length: 4 }, (_, n) => ({ ...record('UPDATED', mine), entityId: `${n}` }))
    const other = { ...record('CREATED', mine), entityType: 'DEAL', entityId: 'd' }
    expect(
      eventsFor((type) => (type === 'LEAD' || type === 'DEAL' ? scope('ALL') : null), [...many, other], 3),
    ).toEqual([
      { entityType: 'LEAD', action: 'UPDATED', ids: null },
      { entityType: 'DEAL', action: 'CREATED', ids: ['d'] },
    ])
    expect(eventsFor(() => null, many, 3)).toEqual([])
  })
})

describe('the holders before changes', () => {
  it('are those before the first change, in the department of that owner', () => {
    const changes = [
      { field: 'ownerId', from: 'pat', to: 'eve' },
      { field: 'ownerId', from: 'eve', to: me },
      { field: 'assigneeId', from: null, to: 'eve' },
    ]
    expect(holdersBefore({ ...mine, assigneeId: 'eve' }, changes, new Map([['pat', 'north']]))).toEqual({
      ownerId: 'pat',
      departmentId: 'north',
      assigneeId: null,
    })
    const none = [{ field: 'ownerId', from: null, to: me }]
    expect(holdersBefore(mine, none, new Map())).toEqual({ ownerId: null, departmentId: null })
  })
})
