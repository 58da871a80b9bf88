import { entitiesWith } from '@crm/model'
import { permissionNames, entityTypes } from './catalogue.ts'
import type { AccessRule, RoleGrant } from './levels.ts'

/** The roles that every workspace starts with (settings API, roles). */
export interface SystemRole extends RoleGrant {
  readonly name: 'Administrator' | 'Manager' | 'Member' | 'Read only'
  readonly description: string
}

const views = permissionNames.filter((name) => name.startsWith('VIEW_') && name !== 'VIEW_AUDIT_LOG')
const manages = permissionNames.filter((name) => name.startsWith('MANAGE_') || name === 'VIEW_AUDIT_LOG')
const everyday = permissionNames.filter(
  (name) => !manages.includes(name) && !/_(EMPLOYEE|DEPARTMENT)$/.test(name) && !name.endsWith('PORT_DATA'),
)
const memberWrites = everyday.filter((name) => !name.startsWith('DELETE_') || /_(ACTIVITY|TASK|FILE)$/.test(name))
const withPeople = [...memberWrites, 'VIEW_EMPLOYEE', 'VIEW_DEPARTMENT']

const shared: readonly string[] = entitiesWith('shared')

/** Everybody sees the customers and what is done for them; the rest stays in its department. */
const memberAccess = entityTypes
  .filter((entityType) => !['EMPLOYEE', 'DEPARTMENT', 'PRODUCT', 'PRICE_LIST'].includes(entityType))
  .map((entityType): AccessRule =>
    shared.includes(entityType)
      ? { entityType, VIEW: 'ALL', UPDATE: 'DEPARTMENT_TREE', DELETE: 'OWN' }
      : { entityType, VIEW: 'DEPARTMENT_TREE', UPDATE: 'OWN', DELETE: 'OWN' },
  )

export const systemRoles: readonly SystemRole[] = [
  { name: 'Administrator', description: 'Everything', permissions: permissionNames, access: [] },
  {
    name: 'Manager',
    description: 'All records, reference data, booking and workflows',
    permissions: [
      ...everyday,
      'VIEW_EMPLOYEE',
      'VIEW_DEPARTMENT',
      'MANAGE_REFERENCE_DATA',
      'MANAGE_BOOKING',
      'MANAGE_WORKFLOWS',
      'IMPORT_DATA',
      'EXPORT_DATA',
    ],
    access: [],
  },
  {
    name: 'Member',
    description: 'All customers, deals, activities and tasks, changing those of their department',
    permissions: withPeople,
    access: memberAccess,
  },
  { name: 'Read only', description: 'Sees everything, changes nothing', permissions: views, access: [] },
]
