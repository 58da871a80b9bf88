import { entityActions, permissionNames } from './catalogue.ts'
import type { RoleGrant } from './levels.ts'
import { covers, fullReach, mayGive, reachOf, type Holder, type Reach } from './reach.ts'

/** A person with an account, as far as rights are concerned. */
export interface RightsHolder {
  readonly id: string
  readonly departmentId: string | null
  readonly isActive: boolean
  /** Whether it is a program, which never signs in and so cannot give rights back to people. */
  readonly isService?: boolean
  readonly roleIds: readonly string[]
}

/** A role, as far as rights are concerned. */
export interface RightsRole extends RoleGrant {
  readonly id: string
}

/** All data that decides the reach of people in a workspace. */
export interface Rights {
  readonly people: readonly RightsHolder[]
  readonly roles: readonly RightsRole[]
  readonly departments: readonly { readonly id: string; readonly parentId: string | null }[]
  /** The custom entities of the workspace, such as `VEHICLE`. */
  readonly customTypes: readonly string[]
}

/** An effect of a change that its author may not cause. */
export type Breach = 'GIVES_BEYOND' | 'TAKES_BEYOND'

/** The kinds of breach for which a change is searched. */
export interface ChangeRules {
  readonly gives: boolean
  readonly takes: boolean
}

/** Returns the reach of one person; nothing for an unknown person. */
export function reachIn(rights: Rights, personId: string): Reach {
  return reachesIn(rights)(personId)
}

/** Returns a function from people to their reach, which computes what several have in common once; nothing for an unknown person. */
export function reachesIn(rights: Rights): (personId: string) => Reach {
  const reachOfHolder = reacher(rights, whole(rights))
  const people = new Map(rights.people.map((person) => [person.id, person]))
  return (personId) => reachOfHolder(people.get(personId))
}

/**
 * Searches a change for rights that its author gave or took without having them. Every person and every role that reaches more
 * afterwards must be within the reach that the author may give; every person who reaches less, within the author's own reach.
 * Objects that the change itself created or removed are ignored, because they have no records.
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
    // People with the same position before and after are alike for everyone except themselves.
    const standing =
      person.id === maker.holder.id ? person.id : `${earlier ? standingOf(earlier) : ''}>${standingOf(person)}`
    if (compared.has(standing)) continue
    compared.add(standing)
    const breach = compare(was(earlier), is(person), rules, { maker, mayTake: covers })
    if (breach) return breach
  }
  return null
}

/** Searches roles without members too, as if their author had only that role. */
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

/** Whether an active person holds every built-in permission over everything. */
export function hasAdministrator(rights: Rights): boolean {
  const reach = reacher(rights, whole(rights))
  return rights.people.some((person) => person.isActive && !person.isService && covers(reach(person), fullReach))
}

const nothing: Reach = reachOf({ id: '', departmentId: null, departmentTree: new Set() }, [])

/** A level above one's own counts as higher for a person without a department, too. */
function placed(holder: Holder): Holder {
  return holder.departmentId === null ? { ...holder, departmentId: 'none', departmentTree: new Set(['none']) } : holder
}

/** All objects in a workspace that rights can concern. */
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

/** Returns the position of a person: everything that decides their reach except their identity. */
function standingOf({ departmentId, roleIds }: RightsHolder): string {
  return `${departmentId ?? ''}:${roleIds.toSorted().join()}`
}

/** Returns a function from people to their reach; common parts are computed once. */
function reacher(rights: Rights, common: Whole): (person: RightsHolder | undefined) => Reach {
  const roles = new Map(rights.roles.map((role) => [role.id, narrowed(role, common)]))
  const treeOf = treesIn(rights, common)
  // Bounded: the positions of people in one workspace, for one comparison.
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

/** Returns a function from a department to itself and all departments below it; each is computed once. */
function treesIn({ departments }: Rights, { departments: known }: Whole): (id: string) => ReadonlySet<string> {
  const below = new Map<string | null, string[]>()
  for (const { id, parentId } of departments) {
    const siblings = below.get(parentId)
    if (siblings) siblings.push(id)
    else below.set(parentId, [id])
  }
  // Bounded: the departments of one workspace, for one comparison.
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
