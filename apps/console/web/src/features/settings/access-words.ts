import { leveledActions, type AccessLevel, type LeveledAction } from '@crm/permissions'
import type { ScopeGroup } from './scope-words.ts'
import type { Role } from './settings-queries.ts'

/** The access levels in words. */
export const levelNames: Readonly<Record<AccessLevel, string>> = {
  NONE: 'Nothing',
  OWN: 'Their own',
  DEPARTMENT: 'Their department',
  DEPARTMENT_TREE: 'Their department and below',
  ALL: 'Everything',
}

/** A record kind whose rights have a reach, with its granted rights. */
export interface ReachableKind {
  readonly entityType: string
  readonly label: string
  readonly actions: readonly LeveledAction[]
}

/** Levels by kind and action; an absent one stands for everything. */
export type AccessByKind = Readonly<Record<string, Readonly<Partial<Record<LeveledAction, AccessLevel>>>>>

/** Returns the levels of a role by record kind. */
export function accessOf(rules: Role['access']): AccessByKind {
  return Object.fromEntries(rules.map(({ entityType, ...levels }) => [entityType, levels]))
}

/** Returns the record kinds on which a role has a right with a reach. */
export function reachableKinds(groups: readonly ScopeGroup[], chosen: ReadonlySet<string>): ReachableKind[] {
  return groups.flatMap(({ group, scopes }) => {
    const entityType = scopes.find(({ name }) => name.startsWith('CREATE_'))?.name.slice('CREATE_'.length)
    if (entityType === undefined) return []
    const actions = leveledActions.filter((action) => chosen.has(`${action}_${entityType}`))
    return actions.length === 0 ? [] : [{ entityType, label: group, actions }]
  })
}

/** Returns the rules to store: one for each kind whose reach is limited. */
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
