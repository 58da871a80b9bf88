import { entityActions, permissionNames } from './catalogue.ts'
import type { RoleGrant } from './levels.ts'
import { covers, fullReach, mayGive, reachOf, type Holder, type Reach } from './reach.ts'

/** A person with an account, as far as rights are concerned. */
export interface RightsHolder {
  readonly id: string
  readonly departmentId: string | null
  readonly isActive: boolean
  readonly roleIds: readonly string[]
}

/** A role, as far as rights are concerned. */
export interface RightsRole extends RoleGrant {
  readonly id: string
}

/** Everything that says who reaches what in a workspace. */
export interface Rights {
  readonly people: readonly RightsHolder[]
  readonly roles: readonly RightsRole[]
  readonly departments: readonly { readonly id: string; readonly parentId: string | null }[]
  /** The types that the workspace made for itself, such as `VEHICLE`. */
  readonly customTypes: readonly string[]
}

/** What a change did that its maker may not do. */
export type Breach = 'GIVES_BEYOND' | 'TAKES_BEYOND'

/** Which kinds of breach a change is searched for. */
export interface ChangeRules {
  readonly gives: boolean
  readonly takes: boolean
}

/** What one person reaches; nothing when there is no such person. */
export function reachIn(rights: Rights, personId: string): Reach {
  return reacher(rights, whole(rights))(rights.people.find(({ id }) => id === personId))
}

/**
 * Searches a change for rights that its maker gave or took and does not hold: everybody who reaches more afterwards, and every
 * role that grants more, must lie in what the maker may give; everybody who reaches less, in what the maker reaches.
 * What the change itself made or removed counts for nothing: there are no records of it.
 */
export function findBreach(before: Rights, after: Rights, maker: Reach, rules: ChangeRules): Breach | null {
  const common = shared(whole(before), whole(after))
  return findPersonBreach(before, after, common, maker, rules) ?? findRoleBreach(before, after, common, maker, rules)
}

function findPersonBreach(
  before: Rights,
  after: Rights,
  common: Whole,
  maker: Reach,
  rules: ChangeRules,
): Breach | null {
  const [was, is] = [reacher(before, common), reacher(after, common)]
  const known = new Map(before.people.map((person) => [person.id, person]))
  const compared = new Set<string>()
  for (const person of after.people) {
    const earlier = known.get(person.id)
    // People who stand alike before and after are alike to everybody but themselves.
    const standing =
      person.id === maker.holder.id ? person.id : `${earlier ? standingOf(earlier) : ''}>${standingOf(person)}`
    if (compared.has(standing)) continue
    compared.add(standing)
    const breach = compare(was(earlier), is(person), rules, { maker, mayTake: covers })
    if (breach) return breach
  }
  return null
}

/** Roles that nobody holds count as well: as if their maker held them and nothing else. */
function findRoleBreach(before: Rights, after: Rights, common: Whole, maker: Reach, rules: ChangeRules): Breach | null {
  const holder = placed(maker.holder)
  const grantsOf = ({ roles }: Rights) =>
    new Map(roles.map((role) => [role.id, reachOf(holder, [narrowed(role, common)])]))
  const [was, is] = [grantsOf(before), grantsOf(after)]
  for (const id of new Set([...was.keys(), ...is.keys()])) {
    const breach = compare(was.get(id) ?? nothing, is.get(id) ?? nothing, rules, {
      maker: { ...maker, holder },
      mayTake: mayGive,
    })
    if (breach) return breach
  }
  return null
}

interface Judge {
  readonly maker: Reach
  readonly mayTake: (mine: Reach, theirs: Reach) => boolean
}

function compare(was: Reach, is: Reach, { gives, takes }: ChangeRules, { maker, mayTake }: Judge): Breach | null {
  if (gives && !covers(was, is) && !mayGive(maker, is)) return 'GIVES_BEYOND'
  return takes && !covers(is, was) && !mayTake(maker, was) ? 'TAKES_BEYOND' : null
}

/** Whether a change leaves a workspace that had an administrator without one: nobody could give the rest of the rights any more. */
export function losesAdministrator(before: Rights, after: Rights): boolean {
  return hasAdministrator(before) && !hasAdministrator(after)
}

function hasAdministrator(rights: Rights): boolean {
  const reach = reacher(rights, whole(rights))
  return rights.people.some((person) => person.isActive && covers(reach(person), fullReach))
}

const nothing: Reach = reachOf({ id: '', departmentId: null, departmentTree: new Set() }, [])

/** A level above one's own is above it for somebody without a department, too. */
function placed(holder: Holder): Holder {
  return holder.departmentId === null ? { ...holder, departmentId: 'none', departmentTree: new Set(['none']) } : holder
}

/** What there is in a workspace that rights can be about. */
interface Whole {
  readonly departments: ReadonlySet<string>
  readonly permissions: ReadonlySet<string>
}

function whole({ departments, customTypes }: Rights): Whole {
  return {
    departments: new Set(departments.map(({ id }) => id)),
    permissions: new Set([
      ...permissionNames,
      ...customTypes.flatMap((type) => entityActions.map((action) => `${action}_${type}`)),
    ]),
  }
}

function shared(a: Whole, b: Whole): Whole {
  return { departments: inBoth(a.departments, b.departments), permissions: inBoth(a.permissions, b.permissions) }
}

function inBoth<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): Set<T> {
  return new Set([...a].filter((each) => b.has(each)))
}

function narrowed({ permissions, access }: RoleGrant, { permissions: known }: Whole): RoleGrant {
  return { access, permissions: permissions.filter((name) => known.has(name)) }
}

/** Where somebody stands: all that their reach hangs on but who they are. */
function standingOf({ departmentId, roleIds }: RightsHolder): string {
  return `${departmentId ?? ''}:${roleIds.toSorted().join()}`
}

/** Tells what people reach; what many have in common is worked out once. */
function reacher(rights: Rights, common: Whole): (person: RightsHolder | undefined) => Reach {
  const roles = new Map(rights.roles.map((role) => [role.id, narrowed(role, common)]))
  const treeOf = treesIn(rights, common)
  const byStanding = new Map<string, Reach>()
  return (person) => {
    if (!person) return nothing
    const { id, departmentId, roleIds } = person
    const alike = byStanding.get(standingOf(person))
    if (alike) return { ...alike, holder: { ...alike.holder, id } }
    const holder = {
      id,
      departmentId,
      departmentTree: departmentId === null ? new Set<string>() : treeOf(departmentId),
    }
    const reach = reachOf(
      holder,
      roleIds.flatMap((roleId) => roles.get(roleId) ?? []),
    )
    byStanding.set(standingOf(person), reach)
    return reach
  }
}

/** A department with those below it; each is looked up once. */
function treesIn({ departments }: Rights, { departments: known }: Whole): (id: string) => ReadonlySet<string> {
  const below = new Map<string | null, string[]>()
  for (const { id, parentId } of departments) {
    const siblings = below.get(parentId)
    if (siblings) siblings.push(id)
    else below.set(parentId, [id])
  }
  const found = new Map<string, ReadonlySet<string>>()
  const collect = (id: string, into: Set<string>): Set<string> => {
    if (into.has(id)) return into
    into.add(id)
    for (const child of below.get(id) ?? []) collect(child, into)
    return into
  }
  return (id) => {
    const tree = found.get(id) ?? inBoth(collect(id, new Set()), known)
    found.set(id, tree)
    return tree
  }
}
