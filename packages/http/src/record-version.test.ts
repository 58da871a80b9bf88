import { declaredOperations, leads, tasks, type DeclaredOperation } from '@crm/contract'
import type { FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { versionCheckOf } from './record-version.ts'

const operations = declaredOperations({ leads, tasks })
const named = (id: string) => operations.find((one) => one.id === id) as DeclaredOperation
const check = (ifMatch: string | undefined, id = 'leads.update') =>
  versionCheckOf({ declared: named(id), request: { headers: { 'if-match': ifMatch } } as FastifyRequest })

it.each([
  undefined,
  '"7"',
  ' "7" ',
  '*',
  '"6", "7"',
  '"a,b", "7"',
  '"6","7" ,"8"',
  'W/"7", "7"',
  'W/"7"',
  '"6", W/"7"',
])('lets version 7 pass for %s', (ifMatch) => expect(() => check(ifMatch)(7)).not.toThrow())

it.each(['"6"', 'W/"6"', '7', '', '"77"', '"7', '"6", W/"5"', '"07"', '"*"', '"6,7"'])(
  'refuses version 7 for %s',
  (ifMatch) =>
    expect(() => check(ifMatch)(7)).toThrow(
      expect.objectContaining({ code: 'PRECONDITION_FAILED', status: 412 }) as Error,
    ),
)

it.each(['leads.create', 'leads.bulkUpdate', 'leads.list'])('has no say in %s', (id) =>
  expect(() => check('"6"', id)(7)).not.toThrow(),
)
