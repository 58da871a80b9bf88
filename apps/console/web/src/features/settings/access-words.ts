import { leveledActions, type AccessLevel, type LeveledAction } from '@crm/permissions'
import type { ScopeGroup } from './scope-words.ts'
import type { Role } from './settings-queries.ts'
import { inList, inSentence } from '../../base/texts.ts'
import { t } from './texts.ts'

/** The access levels in words. */
export const levelNames: Readonly<Record<AccessLevel, string>> = {
  NONE: t('No'),
  OWN: t('Own'),
  DEPARTMENT: t('Own department'),
  DEPARTMENT_TREE: t('Department and below'),
  ALL: t('Everyone’s'),
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

const actions = ['VIEW', 'CREATE', 'UPDATE', 'DELETE'] as const

/** A row of the table of permissions: a kind of record, with the rights that can be given. */
export interface PermissionRow {
  readonly entityType: string
  readonly label: string
  readonly givable: readonly (typeof actions)[number][]
}

/** Returns the kinds of record whose rights stand in the table, and the scopes that remain. */
export function permissionRows(groups: readonly ScopeGroup[]): {
  readonly rows: readonly PermissionRow[]
  readonly others: readonly ScopeGroup[]
} {
  const rows: PermissionRow[] = []
  const others: ScopeGroup[] = []
  for (const { group, scopes } of groups) {
    const names = new Set(scopes.map(({ name }) => name))
    const entityType = [...names].find((name) => name.startsWith('CREATE_'))?.slice('CREATE_'.length)
    const givable = actions.filter((action) => names.has(`${action}_${entityType}`))
    if (entityType !== undefined) rows.push({ entityType, label: group, givable })
    const rest = scopes.filter(({ name }) => !givable.some((action) => name === `${action}_${entityType}`))
    if (rest.length > 0) others.push({ group, scopes: rest })
  }
  return { rows, others }
}

const sights = {
  ALL: (records: string) => t('everyone’s {records}', { records }),
  DEPARTMENT_TREE: (records: string) => t('the department’s and its sub-departments’ {records}', { records }),
  DEPARTMENT: (records: string) => t('the own department’s {records}', { records }),
  OWN: (records: string) => t('only own {records}', { records }),
}

/** Says in one sentence whose records a role sees, or changes. */
export function describeReach(
  rows: readonly PermissionRow[],
  chosen: ReadonlySet<string>,
  access: AccessByKind,
  action: 'VIEW' | 'UPDATE' = 'VIEW',
): string {
  const reached = rows.filter(({ entityType }) => chosen.has(`${action}_${entityType}`))
  const byLevel = Map.groupBy(reached, ({ entityType }) => access[entityType]?.[action] ?? 'ALL')
  const parts = (['ALL', 'DEPARTMENT_TREE', 'DEPARTMENT', 'OWN'] as const).flatMap((level) => {
    const labels = byLevel.get(level)?.map(({ label }) => inSentence(label))
    return labels ? [sights[level](inList(labels))] : []
  })
  if (action === 'UPDATE')
    return parts.length === 0 ? t('Changes nothing.') : t('Changes {parts}.', { parts: parts.join('; ') })
  return parts.length === 0 ? t('Sees no records.') : t('Sees {parts}.', { parts: parts.join('; ') })
}
