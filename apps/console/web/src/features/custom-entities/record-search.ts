/** What the address of a list of custom records says; what it leaves out is as usual. */
export interface RecordSearch {
  readonly search?: string
  readonly page?: number
}

/** Reads the address; what makes no sense is left out, as if it had not been written. */
export function readRecordSearch(raw: Readonly<Record<string, unknown>>): RecordSearch {
  const page = Number(raw['page'])
  const search = typeof raw['search'] === 'string' ? raw['search'].trim().slice(0, 200) : ''
  return {
    ...(search === '' ? {} : { search }),
    ...(Number.isSafeInteger(page) && page > 1 && page < 1_000_000 ? { page } : {}),
  }
}
