import { publicContract } from './contract.ts'
import type { Operation, Resource } from './operation.ts'

/** The operations with which automation works on one kind of record; what a kind lacks is undefined. */
export interface RecordOperations {
  readonly create: Operation | undefined
  readonly update: Operation | undefined
  readonly list: Operation | undefined
}

/** Finds the operations of an entity type by the permission that its create or list asks for; undefined when the API has none. */
export function recordOperations(entityType: string): RecordOperations | undefined {
  for (const { operations } of Object.values<Resource>(publicContract)) {
    const { create, update, list } = operations
    if (asksFor(create, `CREATE_${entityType}`) || asksFor(list, `VIEW_${entityType}`)) return { create, update, list }
  }
  return undefined
}

function asksFor(operation: Operation | undefined, permission: string): boolean {
  const { access } = operation ?? {}
  return typeof access === 'object' && 'all' in access && access.all.length === 1 && (access.all[0] as string) === permission
}
