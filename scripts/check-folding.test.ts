import { expect, it } from 'vitest'
import { findFolding } from './check-folding.ts'

const found = (code: string, path = 'apps/crm-api/src/records/a.ts') =>
  findFolding([{ path, code, isTest: false }]).length > 0

it.each([
  'row.name.toLowerCase() === wanted',
  'new Map(rows.map(({ name }) => [name.toLowerCase(), name]))',
  'search.trim().toLowerCase()',
  'title?.toLocaleLowerCase(locale)',
  'a.label.localeCompare(b.label)',
  "text.normalize('NFD')",
  "text.replaceAll(/\\p{M}/gu, '')",
])('refuses %s', (code) => {
  expect(found(code)).toBe(true)
})

it.each(['entityType.toLowerCase()', 'value.normalize()', 'isFolded(table.name, name)', 'id.toLowerCase()'])(
  'takes %s',
  (code) => {
    expect(found(code)).toBe(false)
  },
)

it('takes what is no text of a record', () => {
  expect(found('name.toLowerCase()', 'apps/crm-api/src/resources/identity/scim/scim.filter.ts')).toBe(false)
  expect(found('name.toLowerCase()', 'apps/console/web/src/a.ts')).toBe(false)
})
