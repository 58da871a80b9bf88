import { expect, it } from 'vitest'
import { expiryOf, keyState, readingScopes, scopeGroups, summarizeScopes } from './scope-words.ts'

const scope = (name: string, group: string) => ({ name, group, description: name, write: !name.startsWith('VIEW_') })
const allScopes = [
  scope('VIEW_LEAD', 'Leads'),
  scope('CREATE_LEAD', 'Leads'),
  scope('VIEW_DEAL', 'Deals'),
  scope('MANAGE_ROLES', 'Workspace'),
]

it('offers what the person holds, by group', () => {
  const groups = scopeGroups({ allScopes, owned: ['VIEW_LEAD', 'CREATE_LEAD', 'MANAGE_ROLES'] })
  expect(groups.map(({ group, scopes }) => [group, scopes.length])).toEqual([
    ['Leads', 2],
    ['Workspace', 1],
  ])
  expect(readingScopes(groups)).toEqual(['VIEW_LEAD'])
})

it.each([
  [[], 'None'],
  [['VIEW_LEAD'], '1 of 3 areas, read only'],
  [['VIEW_LEAD', 'CREATE_LEAD'], '1 of 3 areas, 1 can be changed'],
  [['VIEW_LEAD', 'CREATE_LEAD', 'VIEW_DEAL', 'MANAGE_ROLES'], 'Everything'],
])('sums up %j', (scopes, words) => {
  expect(summarizeScopes(scopes, allScopes)).toBe(words)
})

it('knows when a key ends and whether it has ended', () => {
  const now = Date.parse('2026-05-20T12:00:00.000Z')
  expect(expiryOf('30', now)).toBe('2026-06-19T12:00:00.000Z')
  expect(expiryOf('', now)).toBeNull()
  expect(keyState({ revokedAt: null, expiresAt: null }, now)).toBe('active')
  expect(keyState({ revokedAt: null, expiresAt: '2026-05-20T12:00:00.000Z' }, now)).toBe('expired')
  expect(keyState({ revokedAt: '2026-05-01T00:00:00.000Z', expiresAt: null }, now)).toBe('revoked')
})
