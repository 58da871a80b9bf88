import type { Module } from '@crm/permissions'
import type { Operation, Resource, SettingsOperation } from './operation.ts'
import { withShapes, type WithShapes } from './shapes.ts'

/** The name of a resource and the entity type of its records. */
interface NamedRecords<Name extends string> {
  readonly name: Name
  readonly entity: string
}

/** Declares a resource of the public API; a disabled `module` answers MODULE_DISABLED. */
export function resource<const Name extends string, const Operations extends Record<string, Operation>>(
  named: Name | NamedRecords<Name>,
  module: Module | null,
  operations: Operations,
): Resource<Name, WithShapes<Operations>> {
  const { name, entity } = typeof named === 'string' ? { name: named, entity: null } : named
  return { name, entity, module, surface: 'public', operations: withShapes(operations) }
}

/** Declares a resource of the settings API, which takes a session only; a disabled `module` answers MODULE_DISABLED. */
export function settingsResource<const Name extends string, const Operations extends Record<string, SettingsOperation>>(
  name: Name,
  operations: Operations,
  module: Module | null = null,
): Resource<Name, Operations> {
  return { name, entity: null, module, surface: 'settings', operations }
}

/** Declares a resource of the provisioning API, which takes the token of a directory only. */
export function scimResource<const Name extends string, const Operations extends Record<string, SettingsOperation>>(
  name: Name,
  operations: Operations,
): Resource<Name, Operations> {
  return { name, entity: null, module: null, surface: 'scim', operations }
}

/** Declares a resource of the public booking API, which takes no credential. */
export function bookingResource<const Name extends string, const Operations extends Record<string, Operation>>(
  name: Name,
  operations: Operations,
): Resource<Name, Operations> {
  return { name, entity: null, module: 'SALES', surface: 'booking', operations }
}
