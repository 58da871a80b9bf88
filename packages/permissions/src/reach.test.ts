import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accessLevels, type AccessLevel, type RoleGrant } from './levels.ts'
import { covers, fullReach, mayGive, reachOf, type Reach } from './reach.ts'
import { findBreach, hasAdministrator, reachIn, type Rights } from './rights.ts'
import { systemRoles } from './system-roles.ts'

/** A tree of departments: `a` above `b` above `c`, and `d` beside them. */
const departments = [
  { id: 'a', parentId: null },
  { id: 'b', parentId: 'a' },
  { id: 'c', parentId: 'b' },
  { id: 'd', parentId: null },
]
const trees: Readonly<Record<string, readonly string[]>> = { a: ['a', 'b', 'c'], b: ['b', 'c'], c: ['c'], d: ['d'] }

const grant = (level: AccessLevel, permissions: readonly string[] = ['VIEW_LEAD', 'UPDATE_LEAD']): RoleGrant => ({
  permissions,
  access: [{ entityType: 'LEAD', VIEW: level, UPDATE: level, DELETE: level }],
})
const holderOf = (id: string, departmentId: string | null) => ({
  id,
  departmentId,
  departmentTree: new Set(departmentId ? trees[departmentId] : []),
})
const at = (level: AccessLevel, departmentId: string | null = null, id = 'x'): Reach =>
  reachOf(holderOf(id, departmentId), [grant(level)])

describe('reach', () => {
  it.each([
    ['ALL', at('ALL'), at('DEPARTMENT_TREE', 'a', 'y')],
    ['a tree', at('DEPARTMENT_TREE', 'a'), at('DEPARTMENT_TREE', 'b', 'y')],
    ['a tree', at('DEPARTMENT_TREE', 'a'), at('DEPARTMENT', 'c', 'y')],
    ['a tree', at('DEPARTMENT_TREE', 'b'), at('OWN', 'c', 'y')],
    ['a department', at('DEPARTMENT', 'b'), at('OWN', 'b', 'y')],
    ['somebody', at('OWN', 'a'), at('OWN', 'd')],
    ['anything', at('OWN'), at('NONE', 'a', 'y')],
  ])('of %s covers what lies in it, and not the other way round', (_what, mine, theirs) => {
    expect(covers(mine, theirs)).toBe(true)
    if (mine.holder.id !== theirs.holder.id) expect(covers(theirs, mine)).toBe(false)
  })

  it.each([
    ['a tree beside one’s own', at('DEPARTMENT_TREE', 'a'), at('DEPARTMENT_TREE', 'd', 'y')],
    ['the tree of one’s own department', at('DEPARTMENT', 'c'), at('DEPARTMENT_TREE', 'c', 'y')],
    ['the department above', at('DEPARTMENT_TREE', 'b'), at('DEPARTMENT', 'a', 'y')],
    ['somebody else’s own records', at('OWN', 'a'), at('OWN', 'a', 'y')],
    ['the own records of somebody without a department', at('DEPARTMENT_TREE', 'a'), at('OWN', null, 'y')],
    ['another permission', at('ALL'), reachOf(holderOf('y', null), [grant('OWN', ['DELETE_LEAD'])])],
    ['a permission without level', at('ALL'), reachOf(holderOf('y', null), [grant('NONE', ['CREATE_LEAD'])])],
  ])('does not cover %s', (_what, mine, theirs) => expect(covers(mine, theirs)).toBe(false))

  it('without a department goes no further than one’s own records', () => {
    expect(covers(at('OWN'), at('DEPARTMENT_TREE'))).toBe(true)
    expect(covers(at('DEPARTMENT_TREE'), at('OWN', 'a', 'y'))).toBe(false)
  })

  it('of a change goes no further than that of seeing', () => {
    const narrow = reachOf(holderOf('x', 'a'), [
      {
        permissions: ['VIEW_LEAD', 'UPDATE_LEAD'],
        access: [{ entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'ALL', DELETE: 'ALL' }],
      },
    ])
    expect(narrow.extents.get('UPDATE_LEAD')).toBe('OWN')
  })

  it('may be given at OWN by whoever holds the permission, and not otherwise beyond one’s own', () => {
    expect(mayGive(at('OWN'), at('OWN', 'd', 'y'))).toBe(true)
    expect(mayGive(at('OWN', 'a'), at('DEPARTMENT', 'a', 'y'))).toBe(false)
    expect(mayGive(at('NONE'), at('OWN', 'a', 'y'))).toBe(false)
  })

  it('of an administrator covers every system role', () => {
    for (const role of systemRoles)
      expect(
        covers(reachOf(holderOf('x', null), [systemRoles[0] as RoleGrant]), reachOf(holderOf('y', 'a'), [role])),
      ).toBe(true)
    expect(covers(reachOf(holderOf('x', null), [systemRoles[1] as RoleGrant]), fullReach)).toBe(false)
  })
})

