import { permissionNames, subjectOf } from './catalogue.ts'
import {
  levelFor,
  uniteLevels,
  unitePermissions,
  type AccessLevel,
  type AccessLevels,
  type RoleGrant,
} from './levels.ts'

/** A holder of rights, with their department. */
export interface Holder {
  readonly id: string
  readonly departmentId: string | null
  /** Their department and all departments below it. */
  readonly departmentTree: ReadonlySet<string>
}

type Extent = Exclude<AccessLevel, 'NONE'>

/** The reach of a person: the extent of each permission that has an effect. */
export interface Reach {
  readonly holder: Holder
  readonly extents: ReadonlyMap<string, Extent>
  /** Every permission of theirs, also those whose level is NONE. */
  readonly held: ReadonlySet<string>
}

/** Returns the reach of a holder with the grants of several roles. */
export function reachOf(holder: Holder, grants: readonly RoleGrant[]): Reach {
  return reachWithin(holder, unitePermissions(grants), uniteLevels(grants))
}

/** Returns the reach of a holder with permissions at their levels. */
export function reachWithin(holder: Holder, permissions: ReadonlySet<string>, levels: AccessLevels): Reach {
  const extents = [...permissions].flatMap((name): [string, Extent][] => {
    const level = levelOf(name, levels)
    return level === 'NONE' ? [] : [[name, settled(level, holder)]]
  })
  return { holder, extents: new Map(extents), held: permissions }
}

/** The reach of an administrator: every built-in permission over every record. */
export const fullReach: Reach = reachOf({ id: '', departmentId: null, departmentTree: new Set() }, [
  { permissions: permissionNames, access: [] },
])

function levelOf(name: string, levels: AccessLevels): AccessLevel {
  const entity = subjectOf(name)
  return entity && entity.action !== 'CREATE' ? levelFor(levels, entity.entityType, entity.action) : 'ALL'
}

/** Without a department every level between NONE and ALL means one's own records. */
function settled(level: Extent, { departmentId }: Holder): Extent {
  return departmentId === null && level !== 'ALL' ? 'OWN' : level
}

/** Whether the first reach includes everything in the second: a partial order. */
export function covers(mine: Reach, theirs: Reach): boolean {
  return every(theirs, (name, extent) => lies(theirs.holder, extent, mine.holder, mine.extents.get(name)))
}

/**
 * Whether a person may let another one have a reach: parts of their own, and any permission that they have over the other's own
 * records.
 */
export function mayGive(mine: Reach, theirs: Reach): boolean {
  return every(theirs, (name, extent) => {
    const held = mine.extents.get(name)
    return (extent === 'OWN' && held !== undefined) || lies(theirs.holder, extent, mine.holder, held)
  })
}

function every({ extents }: Reach, holds: (name: string, extent: Extent) => boolean): boolean {
  for (const [name, extent] of extents) if (!holds(name, extent)) return false
  return true
}

/** Whether all records of one extent are within another. */
function lies(inner: Holder, innerExtent: Extent, outer: Holder, outerExtent: Extent | undefined): boolean {
  if (outerExtent === undefined) return false
  if (outerExtent === 'ALL') return true
  switch (innerExtent) {
    case 'ALL':
      return false
    case 'DEPARTMENT_TREE':
      return outerExtent === 'DEPARTMENT_TREE' && [...inner.departmentTree].every((id) => outer.departmentTree.has(id))
    case 'DEPARTMENT':
      return holdsDepartment(outer, outerExtent, inner.departmentId)
    case 'OWN':
      return inner.id === outer.id || holdsDepartment(outer, outerExtent, inner.departmentId)
  }
}

function holdsDepartment({ departmentId, departmentTree }: Holder, extent: Extent, wanted: string | null): boolean {
  if (wanted === null) return false
  return (
    (extent === 'DEPARTMENT' && departmentId === wanted) || (extent === 'DEPARTMENT_TREE' && departmentTree.has(wanted))
  )
}
