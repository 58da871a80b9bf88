import { recordOperations, type FilteredEntity } from '@crm/contract'
import { ApiError, type Issue } from '@crm/errors'

/** What a saved filter asks of a list. */
export interface ListRequest {
  readonly query?: Readonly<Record<string, string>>
  readonly sortBy?: string | null
  readonly sortOrder?: 'asc' | 'desc' | null
}

const sorting: readonly string[] = ['sortBy', 'sortOrder']
const notFilters: readonly string[] = [...sorting, 'page', 'pageSize', 'limit', 'cursor', 'savedFilterId']

/** Refuses what the list itself would refuse; whether a custom field is still there shows when the filter is applied. */
export function checkListRequest(entityType: FilteredEntity, { query = {}, sortBy, sortOrder }: ListRequest): void {
  const list = recordOperations(entityType)?.list
  if (!list?.query) return
  const filters = Object.entries(query).filter(([name]) => !(list.customFields && name.startsWith('cf_')))
  const known = Object.keys(list.query.shape).filter((name) => !notFilters.includes(name))
  const unknown = filters
    .filter(([name]) => !known.includes(name))
    .map(([name]) => ({ path: ['query', name], message: 'The list has no such filter', code: 'unrecognized_keys' }))
  const asked = { ...Object.fromEntries(filters), ...(sortBy ? { sortBy } : {}), ...(sortOrder ? { sortOrder } : {}) }
  const { error } = list.query.safeParse(asked)
  const issues: Issue[] = [
    ...unknown,
    ...(error?.issues ?? []).map((issue) => ({ path: pathOf(issue.path), message: issue.message })),
  ]
  if (issues.length > 0) throw new ApiError('VALIDATION_ERROR', { issues })
}

function pathOf(path: readonly PropertyKey[]): string[] {
  const names = path.map(String)
  return names[0] && sorting.includes(names[0]) ? names : ['query', ...names]
}
