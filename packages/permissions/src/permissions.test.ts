import { describe, expect, it } from 'vitest'
import {
  customEntityOf,
  customPermissions,
  entityActions,
  entityOf,
  entityTypes,
  generalPermissions,
  isPermission,
  moduleOf,
  modules,
  permissionCatalogue,
  permissionNames,
} from './catalogue.ts'
import { effectivePermissions, lackingScopes } from './effective.ts'
import {
  accessLevels,
  levelFor,
  narrowest,
  uniteLevels,
  unitePermissions,
  widest,
  type AccessLevel,
  type RoleGrant,
} from './levels.ts'
import { systemRoles } from './system-roles.ts'

describe('the catalogue', () => {
  it('names every permission once and describes it', () => {
    expect(permissionNames).toHaveLength(entityTypes.length * entityActions.length + generalPermissions.length)
    expect(new Set(permissionNames).size).toBe(permissionNames.length)
    for (const { group, description, module } of permissionCatalogue) {
      expect([group, description].every((text) => text.length > 0)).toBe(true)
      expect(module === null || modules.includes(module)).toBe(true)
    }
  })

  it('splits every permission of an entity type, and no other', () => {
    for (const entityType of entityTypes)
      for (const action of entityActions) expect(entityOf(`${action}_${entityType}`)).toEqual({ action, entityType })
    for (const name of generalPermissions) expect(entityOf(name)).toBeNull()
  })

  it('marks as writing what does not only see', () => {
    for (const { name, write } of permissionCatalogue) expect(write).toBe(!name.startsWith('VIEW_'))
  })

  it('tells permissions from other texts', () => {
    expect(isPermission('VIEW_PRICE_LIST')).toBe(true)
    for (const text of ['VIEW_COMMENT', 'view_lead', '', '__proto__']) expect(isPermission(text)).toBe(false)
    expect([
      moduleOf('VIEW_LEAD'),
      moduleOf('DELETE_TASK'),
      moduleOf('MANAGE_USERS'),
      moduleOf('VIEW_EMPLOYEE'),
      moduleOf('nothing'),
    ]).toEqual(['SALES', 'PROJECTS', null, null, null])
  })
})

describe('the permissions of a type that a workspace made for itself', () => {
  it('are four, described by what people call it', () => {
    const described = customPermissions({ entityType: 'TEST_DRIVE', plural: 'Test drives' })
    expect(described.map(({ name }) => name)).toEqual([
      'VIEW_TEST_DRIVE',
      'CREATE_TEST_DRIVE',
      'UPDATE_TEST_DRIVE',
      'DELETE_TEST_DRIVE',
    ])
    expect(described[0]).toEqual({
      name: 'VIEW_TEST_DRIVE',
      group: 'Test drives',
      description: 'See Test drives',
      write: false,
      module: null,
    })
    expect(described.slice(1).every(({ write }) => write)).toBe(true)
  })

  it('are told from the built-in ones and from other texts', () => {
    expect(customEntityOf('UPDATE_TEST_DRIVE')).toEqual({ action: 'UPDATE', entityType: 'TEST_DRIVE' })
    for (const name of ['VIEW_LEAD', 'VIEW_AUDIT_LOG', 'MANAGE_VEHICLE', 'VIEW_', 'VIEW_vehicle', ''])
      expect(customEntityOf(name)).toBeNull()
  })
})