const names = ['VIEW_LEAD', 'UPDATE_LEAD', 'DELETE_LEAD', 'CREATE_LEAD', 'VIEW_DEAL', 'VIEW_VEHICLE', 'MANAGE_USERS']
const level = fc.constantFrom(...accessLevels)
const anyGrant: fc.Arbitrary<RoleGrant> = fc.record({
  permissions: fc.subarray(names),
  access: fc.tuple(
    ...['LEAD', 'DEAL', 'VEHICLE'].map((entityType) =>
      fc.record({ entityType: fc.constant(entityType), VIEW: level, UPDATE: level, DELETE: level }),
    ),
  ),
})
/** Random people in one tree: each is in one department. */
const standing = fc.tuple(
  fc.constantFrom('p', 'q', 'r'),
  fc.dictionary(fc.constantFrom('p', 'q', 'r'), fc.constantFrom('a', 'b', 'c', 'd', null)),
)
const anyReach = (places: Readonly<Record<string, string | null>>) =>
  fc
    .tuple(fc.constantFrom('p', 'q', 'r'), fc.array(anyGrant, { maxLength: 3 }))
    .map(([id, grants]) => reachOf(holderOf(id, places[id] ?? null), grants))

describe('covering', () => {
  const several = standing.chain(([, places]) => fc.tuple(anyReach(places), anyReach(places), anyReach(places)))

  it('is reflexive', () => fc.assert(fc.property(several, ([a]) => covers(a, a))))

  it('is transitive', () =>
    fc.assert(
      fc.property(several, ([a, b, c]) => !(covers(a, b) && covers(b, c)) || covers(a, c)),
      { numRuns: 2000 },
    ))

  it('both ways means the same permissions to the same extent, or one’s own in a department that both have', () =>
    fc.assert(
      fc.property(several, ([a, b]) => {
        if (!covers(a, b) || !covers(b, a)) return
        expect([...a.extents.keys()].toSorted()).toEqual([...b.extents.keys()].toSorted())
      }),
    ))

  it('what is covered may be given', () => fc.assert(fc.property(several, ([a, b]) => !covers(a, b) || mayGive(a, b))))

  it('grows with every permission that comes without a view, and never covers more than everything', () =>
    fc.assert(
      fc.property(
        standing.chain(([id, places]) =>
          fc.tuple(fc.constant(holderOf(id, places[id] ?? null)), fc.array(anyGrant), anyGrant),
        ),
        ([holder, grants, more]) => {
          const wider: RoleGrant = {
            ...more,
            permissions: more.permissions.filter((name) => !name.startsWith('VIEW_')),
          }
          expect(covers(reachOf(holder, [...grants, wider]), reachOf(holder, grants))).toBe(true)
          const builtIn = reachOf(
            holder,
            grants.map((one) => ({ ...one, permissions: one.permissions.filter((name) => !name.endsWith('VEHICLE')) })),
          )
          expect(covers(fullReach, builtIn)).toBe(true)
        },
      ),
    ))
})

