import { kindEntities, kindOf, kinds, type EntityOfKind, type Kind, type Module } from '@crm/model'

export { modules, type Module } from '@crm/model'

/** What has permissions of its own and is no kind of record. */
const others = { FILE: 'files', EMPLOYEE: 'employees', DEPARTMENT: 'departments' } as const

/** The entity types with VIEW, CREATE, UPDATE and DELETE permissions. */
export const entityTypes = [...kindEntities, ...(Object.keys(others) as (keyof typeof others)[])] as const
export type EntityType = (typeof entityTypes)[number]

export const entityActions = ['VIEW', 'CREATE', 'UPDATE', 'DELETE'] as const
export type EntityAction = (typeof entityActions)[number]

/** The permissions without an entity type. */
export const generalPermissions = [
  'VIEW_REFERENCE_DATA',
  'MANAGE_REFERENCE_DATA',
  'VIEW_CONVERSATION',
  'MANAGE_WORKSPACE',
  'MANAGE_USERS',
  'MANAGE_ROLES',
  'MANAGE_API_KEYS',
  'MANAGE_CUSTOM_FIELDS',
  'MANAGE_WORKFLOWS',
  'MANAGE_BOOKING',
  'IMPORT_DATA',
  'EXPORT_DATA',
  'VIEW_AUDIT_LOG',
] as const

export type Permission = `${EntityAction}_${EntityType}` | (typeof generalPermissions)[number]

/** The plan limits of a workspace, and the kind of record that each counts. */
export const quotaEntities = Object.fromEntries(
  Object.values<Kind>(kinds).flatMap(({ plural, entity, quota }) => (quota ? [[plural, entity]] : [])),
) as { readonly [K in Limited as K['plural']]: K['entity'] }
type Limited = Extract<(typeof kinds)[EntityOfKind], { readonly quota: true }>
export type Quota = keyof typeof quotaEntities
export const quotas = Object.keys(quotaEntities) as Quota[]

/** The plan limit of a workspace's stored bytes. */
export const storageQuota = 'storage'
/** The unit of the storage limit, in bytes. */
export const storageUnitBytes = 1024 * 1024

/** The description of a permission for people. */
export interface PermissionDescription<Name extends string = Permission> {
  readonly name: Name
  readonly group: string
  readonly description: string
  /** Whether the permission lets a credential change data. */
  readonly write: boolean
  /** The module without which the permission is useless. */
  readonly module: Module | null
}

const verbs: Record<EntityAction, string> = { VIEW: 'See', CREATE: 'Create', UPDATE: 'Change', DELETE: 'Delete' }

const pluralOf = (entity: EntityType): string =>
  entity === 'DOCUMENT' ? 'documents' : (kindOf(entity)?.plural ?? others[entity as keyof typeof others])

/** Files belong to the module of the documents that are made of them. */
const moduleOfEntity = (entity: EntityType): Module | null =>
  entity === 'FILE' ? kinds.DOCUMENT.module : (kindOf(entity)?.module ?? null)

const generalDescriptions: Record<(typeof generalPermissions)[number], string> = {
  VIEW_REFERENCE_DATA: 'See pipelines, industries, currencies, units, tax rates and lead sources',
  MANAGE_REFERENCE_DATA: 'Change pipelines, industries, currencies, units, tax rates and lead sources',
  VIEW_CONVERSATION: 'See channels and conversations',
  MANAGE_WORKSPACE: 'Change the settings of the workspace',
  MANAGE_USERS: 'Manage people',
  MANAGE_ROLES: 'Manage roles',
  MANAGE_API_KEYS: 'Manage API keys and connected clients',
  MANAGE_CUSTOM_FIELDS: 'Manage custom fields and custom entities',
  MANAGE_WORKFLOWS: 'Manage workflows and automation rules',
  MANAGE_BOOKING: 'Manage booking links and bookings',
  IMPORT_DATA: 'Import records',
  EXPORT_DATA: 'Export records',
  VIEW_AUDIT_LOG: 'See the audit log',
}

function describeEntity(entity: EntityType): PermissionDescription[] {
  return entityActions.map((action) => ({
    name: `${action}_${entity}`,
    group: capitalized(pluralOf(entity)),
    description: `${verbs[action]} ${pluralOf(entity)}`,
    write: action !== 'VIEW',
    module: moduleOfEntity(entity),
  }))
}

function describeGeneral(name: (typeof generalPermissions)[number]): PermissionDescription {
  return {
    name,
    group: 'Workspace',
    description: generalDescriptions[name],
    write: !name.startsWith('VIEW_'),
    module: null,
  }
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Every permission with its description, in display order. */
export const permissionCatalogue: readonly PermissionDescription[] = [
  ...entityTypes.flatMap(describeEntity),
  ...generalPermissions.map(describeGeneral),
]

const byName = new Map<string, PermissionDescription>(permissionCatalogue.map((entry) => [entry.name, entry]))

/** Every permission name, in catalogue order. */
export const permissionNames: readonly Permission[] = permissionCatalogue.map((entry) => entry.name)

/** Whether a string is the name of a permission. */
export function isPermission(name: string): name is Permission {
  return byName.has(name)
}

/** Returns the module that a permission belongs to, or null. */
export function moduleOf(name: string): Module | null {
  return byName.get(name)?.module ?? null
}

/** Splits `UPDATE_LEAD` into its action and entity type; null for permissions without an entity type. */
export function entityOf(name: Permission): { action: EntityAction; entityType: EntityType } | null {
  const at = name.indexOf('_')
  const action = entityActions.find((known) => known === name.slice(0, at))
  const entityType = entityTypes.find((known) => known === name.slice(at + 1))
  return action && entityType ? { action, entityType } : null
}

/** The facts about a custom entity that its permissions need. */
export interface CustomType {
  /** As in permissions, for example `VEHICLE`. */
  readonly entityType: string
  /** The plural name. */
  readonly plural: string
}

/** Returns the four permissions of a custom entity, described. */
export function customPermissions({ entityType, plural }: CustomType): readonly PermissionDescription<string>[] {
  return entityActions.map((action) => ({
    name: `${action}_${entityType}`,
    group: plural,
    description: `${verbs[action]} ${plural}`,
    write: action !== 'VIEW',
    module: null,
  }))
}

/** Returns the action and the entity type of a custom entity's permission; null for every other text. */
export function customEntityOf(name: string): { readonly action: EntityAction; readonly entityType: string } | null {
  const [, verb, entityType] = /^(VIEW|CREATE|UPDATE|DELETE)_([A-Z][A-Z0-9_]*)$/.exec(name) ?? []
  const action = entityActions.find((known) => known === verb)
  return action && entityType && !isPermission(name) ? { action, entityType } : null
}

/** Returns the action and the entity type of a permission, built in or not; null for permissions without an entity type. */
export function subjectOf(name: string): { readonly action: EntityAction; readonly entityType: string } | null {
  return isPermission(name) ? entityOf(name) : customEntityOf(name)
}
