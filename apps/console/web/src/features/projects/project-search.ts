import { projectStatuses } from '@crm/contract'

/** What the address of the projects says; what it leaves out is as usual. */
export interface ProjectSearch {
  readonly search?: string
  readonly status?: (typeof projectStatuses)[number]
  readonly page?: number
}

export const projectPageSize = 50

/** Reads the address; what makes no sense is left out, as if it had not been written. */
export function readProjectSearch(raw: Readonly<Record<string, unknown>>): ProjectSearch {
  const page = Number(raw['page'])
  const search = typeof raw['search'] === 'string' ? raw['search'].trim().slice(0, 200) : ''
  const status = projectStatuses.find((known) => known === raw['status'])
  return {
    ...(search === '' ? {} : { search }),
    ...(status === undefined ? {} : { status }),
    ...(Number.isSafeInteger(page) && page > 1 && page < 1_000_000 ? { page } : {}),
  }
}
