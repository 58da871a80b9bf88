import { expect, it } from 'vitest'
import { accessOf, describeReach, permissionRows, reachableKinds, rulesFor } from './access-words.ts'

const scope = (name: string) => ({ name, group: '', description: '', write: !name.startsWith('VIEW_') })
const groups = [
  { group: 'Leads', scopes: ['VIEW_LEAD', 'CREATE_LEAD', 'UPDATE_LEAD', 'DELETE_LEAD'].map(scope) },
  { group: 'Deals', scopes: ['VIEW_DEAL', 'CREATE_DEAL'].map(scope) },
  { group: 'Workspace', scopes: ['VIEW_REFERENCE_DATA', 'MANAGE_USERS'].map(scope) },
]

it('asks for the reach of those rights only that are given and have one', () => {
  expect(reachableKinds(groups, new Set(['VIEW_LEAD', 'DELETE_LEAD', 'CREATE_DEAL', 'MANAGE_USERS']))).toEqual([
    { entityType: 'LEAD', label: 'Leads', actions: ['VIEW', 'DELETE'] },
  ])
})

it('stores a rule for what does not reach everything', () => {
  const kinds = reachableKinds(groups, new Set(['VIEW_LEAD', 'VIEW_DEAL']))
  const access = accessOf([
    { entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'ALL', DELETE: 'NONE' },
    { entityType: 'DEAL', VIEW: 'ALL', UPDATE: 'ALL', DELETE: 'ALL' },
  ])
  expect(rulesFor(kinds, access)).toEqual([{ entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'ALL', DELETE: 'NONE' }])
  expect(rulesFor(kinds, {})).toEqual([])
})

it('puts kinds of record in a table, and says whose records a role sees', () => {
  const { rows, others } = permissionRows(groups)
  expect(rows).toEqual([
    { entityType: 'LEAD', label: 'Leads', givable: ['VIEW', 'CREATE', 'UPDATE', 'DELETE'] },
    { entityType: 'DEAL', label: 'Deals', givable: ['VIEW', 'CREATE'] },
  ])
  expect(others.map(({ group }) => group)).toEqual(['Workspace'])
  const both = new Set(['VIEW_LEAD', 'VIEW_DEAL'])
  expect(describeReach(rows, both, {})).toBe('Sees everyone’s leads and deals.')
  expect(describeReach(rows, both, { LEAD: { VIEW: 'OWN' } })).toBe('Sees everyone’s deals; only own leads.')
  expect(describeReach(rows, new Set(), {})).toBe('Sees no records.')
  const changing = new Set(['UPDATE_LEAD'])
  expect(describeReach(rows, changing, { LEAD: { UPDATE: 'DEPARTMENT' } }, 'UPDATE')).toBe(
    'Changes the own department’s leads.',
  )
  expect(describeReach(rows, both, {}, 'UPDATE')).toBe('Changes nothing.')
})
