import { leveledActions, type AccessLevel, type LeveledAction } from '@crm/permissions'
import type { ScopeGroup } from './scope-words.ts'
import type { Role } from './settings-queries.ts'

/** How a level of access is shown to people. */
export const levelNames: Readonly<Record<AccessLevel, string>> = {
  NONE: 'Nothing',
  OWN: 'Their own',
  DEPARTMENT: 'Their department',
  DEPARTMENT_TREE: 'Their department and below',
  ALL: 'Everything',
}

/** A kind of record whose rights have a reach, and the rights of it that are given. */
export interface ReachableKind {
  readonly entityType: string
  readonly label: string
  readonly actions: readonly LeveledAction[]
}

/** Levels by kind and action; what is not named is everything. */
export type AccessByKind = Readonly<Record<string, Readonly<Partial<Record<LeveledAction, AccessLevel>>>>>

/** The levels of a role by kind of record. */
export function accessOf(rules: Role['access']): AccessByKind {
  return Object.fromEntries(rules.map(({ entityType, ...levels }) => [entityType, levels]))
}

/** The kinds of record of which a role may do something that has a reach. */
export function reachableKinds(groups: readonly ScopeGroup[], chosen: ReadonlySet<string>): ReachableKind[] {
  return groups.flatMap(({ group, scopes }) => {
    const entityType = scopes.find(({ name }) => name.startsWith('CREATE_'))?.name.slice('CREATE_'.length)
    if (entityType === undefined) return []
    const actions = leveledActions.filter((action) => chosen.has(`${action}_${entityType}`))
    return actions.length === 0 ? [] : [{ entityType, label: group, actions }]
  })
}

/** The rules to store: one for each kind that does not reach everything. */
export function rulesFor(kinds: readonly ReachableKind[], access: AccessByKind): Role['access'] {
  return kinds
    .map(({ entityType }) => ({
      entityType,
      VIEW: 'ALL' as const,
      UPDATE: 'ALL' as const,
      DELETE: 'ALL' as const,
      ...access[entityType],
    }))
    .filter((rule) => leveledActions.some((action) => rule[action] !== 'ALL'))
}
