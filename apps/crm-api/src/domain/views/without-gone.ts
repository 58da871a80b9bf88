import { customFieldPrefix } from '@crm/contract'

/** What a view asks a list for. */
interface Asked {
  readonly query: Readonly<Record<string, string>>
  readonly sortBy: string | null
}

/** What a view asks for without custom fields that are gone, and their names. */
export interface StillThere {
  readonly query: Record<string, string>
  readonly sortBy: string | null
  readonly gone: readonly string[]
}

/**
 * Returns what a view asks for without the conditions and orders by custom fields that are gone; a group of conditions without members goes
 * as well.
 * @param keys of the custom fields that are there
 */
export function withoutGone({ query, sortBy }: Asked, keys: ReadonlySet<string>): StillThere {
  const gone = new Set<string>()
  const isThere = (name: string): boolean => {
    if (!name.startsWith(customFieldPrefix)) return true
    const key = name.slice(customFieldPrefix.length)
    if (keys.has(key) || keys.has(key.replace(/(?:Min|Max|From|To)$/, ''))) return true
    gone.add(name)
    return false
  }
  const kept = Object.entries(query).flatMap(([name, value]): [string, string][] => {
    if (!isThere(name)) return []
    const left = name === 'filter' ? filterWith(value, isThere) : name === 'thenBy' ? orderWith(value, isThere) : value
    return left === '' ? [] : [[name, left]]
  })
  return {
    query: Object.fromEntries(kept),
    sortBy: sortBy !== null && isThere(sortBy) ? sortBy : null,
    gone: [...gone],
  }
}

type IsThere = (name: string) => boolean

function orderWith(order: string, isThere: IsThere): string {
  return order
    .split(',')
    .filter((level) => isThere(level.trim().replace(/^-|:[^]*/g, '')))
    .join(',')
}

/** Returns a structured filter without the conditions on fields that are gone, empty where none is left. */
function filterWith(filter: string, isThere: IsThere): string {
  const left = conditionWith(JSON.parse(filter), isThere)
  return left === undefined ? '' : JSON.stringify(left)
}

function conditionWith(condition: unknown, isThere: IsThere): unknown {
  if (condition === null || typeof condition !== 'object') return condition
  if ('field' in condition) return isThere(String(condition.field)) ? condition : undefined
  const groups = Object.entries(condition).map(([match, members]: [string, unknown]) => [
    match,
    Array.isArray(members)
      ? members.map((one) => conditionWith(one, isThere)).filter((one) => one !== undefined)
      : members,
  ])
  return groups.every(([, members]) => Array.isArray(members) && members.length === 0)
    ? undefined
    : Object.fromEntries(groups)
}
