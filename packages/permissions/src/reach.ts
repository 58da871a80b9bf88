import { permissionNames, subjectOf } from './catalogue.ts'
import {
  levelFor,
  uniteLevels,
  unitePermissions,
  type AccessLevel,
  type AccessLevels,
  type RoleGrant,
} from './levels.ts'

/** Who holds rights, and where they stand. */
export interface Holder {
  readonly id: string
  readonly departmentId: string | null
  /** Their department and those below it. */
  readonly departmentTree: ReadonlySet<string>
}

type Extent = Exclude<AccessLevel, 'NONE'>

/** What somebody may do, and to which records: for each permission that is good for anything, how far it goes. */
export interface Reach {
  readonly holder: Holder
  readonly extents: ReadonlyMap<string, Extent>
}

/** What the grants of several roles make of somebody who holds them. */
export function reachOf(holder: Holder, grants: readonly RoleGrant[]): Reach {
  return reachWithin(holder, unitePermissions(grants), uniteLevels(grants))
}

/** What permissions at their levels make of somebody who holds them. */
export function reachWithin(holder: Holder, permissions: ReadonlySet<string>, levels: AccessLevels): Reach {
  const extents = [...permissions].flatMap((name): [string, Extent][] => {
    const level = levelOf(name, levels)
    return level === 'NONE' ? [] : [[name, settled(level, holder)]]
  })
  return { holder, extents: new Map(extents) }
}

/** Every built-in permission over every record: what an administrator has. */
export const fullReach: Reach = reachOf({ id: '', departmentId: null, departmentTree: new Set() }, [
  { permissions: permissionNames, access: [] },
])

function levelOf(name: string, levels: AccessLevels): AccessLevel {
  const entity = subjectOf(name)
  return entity && entity.action !== 'CREATE' ? levelFor(levels, entity.entityType, entity.action) : 'ALL'
}

/** Without a department there is nothing but one's own. */
function settled(level: Extent, { departmentId }: Holder): Extent {
  return departmentId === null && level !== 'ALL' ? 'OWN' : level
}

/** Whether whatever one may do, the other may do as well: a partial order. */
export function covers(mine: Reach, theirs: Reach): boolean {
  return every(theirs, (name, extent) => lies(theirs.holder, extent, mine.holder, mine.extents.get(name)))
}

/** Whether somebody may let another person have a reach: what lies in their own, and what they hold at all for that person's own records. */
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

/** Whether the records of one extent lie in those of another. */
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
