import { readSearchedPage } from '../../records/address-parts.ts'

/** The narrowing of the list of deleted records, as it is in the address. */
export interface DeletedSearch {
  /** The entity type; by default the first one that the person may restore. */
  readonly kind?: string
  readonly search?: string
  readonly page?: number
}

/** Reads the address; invalid parts are ignored. */
export function readDeletedSearch({ kind, ...more }: Readonly<Record<string, unknown>>): DeletedSearch {
  return {
    ...(typeof kind === 'string' && /^[A-Z][A-Z0-9_]*$/.test(kind) ? { kind } : {}),
    ...readSearchedPage(more),
  }
}

/** A record kind that a person may restore. */
export interface RestorableKind {
  readonly entityType: string
  readonly plural: string
}

/** These kinds are deleted for good, or in a way of their own. */
const notRestored: readonly string[] = ['FILE', 'EMPLOYEE', 'DEPARTMENT']

/** Returns the record kinds whose deleted records a person may see and restore. */
export function restorableKinds(
  permissions: readonly { readonly name: string; readonly group: string }[],
  usable: ReadonlySet<string>,
): RestorableKind[] {
  return permissions.flatMap(({ name, group }) => {
    const entityType = /^DELETE_(.+)$/.exec(name)?.[1]
    if (entityType === undefined || notRestored.includes(entityType)) return []
    return usable.has(name) && usable.has(`VIEW_${entityType}`) ? [{ entityType, plural: group }] : []
  })
}
