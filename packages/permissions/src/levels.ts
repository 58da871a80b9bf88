import { entityTypes } from './catalogue.ts'

/** The access levels of a role for records of one kind, from nothing to everything. */
export const accessLevels = ['NONE', 'OWN', 'DEPARTMENT', 'DEPARTMENT_TREE', 'ALL'] as const
export type AccessLevel = (typeof accessLevels)[number]

/** The actions that have an access level; creating has none. */
export const leveledActions = ['VIEW', 'UPDATE', 'DELETE'] as const
export type LeveledAction = (typeof leveledActions)[number]

/** One row of a role's `access`. */
export interface AccessRule {
  readonly entityType: string
  readonly VIEW: AccessLevel
  readonly UPDATE: AccessLevel
  readonly DELETE: AccessLevel
}

/** The grants of an employee's role. */
export interface RoleGrant {
  readonly permissions: readonly string[]
  readonly access: readonly AccessRule[]
}

/** Levels by entity type and action; the default is ALL. */
export type AccessLevels = Readonly<Record<string, Readonly<Record<LeveledAction, AccessLevel>>>>

/** Returns the wider of two levels. */
export function widest(a: AccessLevel, b: AccessLevel): AccessLevel {
  return accessLevels.indexOf(a) >= accessLevels.indexOf(b) ? a : b
}

/** Returns the narrower of two levels. */
export function narrowest(a: AccessLevel, b: AccessLevel): AccessLevel {
  return accessLevels.indexOf(a) <= accessLevels.indexOf(b) ? a : b
}

/** Returns the permissions of several roles together. */
export function unitePermissions(roles: readonly RoleGrant[]): ReadonlySet<string> {
  return new Set(roles.flatMap((role) => role.permissions))
}

/**
 * Returns the levels of several roles together: per entity type and action the widest of the roles with the permission.
 * A role counts for an action only when it grants that action's permission; an entity type that it does not name is ALL.
 * Custom entities are known only from the roles that name them; to all other roles they are ALL.
 */
export function uniteLevels(roles: readonly RoleGrant[]): AccessLevels {
  const kinds = new Set<string>([
    ...entityTypes,
    ...roles.flatMap(({ access }) => access.map(({ entityType }) => entityType)),
  ])
  return Object.fromEntries([...kinds].map((entityType) => [entityType, levelsFor(entityType, roles)]))
}

function levelsFor(entityType: string, roles: readonly RoleGrant[]): Record<LeveledAction, AccessLevel> {
  const level = (action: LeveledAction): AccessLevel =>
    roles
      .filter((role) => role.permissions.includes(`${action}_${entityType}`))
      .map((role) => role.access.find((rule) => rule.entityType === entityType)?.[action] ?? 'ALL')
      .reduce(widest, 'NONE')
  return { VIEW: level('VIEW'), UPDATE: level('UPDATE'), DELETE: level('DELETE') }
}

/** Returns the narrower of two levels for each entity type and action; an entity type that only one of them names is ALL in the other. */
export function narrowLevels(a: AccessLevels, b: AccessLevels): AccessLevels {
  const kinds = new Set([...Object.keys(a), ...Object.keys(b)])
  const narrower = (entityType: string, action: LeveledAction): AccessLevel =>
    narrowest(a[entityType]?.[action] ?? 'ALL', b[entityType]?.[action] ?? 'ALL')
  return Object.fromEntries(
    [...kinds].map((entityType) => [
      entityType,
      {
        VIEW: narrower(entityType, 'VIEW'),
        UPDATE: narrower(entityType, 'UPDATE'),
        DELETE: narrower(entityType, 'DELETE'),
      },
    ]),
  )
}

/** Returns the level of a person for an action: a change never reaches further than their view of the same records. */
export function levelFor(levels: AccessLevels, entityType: string, action: LeveledAction): AccessLevel {
  const rule = levels[entityType]
  if (!rule) return 'ALL'
  return action === 'VIEW' || rule.VIEW === 'NONE' ? rule[action] : narrowest(rule.VIEW, rule[action])
}
