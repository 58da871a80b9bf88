import { projectStatuses } from '@crm/contract'

/** The address of the projects; absent parts have their defaults. */
export interface ProjectSearch {
  readonly search?: string
  readonly status?: (typeof projectStatuses)[number]
  readonly page?: number
}

export const projectPageSize = 50

/** Reads the address; invalid parts are ignored. */
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
