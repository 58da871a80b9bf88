import { taskStatuses } from '@crm/contract'

/** The address of the tasks. Absent parts have their defaults: the person's own tasks, with the earliest due date first. */
export interface TaskSearch {
  readonly whose?: 'all'
  readonly search?: string
  readonly status?: (typeof taskStatuses)[number]
  readonly projectId?: string
  readonly page?: number
}

const taskPageSize = 50

/** Reads the address; invalid parts are ignored. */
export function readTaskSearch(raw: Readonly<Record<string, unknown>>): TaskSearch {
  const page = Number(raw['page'])
  const search = typeof raw['search'] === 'string' ? raw['search'].trim().slice(0, 200) : ''
  const status = taskStatuses.find((known) => known === raw['status'])
  const projectId =
    typeof raw['projectId'] === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(raw['projectId'])
      ? raw['projectId']
      : undefined
  return {
    ...(raw['whose'] === 'all' ? { whose: 'all' as const } : {}),
    ...(search === '' ? {} : { search }),
    ...(status === undefined ? {} : { status }),
    ...(projectId === undefined ? {} : { projectId }),
    ...(Number.isSafeInteger(page) && page > 1 && page < 1_000_000 ? { page } : {}),
  }
}

/** Returns the parameters for the API. */
export function taskQueryOf({ whose, page = 1, ...filters }: TaskSearch, personId: string) {
  return {
    ...filters,
    ...(whose === 'all' ? {} : { assigneeId: personId }),
    page,
    pageSize: taskPageSize,
    sortBy: 'dueAt',
    sortOrder: 'asc',
  } as const
}
