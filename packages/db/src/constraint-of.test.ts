import { DatabaseError } from 'pg'
import { expect, it } from 'vitest'
import { brokenReference } from './broken-reference.ts'
import { brokenConstraint } from './transaction.ts'

/** An error as the coordinator of a distributed database passes it on: without the name of the constraint. */
function passedOn(code: string, message: string, detail?: string): Error {
  const error = new DatabaseError(message, 0, 'error')
  return new Error('Failed query', { cause: Object.assign(error, { code, detail }) })
}

it.each([
  ['duplicate key value violates unique constraint "products_sku_102345"', 'products_sku'],
  ['duplicate key value violates unique constraint "pipelines_name_folded_102345"', 'pipelines_name'],
  ['conflicting key value violates exclusion constraint "bookings_no_overlap_102345"', 'bookings_no_overlap'],
  ['new row for relation "leads_102345" violates check constraint "leads_score_102345"', 'leads_score'],
  ['duplicate key value violates unique constraint "sessions_2024"', 'sessions_2024'],
  ['canceling statement due to lock timeout', undefined],
])('finds the constraint in: %s', (message, constraint) => {
  expect(brokenConstraint(passedOn('23505', message))).toBe(constraint)
})

it('finds the column whose row is missing', () => {
  const error = passedOn(
    '23503',
    'insert or update on table "leads_102345" violates foreign key constraint "leads_owner_102345"',
    'Key (workspace_id, owner_id)=(1, 2) is not present in table "employees_102007".',
  )
  expect(brokenReference(error)).toBe('ownerId')
})
