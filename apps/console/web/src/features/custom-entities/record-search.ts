/** The address of a list of custom records; absent parts have their defaults. */
export interface RecordSearch {
  readonly search?: string
  readonly page?: number
}

/** Reads the address; invalid parts are ignored. */
export function readRecordSearch(raw: Readonly<Record<string, unknown>>): RecordSearch {
  const page = Number(raw['page'])
  const search = typeof raw['search'] === 'string' ? raw['search'].trim().slice(0, 200) : ''
  return {
    ...(search === '' ? {} : { search }),
    ...(Number.isSafeInteger(page) && page > 1 && page < 1_000_000 ? { page } : {}),
  }
}