describe('a change of rights', () => {
  const full = { permissions: [...systemRoles[0]!.permissions], access: [] }
  const roles = [
    { id: 'admin', ...full },
    { id: 'own', ...grant('OWN') },
    { id: 'department', ...grant('DEPARTMENT') },
    { id: 'tree', ...grant('DEPARTMENT_TREE') },
    { id: 'all', ...grant('ALL') },
  ]
  const person = (id: string, roleIds: readonly string[], departmentId: string | null = null, isActive = true) => ({
    id,
    roleIds,
    departmentId,
    isActive,
  })
  const before: Rights = {
    roles,
    departments,
    customTypes: [],
    people: [
      person('boss', ['admin']),
      person('maker', ['tree'], 'b'),
      person('near', ['own'], 'c'),
      person('far', ['tree'], 'd'),
      person('new', [], null),
    ],
  }
  const maker = reachIn(before, 'maker')
  const breach = (after: Partial<Rights>, by: Reach = maker) =>
    findBreach(before, { ...before, ...after }, by, { gives: true, takes: true })
  const withPerson = (changed: ReturnType<typeof person>) => ({
    people: [...before.people.filter(({ id }) => id !== changed.id), changed],
  })
  const withRole = (id: string, changed: RoleGrant) => ({
    roles: [...roles.filter((role) => role.id !== id), { id, ...changed }],
  })

  it.each([
    ['nothing', {}],
    ['a role at OWN for somebody new', withPerson(person('new', ['own'], 'd'))],
    ['a department below one’s own for somebody near', withPerson(person('near', ['department'], 'c'))],
    ['a new department below one’s own', { departments: [...departments, { id: 'e', parentId: 'c' }] }],
    [
      'a new type that administrators see',
      {
        customTypes: ['VEHICLE'],
        ...withRole('admin', { ...full, permissions: [...full.permissions, 'VIEW_VEHICLE'] }),
      },
    ],
    ['a new role within one’s own', withRole('made', grant('DEPARTMENT_TREE', ['VIEW_LEAD']))],
  ])('may give %s', (_what, after) => expect(breach(after)).toBeNull())

  it.each([
    ['a role above one’s own to oneself', withPerson(person('maker', ['tree', 'all'], 'b'))],
    ['a role above one’s own to somebody else', withPerson(person('new', ['all']))],
    ['a role within one’s own to somebody in a department outside', withPerson(person('new', ['department'], 'd'))],
    ['another department to oneself', withPerson(person('maker', ['tree'], 'a'))],
    [
      'a department outside to one’s own',
      { departments: departments.map((one) => (one.id === 'd' ? { id: 'd', parentId: 'c' } : one)) },
    ],
    ['a level one step above one’s own to a role', withRole('made', grant('ALL', ['VIEW_LEAD']))],
    ['a permission that one lacks to a role that nobody holds', withRole('made', grant('OWN', ['DELETE_LEAD']))],
  ])('may not give %s', (_what, after) => expect(breach(after)).toBe('GIVES_BEYOND'))

  it.each([
    ['the roles of somebody mightier', withPerson(person('boss', []))],
    ['the own records of somebody outside', withPerson(person('far', []))],
    ['what a mightier role grants', withRole('admin', grant('OWN', []))],
    [
      'a department from somebody outside',
      { departments: departments.map((one) => (one.id === 'c' ? { id: 'c', parentId: null } : one)) },
      reachOf(holderOf('maker', 'd'), [grant('DEPARTMENT_TREE')]),
    ],
  ])('may not take %s', (_what, after, by = maker) => expect(breach(after, by)).toBe('TAKES_BEYOND'))

  it('is one’s own to give up', () => expect(breach(withPerson(person('maker', ['own'], 'b')))).toBeNull())

  it('leaves an administrator who is active', () => {
    const has = (after: Partial<Rights>) => hasAdministrator({ ...before, ...after })
    expect(has({})).toBe(true)
    expect(has(withPerson(person('boss', [])))).toBe(false)
    expect(has(withPerson(person('boss', ['admin'], null, false)))).toBe(false)
    expect(has(withRole('admin', grant('ALL')))).toBe(false)
    expect(has({ people: [...withPerson(person('boss', [])).people, person('next', ['admin'])] })).toBe(true)
    expect(
      has({ people: [...withPerson(person('boss', [])).people, { ...person('run', ['admin']), isService: true }] }),
    ).toBe(false)
  })

  it('ends in circles of departments as well', () => {
    const circle = {
      ...before,
      departments: [
        { id: 'b', parentId: 'c' },
        { id: 'c', parentId: 'b' },
      ],
    }
    expect([...reachIn(circle, 'maker').holder.departmentTree].toSorted()).toEqual(['b', 'c'])
  })
})
