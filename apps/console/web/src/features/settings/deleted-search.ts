/** What the list of deleted records is asked for, as it stands in the address. */
export interface DeletedSearch {
  /** The entity type; the first one that the person may restore when it is left out. */
  readonly kind?: string
  readonly search?: string
  readonly page?: number
}

/** Reads the address; what makes no sense is left out. */
export function readDeletedSearch({ kind, search, page }: Readonly<Record<string, unknown>>): DeletedSearch {
  return {
    ...(typeof kind === 'string' && /^[A-Z][A-Z0-9_]*$/.test(kind) ? { kind } : {}),
    ...(typeof search === 'string' && search !== '' ? { search: search.slice(0, 200) } : {}),
    ...(Number.isSafeInteger(Number(page)) && Number(page) > 1 ? { page: Number(page) } : {}),
  }
}

/** A kind of record that somebody may restore. */
export interface RestorableKind {
  readonly entityType: string
  readonly plural: string
}

/** These are not deleted for a while but for good, or in a way of their own. */
const notRestored: readonly string[] = ['FILE', 'EMPLOYEE', 'DEPARTMENT']

/** The kinds of record whose deleted ones a person may see and bring back. */
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