describe('levels', () => {
  const pairs = accessLevels.flatMap((a) => accessLevels.map((b) => [a, b] as const))

  it.each(pairs)('%s and %s have a wider and a narrower one', (a, b) => {
    const inOrder = [a, b].toSorted((x, y) => accessLevels.indexOf(x) - accessLevels.indexOf(y))
    expect([narrowest(a, b), widest(a, b)]).toEqual(inOrder)
  })

  const role = (level: AccessLevel, permissions: readonly string[] = ['VIEW_LEAD', 'UPDATE_LEAD']): RoleGrant => ({
    permissions,
    access: [{ entityType: 'LEAD', VIEW: level, UPDATE: level, DELETE: level }],
  })

  it.each(pairs)('roles of %s and %s reach as far as the wider one', (a, b) => {
    const wide = widest(a, b)
    expect(uniteLevels([role(a), role(b)])['LEAD']).toEqual({ VIEW: wide, UPDATE: wide, DELETE: 'NONE' })
  })

  it('count for an action only in roles that hold its permission', () => {
    expect(uniteLevels([role('OWN', ['VIEW_LEAD']), role('ALL', ['UPDATE_LEAD'])])['LEAD']).toEqual({
      VIEW: 'OWN',
      UPDATE: 'ALL',
      DELETE: 'NONE',
    })
  })

  it('are ALL for a kind that the role does not name, and NONE without a role', () => {
    expect(uniteLevels([{ permissions: ['VIEW_DEAL'], access: [] }])['DEAL']).toEqual({
      VIEW: 'ALL',
      UPDATE: 'NONE',
      DELETE: 'NONE',
    })
    expect(uniteLevels([])['LEAD']).toEqual({ VIEW: 'NONE', UPDATE: 'NONE', DELETE: 'NONE' })
  })

  it('of a type that the workspace made for itself are what its roles say, and ALL where none says anything', () => {
    const access = [{ entityType: 'VEHICLE', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }] as const
    const [all, own, nothing] = [
      [{ permissions: ['VIEW_VEHICLE'], access: [] }],
      [{ permissions: ['VIEW_VEHICLE'], access }],
      [{ permissions: [], access }],
    ]
    expect([all, own, nothing].map((roles) => levelFor(uniteLevels(roles), 'VEHICLE', 'VIEW'))).toEqual([
      'ALL',
      'OWN',
      'NONE',
    ])
    expect(levelFor(uniteLevels([...all, ...own]), 'VEHICLE', 'VIEW')).toBe('ALL')
  })

  it.each(pairs)(
    'a change at %s with a view at %s reaches no further than the view, and stands alone without one',
    (change, view) => {
      const levels = { LEAD: { VIEW: view, UPDATE: change, DELETE: change } }
      expect(levelFor(levels, 'LEAD', 'VIEW')).toBe(view)
      expect(levelFor(levels, 'LEAD', 'UPDATE')).toBe(view === 'NONE' ? change : narrowest(view, change))
    },
  )
})

describe('effective permissions', () => {
  const owned = unitePermissions([
    { permissions: ['VIEW_LEAD', 'CREATE_LEAD'], access: [] },
    { permissions: ['VIEW_LEAD', 'VIEW_DEAL'], access: [] },
  ])

  it('are what several roles hold together', () => {
    expect([...owned].toSorted()).toEqual(['CREATE_LEAD', 'VIEW_DEAL', 'VIEW_LEAD'])
  })

  it.each([
    [null, ['VIEW_LEAD', 'CREATE_LEAD', 'VIEW_DEAL'], []],
    [[], [], []],
    [['VIEW_LEAD'], ['VIEW_LEAD'], []],
    [['DELETE_LEAD', 'VIEW_DEAL'], ['VIEW_DEAL'], ['DELETE_LEAD']],
    [['NOTHING'], [], ['NOTHING']],
  ])('of the scopes %j are %j; the owner lacks %j', (requested, effective, lacking) => {
    expect([...effectivePermissions(owned, requested)]).toEqual(effective)
    expect(lackingScopes(owned, requested)).toEqual(lacking)
  })
})

describe('the system roles', () => {
  const roleOf = (name: string) => systemRoles.find((role) => role.name === name) as RoleGrant

  it('grant only what exists', () => {
    expect(systemRoles.map(({ name }) => name)).toEqual(['Administrator', 'Manager', 'Member', 'Read only'])
    for (const { permissions } of systemRoles) expect(permissions.filter((name) => !isPermission(name))).toEqual([])
  })

  it('give an administrator everything, and someone who only reads nothing that changes data', () => {
    expect(roleOf('Administrator').permissions).toEqual(permissionNames)
    expect(roleOf('Read only').permissions.filter((name) => !name.startsWith('VIEW_'))).toEqual([])
  })

  it('let a member see all customers and what is done for them, and change those of their department', () => {
    const levels = uniteLevels([roleOf('Member')])
    for (const shared of ['LEAD', 'DEAL', 'CONTACT', 'COMPANY', 'ACTIVITY', 'TASK'])
      expect([shared, levels[shared]]).toMatchObject([shared, { VIEW: 'ALL', UPDATE: 'DEPARTMENT_TREE' }])
    expect(levels['LEAD']?.DELETE).toBe('NONE')
    expect(levels['INVOICE']).toEqual({ VIEW: 'DEPARTMENT_TREE', UPDATE: 'OWN', DELETE: 'NONE' })
  })
})
