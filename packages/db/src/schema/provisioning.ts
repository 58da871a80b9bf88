import { sql } from 'drizzle-orm'
import { boolean, foreignKey, index, pgTable, primaryKey, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytes, createdAt, instant, rowId, updatedAt, workspaceId } from '../columns.ts'
import { departments, employees, roles, workspaces } from './core.ts'

/** The credentials with which directories keep the people of a workspace up to date (SCIM). */
export const scimTokens = pgTable(
  'scim_tokens',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    name: text('name').notNull(),
    prefix: text('prefix').notNull(),
    tokenHash: bytes('token_hash').notNull(),
    /** The service account whose reach it has. */
    ownerId: uuid('owner_id').notNull(),
    createdAt: createdAt(),
    createdById: uuid('created_by_id'),
    expiresAt: instant('expires_at'),
    lastUsedAt: instant('last_used_at'),
    lastUsedAddress: text('last_used_address'),
    /** The end that somebody was told about by mail. */
    toldExpiresAt: instant('told_expires_at'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    unique('scim_tokens_hash').on(t.workspaceId, t.tokenHash),
    index('scim_tokens_by_owner').on(t.workspaceId, t.ownerId),
    foreignKey({
      columns: [t.workspaceId, t.ownerId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'scim_tokens_owner',
    }).onDelete('cascade'),
  ],
)

/** The facts that a directory keeps about a person and the product has no field for. */
export const scimPeople = pgTable(
  'scim_people',
  {
    workspaceId: workspaceId(),
    employeeId: uuid('employee_id').notNull(),
    externalId: text('external_id'),
    /** The name of the department as the directory sends it. */
    department: text('department'),
    displayName: text('display_name'),
    /** Whether the directory suspended the person; it revives nobody else. */
    isSuspended: boolean('is_suspended').notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.employeeId] }),
    index('scim_people_by_external_id').on(t.workspaceId, t.externalId),
    foreignKey({
      columns: [t.workspaceId, t.employeeId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'scim_people_employee',
    }).onDelete('cascade'),
  ],
)

export const scimGroups = pgTable(
  'scim_groups',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    id: rowId(),
    displayName: text('display_name').notNull(),
    externalId: text('external_id'),
    /** The department that members are in. */
    departmentId: uuid('department_id'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    uniqueIndex('scim_groups_name').on(t.workspaceId, sql`lower(${t.displayName})`),
    index('scim_groups_by_external_id').on(t.workspaceId, t.externalId),
    foreignKey({
      columns: [t.workspaceId, t.departmentId],
      foreignColumns: [departments.workspaceId, departments.id],
      name: 'scim_groups_department',
    }),
  ],
)

/** The roles that members of a group have. */
export const scimGroupRoles = pgTable(
  'scim_group_roles',
  { workspaceId: workspaceId(), groupId: uuid('group_id').notNull(), roleId: uuid('role_id').notNull() },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.groupId, t.roleId] }),
    index('scim_group_roles_by_role').on(t.workspaceId, t.roleId),
    foreignKey({
      columns: [t.workspaceId, t.groupId],
      foreignColumns: [scimGroups.workspaceId, scimGroups.id],
      name: 'scim_group_roles_group',
    }).onDelete('cascade'),
    foreignKey({
      columns: [t.workspaceId, t.roleId],
      foreignColumns: [roles.workspaceId, roles.id],
      name: 'scim_group_roles_role',
    }).onDelete('cascade'),
  ],
)

export const scimGroupMembers = pgTable(
  'scim_group_members',
  { workspaceId: workspaceId(), groupId: uuid('group_id').notNull(), employeeId: uuid('employee_id').notNull() },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.groupId, t.employeeId] }),
    index('scim_group_members_by_person').on(t.workspaceId, t.employeeId),
    foreignKey({
      columns: [t.workspaceId, t.groupId],
      foreignColumns: [scimGroups.workspaceId, scimGroups.id],
      name: 'scim_group_members_group',
    }).onDelete('cascade'),
    foreignKey({
      columns: [t.workspaceId, t.employeeId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'scim_group_members_employee',
    }).onDelete('cascade'),
  ],
)
