import * as z from 'zod'
import { publicContract } from './contract.ts'
import type { Operation, Resource } from './operation.ts'
import { comment } from './resources/comments.ts'
import { bookingRecord } from './resources/settings/booking.ts'
import { user } from './resources/settings/people.ts'
import { finishedImport } from './resources/settings/transfers.ts'

/** The operations by which other parts work with one kind of record; an operation that the kind lacks is undefined. */
export interface RecordOperations {
  readonly create: Operation | undefined
  readonly update: Operation | undefined
  readonly list: Operation | undefined
  readonly summary: Operation | undefined
  readonly bulkUpdate: Operation | undefined
  /** The values of the path parameters other than `{id}`. */
  readonly pathParams: Readonly<Record<string, string>>
}

/** The records of all custom entities live under one path. */
const customRecordsPath = '/api/custom-entities/{key}/records'

/**
 * Finds the operations of an entity type by the permission that its create or list asks for; undefined when the API has none.
 *
 * A type without a resource of its own is taken for the key of a custom entity, in capitals as in its permissions.
 */
export function recordOperations(entityType: string): RecordOperations | undefined {
  const resources = Object.values<Resource>(publicContract)
  const own = resources.find(
    ({ operations: { create, list } }) =>
      asksFor(create, `CREATE_${entityType}`) || asksFor(list, `VIEW_${entityType}`),
  )
  if (own) return pick(own, {})
  const custom = resources.find(({ operations }) => operations['list']?.path === customRecordsPath)
  return custom && pick(custom, { key: entityType.toLowerCase() })
}

function pick(
  { operations: { create, update, list, summary, bulkUpdate } }: Resource,
  pathParams: Readonly<Record<string, string>>,
): RecordOperations {
  return { create, update, list, summary, bulkUpdate, pathParams }
}

/** Whether records of an entity type have an owner that a change can set. */
export function hasSettableOwner(entityType: string): boolean {
  const body = recordOperations(entityType)?.update?.body
  return body instanceof z.ZodObject && 'ownerId' in body.shape
}

/** Returns the fields that a bulk operation can set; `customFields` stands for every custom field. */
export function bulkFields(entityType: string): readonly string[] {
  const body = recordOperations(entityType)?.bulkUpdate?.body
  const set = body instanceof z.ZodObject ? body.shape['set'] : undefined
  const fields = set instanceof z.ZodOptional ? set.unwrap() : undefined
  return fields instanceof z.ZodObject ? Object.keys(fields.shape) : []
}

/** Bounded: one for each entity type that the API shows. */
const fieldsByType = new Map<string, ReadonlySet<string>>()

/** Returns the fields of an entity type's records that the API shows; automation gets no others. */
export function shownFields(entityType: string): ReadonlySet<string> {
  const known = fieldsByType.get(entityType)
  if (known) return known
  const record = shownRecord(entityType)
  if (!record) return new Set()
  const fields = new Set(Object.keys(record.shape))
  fieldsByType.set(entityType, fields)
  return fields
}

/** Returns the schema of an entity type's record as the API shows it; undefined when the API shows none. */
export function shownRecord(entityType: string): z.ZodObject | undefined {
  if (entityType === 'COMMENT') return comment
  if (entityType === 'BOOKING') return bookingRecord
  if (entityType === 'EMPLOYEE') return user
  if (entityType === 'IMPORT') return finishedImport
  const { update } = recordOperations(entityType) ?? {}
  const body = update?.reply.body
  const record = body instanceof z.ZodObject ? body.shape['data'] : undefined
  return record instanceof z.ZodObject ? record : undefined
}

/** Returns the entity types that have operations of their own, in the order of the contract. */
export function recordEntityTypes(): string[] {
  const named = Object.values<Resource>(publicContract).flatMap(({ operations: { create, list } }) => [
    entityTypeOf(create, 'CREATE_'),
    entityTypeOf(list, 'VIEW_'),
  ])
  return [...new Set(named.filter((entityType) => entityType !== undefined))]
}

function entityTypeOf(operation: Operation | undefined, prefix: string): string | undefined {
  const permission = onlyPermission(operation)
  return permission?.startsWith(prefix) && permission !== `${prefix}REFERENCE_DATA`
    ? permission.slice(prefix.length)
    : undefined
}

function asksFor(operation: Operation | undefined, permission: string): boolean {
  return onlyPermission(operation) === permission
}

function onlyPermission(operation: Operation | undefined): string | undefined {
  const { access } = operation ?? {}
  return typeof access === 'object' && 'all' in access && access.all.length === 1 ? access.all[0] : undefined
}
