export {
  customEntityOf, customPermissions, entityActions, entityOf, entityTypes, generalPermissions, isPermission, moduleOf, modules, permissionCatalogue, permissionNames, quotaEntities, quotas, storageQuota, storageUnitBytes, subjectOf,
  type CustomType, type EntityAction, type EntityType, type Module, type Permission, type PermissionDescription, type Quota,
} from './catalogue.ts'
export {
  accessLevels, leveledActions, levelFor, narrowest, uniteLevels, unitePermissions, widest,
  type AccessLevel, type AccessLevels, type AccessRule, type LeveledAction, type RoleGrant,
} from './levels.ts'
export { effectivePermissions, lackingScopes, type MissingReason } from './effective.ts'
export { systemRoles, type SystemRole } from './system-roles.ts'
export { covers, fullReach, mayGive, reachOf, reachWithin, type Holder, type Reach } from './reach.ts'
export { findBreach, losesAdministrator, reachIn, type Breach, type ChangeRules, type Rights, type RightsHolder, type RightsRole } from './rights.ts'
