import type { Module } from '@crm/permissions'
import type { Operation, Resource, SettingsOperation } from './operation.ts'
import { withShapes, type WithShapes } from './shapes.ts'

/** Declares a resource of the public API; a disabled `module` answers MODULE_DISABLED. */
export function resource<const Name extends string, const Operations extends Record<string, Operation>>(
  name: Name,
  module: Module | null,
  operations: Operations,
): Resource<Name, WithShapes<Operations>> {
  return { name, module, surface: 'public', operations: withShapes(operations) }
}

/** Declares a resource of the settings API, which takes a session only; a disabled `module` answers MODULE_DISABLED. */
export function settingsResource<const Name extends string, const Operations extends Record<string, SettingsOperation>>(
  name: Name,
  operations: Operations,
  module: Module | null = null,
): Resource<Name, Operations> {
  return { name, module, surface: 'settings', operations }
}

/** Declares a resource of the provisioning API, which takes the token of a directory only. */
export function scimResource<const Name extends string, const Operations extends Record<string, SettingsOperation>>(
  name: Name,
  operations: Operations,
): Resource<Name, Operations> {
  return { name, module: null, surface: 'scim', operations }
}

/** Declares a resource of the public booking API, which takes no credential. */
export function bookingResource<const Name extends string, const Operations extends Record<string, Operation>>(
  name: Name,
  operations: Operations,
): Resource<Name, Operations> {
  return { name, module: 'SALES', surface: 'booking', operations }
}
