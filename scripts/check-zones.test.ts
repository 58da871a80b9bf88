import { expect, it } from 'vitest'
import { findBorrowedFormats, findZonesInSql } from './check-zones.ts'

const found = (code: string) => findZonesInSql([{ path: 'apps/x/src/a.ts', code, isTest: false }]).length > 0

it.each([
  'sql`${table.at} AT TIME ZONE ${timezone}`',
  'sql`${table.at} at time  zone w.timezone`',
  "'SELECT now() AT TIME ZONE ''Europe/Berlin'''",
  "sql`date_trunc('day', ${table.at}, ${timezone})`",
  "sql`date_trunc('day', coalesce(a, b), 'CET')`",
  "sql`SELECT date_add(at, interval '1 day', ${zone})`",
  'sql`SELECT timezone(${zone}, at)`',
  "client.query(`SET TIME ZONE 'CET'`)",
  "client.query('SET LOCAL timezone = ' + zone)",
  'sql`SELECT name FROM pg_timezone_names`',
])('refuses %s', (code) => {
  expect(found(code)).toBe(true)
})

it.each([
  "sql`to_char(at AT TIME ZONE 'UTC', 'YYYY')`",
  "sql`date_trunc('day', ${local})`",
  "sql`date_trunc('day', ${local} + ${shift}) - ${shift}, 'x'`",
  "client.query(`SET timezone = 'UTC'`)",
  'isTimezone(name)',
  'set({ timezone: name })',
])('takes %s', (code) => {
  expect(found(code)).toBe(false)
})

it('refuses dates for machines in the format of a language', () => {
  const file = (code: string) => [{ path: 'apps/x/web/a.js', code, isTest: false }]
  expect(findBorrowedFormats(file("new Intl.DateTimeFormat('en-CA').format(at)"))).toHaveLength(1)
  expect(findBorrowedFormats(file("new Intl.DateTimeFormat('en').formatToParts(at)"))).toEqual([])
})
