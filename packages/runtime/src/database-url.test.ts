import { expect, it } from 'vitest'
import { databaseUrl } from './database-url.ts'

const complaint = (address: string): string | undefined => databaseUrl.safeParse(address).error?.issues[0]?.message

it.each([
  'postgres://crm:secret@db:5432/crm',
  'postgresql://crm:secret@db/crm?sslmode=require',
  'postgres://crm:s%40cr%2Fet@[::1]:5432/crm',
  'postgres://crm:secret@%2Frun%2Fpostgresql:5432/crm',
  'postgres://crm@127.0.0.1/crm?application_name=x',
  'postgres://db/crm',
])('takes %s', (address) => {
  expect(complaint(address)).toBeUndefined()
})

it.each([
  ['postgres://db/crm?user=owner&password=hidden', 'The user and the password stand before the @'],
  ['postgres://db/crm?sslmode=require&user=owner', 'The user and the password stand before the @'],
  ['postgres://crm:hidden@db/crm?password=hidden', 'The user and the password stand before the @'],
  ['postgres://crm:hidden@/crm?host=/run/postgresql', '@%2Frun%2Fpostgresql:5432/DATABASE'],
  ['postgres:///crm?host=/run/postgresql', '@%2Frun%2Fpostgresql:5432/DATABASE'],
  ['postgres://crm:hidden@db/crm?host=other', 'The host stands after the @'],
  ['postgres://crm:hidden@db/crm?port=6432', 'The port stands after the host'],
  ['postgres://crm:hidden@db/?dbname=crm', 'The database stands after the last /'],
  ['postgres://crm:hidden@db', '/DATABASE'],
  ['postgres://crm:hidden@db/', '/DATABASE'],
  ['postgres://crm:hidden@/crm', '@%2Frun%2Fpostgresql:5432/DATABASE'],
  ['socket:/run/postgresql?db=crm', '@%2Frun%2Fpostgresql:5432/DATABASE'],
  ['/run/postgresql crm', '@%2Frun%2Fpostgresql:5432/DATABASE'],
  ['postgres://crm:hidden@one:5432,two:5432/crm', 'Expected one host'],
  ['postgres://crm:hidden@one,two/crm', 'Expected one host'],
  ['mysql://crm:hidden@db/crm', 'Expected postgres://'],
  ['host=db user=crm password=hidden', 'Expected postgres://'],
  ['hidden', 'Expected postgres://'],
])('refuses %s, names the right form, and shows nothing of it', (address, words) => {
  expect(complaint(address)).toContain(words)
  expect(complaint(address)).not.toContain('hidden')
})
