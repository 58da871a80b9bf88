import { expect, it } from 'vitest'
import { findKindTables } from './check-kinds.ts'

const found = (source: string, path = 'apps/x/src/a.ts') => findKindTables([{ path, source, isTest: false }])

it.each([
  'const icons = { LEAD: 1, DEAL: 2, CONTACT: 3 }',
  "const linked = ['LEAD', 'DEAL', 'CONTACT'] as const",
  "const f = (x) => ({ a: [{ 'QUOTE': 1, 'ORDER': 2, 'INVOICE': 3, other: 4 }] })",
])('refuses %s, and says where it stands', (source) => {
  expect(found(`\n${source}`)).toEqual([
    expect.stringMatching(/^apps\/x\/src\/a\.ts:2 says something of several kinds/),
  ])
})

it.each([
  'const two = { LEAD: 1, DEAL: 2 }',
  'const computed = { [lead.entity]: 1, [deal.entity]: 2, [contact.entity]: 3 }',
  "type Kind = 'LEAD' | 'DEAL' | 'CONTACT'",
  "const one = kinds.LEAD ?? kinds.DEAL ?? kinds['CONTACT']",
])('lets %s be', (source) => {
  expect(found(source)).toEqual([])
})

it('leaves the model alone, where kinds are declared', () => {
  expect(found('const kinds = { LEAD: 1, DEAL: 2, CONTACT: 3 }', 'packages/model/src/kinds.ts')).toEqual([])
})
