import { recordOperations } from '@crm/contract'
import { ApiError, type Issue } from '@crm/errors'
import { withWordsOf, type Asker } from '@crm/http'

/** The list request of a view. */
export interface ListRequest {
  readonly query?: Readonly<Record<string, string>>
  readonly sortBy?: string | null
  readonly sortOrder?: 'asc' | 'desc' | null
}

const sorting: readonly string[] = ['sortBy', 'sortOrder', 'sort']
const notFilters: readonly string[] = [...sorting, 'page', 'pageSize', 'limit', 'cursor', 'savedFilterId']

/** Returns the order of a list as its query parameters: some lists take the order in one parameter. */
export function sortParams(
  params: Readonly<Record<string, unknown>>,
  { sortBy, sortOrder }: Pick<ListRequest, 'sortBy' | 'sortOrder'>,
): Readonly<Record<string, string>> {
  if ('sort' in params) return sortBy ? { sort: `${sortBy}:${sortOrder ?? 'desc'}` } : {}
  return { ...(sortBy ? { sortBy } : {}), ...(sortOrder ? { sortOrder } : {}) }
}

/** Refuses a request that the list itself would refuse. A missing custom field is found only when the filter is applied. */
export function checkListRequest(entityType: string, { query = {}, ...order }: ListRequest, asker: Asker): void {
  const list = recordOperations(entityType)?.list
  if (!list?.query) return
  const filters = Object.entries(query).filter(([name]) => !(list.customFields && name.startsWith('cf_')))
  const known = Object.keys(list.query.shape).filter((name) => !notFilters.includes(name))
  const unknown = filters
    .filter(([name]) => !known.includes(name))
    .map(([name]) => ({ path: ['query', name], message: 'The list has no such filter', code: 'unrecognized_keys' }))
  const asked = { ...Object.fromEntries(filters), ...sortParams(list.query.shape, order) }
  const { error } = list.query.safeParse(withWordsOf(list.query, asked, asker))
  const issues: Issue[] = [
    ...unknown,
    ...(error?.issues ?? []).map((issue) => ({ path: pathOf(issue.path), message: issue.message })),
  ]
  if (issues.length > 0) throw new ApiError('VALIDATION_ERROR', { issues })
}

function pathOf(path: readonly PropertyKey[]): string[] {
  const names = path.map(String)
  if (names[0] === 'sort') return ['sortBy']
  return names[0] && sorting.includes(names[0]) ? names : ['query', ...names]
}
