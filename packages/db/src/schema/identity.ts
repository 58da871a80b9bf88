import { sql } from 'drizzle-orm'
import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytes, createdAt, instant, rowId, updatedAt, workspaceId } from '../columns.ts'
import { employees, roles, workspaces } from './core.ts'

/** The roles and the department that follow from a group of an identity provider. */
export interface GroupRule {
  readonly group: string
  readonly roleIds: readonly string[]
  readonly departmentId?: string | null
}

/** Domains of mail addresses that a workspace claims; the whole installation has one verified owner for each. */
export const domains = pgTable(
  'domains',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    id: rowId(),
    domain: text('domain').notNull(),
    /** The text that the owner of the domain publishes. */
    challenge: text('challenge').notNull(),
    verifiedAt: instant('verified_at'),
    createdAt: createdAt(),
    createdById: uuid('created_by_id'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    unique('domains_name').on(t.workspaceId, t.domain),
    uniqueIndex('domains_owner')
      .on(t.domain)
      .where(sql`${t.verifiedAt} IS NOT NULL`),
  ],
)

/** OpenID providers with which people of a workspace sign in. */
export const identityProviders = pgTable(
  'identity_providers',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    id: rowId(),
    slug: text('slug').notNull(),
    name: text('name').notNull(),
    issuer: text('issuer').notNull(),
    clientId: text('client_id').notNull(),
    /** Sealed; null for a client without a secret. */
    clientSecret: text('client_secret'),
    authMethod: text('auth_method').$type<'client_secret_basic' | 'client_secret_post' | 'none'>().notNull(),
    scopes: text('scopes').array().notNull(),
    domains: text('domains').array().notNull().default([]),
    provisioning: text('provisioning').$type<'JIT' | 'LINK' | 'OFF'>().notNull().default('LINK'),
    defaultRoleIds: uuid('default_role_ids').array().notNull().default([]),
    groupsClaim: text('groups_claim'),
    groupMapping: jsonb('group_mapping').$type<readonly GroupRule[]>().notNull().default([]),
    trustEmail: boolean('trust_email').notNull().default(false),
    assumesSecondFactor: boolean('assumes_second_factor').notNull().default(false),
    rpLogout: boolean('rp_logout').notNull().default(false),
    sessionHours: integer('session_hours').notNull().default(24),
    isActive: boolean('is_active').notNull().default(true),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    createdById: uuid('created_by_id'),
  },
  (t) => [primaryKey({ columns: [t.workspaceId, t.id] }), unique('identity_providers_slug').on(t.workspaceId, t.slug)],
)

/** The accounts of people at identity providers: an issuer's `sub` belongs to one person. */
export const identities = pgTable(
  'identities',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    employeeId: uuid('employee_id').notNull(),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    /** The address as the provider said it last. */
    email: text('email'),
    /** The department that its groups gave at the last sign-in; the person leaves it with these groups. */
    departmentId: uuid('department_id'),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    unique('identities_subject').on(t.workspaceId, t.issuer, t.subject),
    unique('identities_person').on(t.workspaceId, t.issuer, t.employeeId),
    index('identities_by_person').on(t.workspaceId, t.employeeId),
    foreignKey({
      columns: [t.workspaceId, t.employeeId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'identities_employee',
    }).onDelete('cascade'),
  ],
)

/** The roles that a person has because of the groups at their last sign-in with a provider. */
export const providerRoles = pgTable(
  'provider_roles',
  {
    workspaceId: workspaceId(),
    providerId: uuid('provider_id').notNull(),
    employeeId: uuid('employee_id').notNull(),
    roleId: uuid('role_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.employeeId, t.providerId, t.roleId] }),
    foreignKey({
      columns: [t.workspaceId, t.providerId],
      foreignColumns: [identityProviders.workspaceId, identityProviders.id],
      name: 'provider_roles_provider',
    }).onDelete('cascade'),
    foreignKey({
      columns: [t.workspaceId, t.employeeId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'provider_roles_employee',
    }).onDelete('cascade'),
    foreignKey({
      columns: [t.workspaceId, t.roleId],
      foreignColumns: [roles.workspaceId, roles.id],
      name: 'provider_roles_role',
    }).onDelete('cascade'),
  ],
)

/** Sign-ins that people have begun at a provider; each is used once. */
export const ssoStates = pgTable(
  'sso_states',
  {
    workspaceId: workspaceId(),
    stateHash: bytes('state_hash').notNull(),
    providerId: uuid('provider_id').notNull(),
    /** The digest of the cookie of the browser that began it. */
    browserHash: bytes('browser_hash').notNull(),
    nonce: text('nonce').notNull(),
    verifier: text('verifier').notNull(),
    purpose: text('purpose').$type<'sign-in' | 'link' | 'reauth'>().notNull(),
    /** The session that began it, for linking and signing in once more. */
    sessionId: uuid('session_id'),
    employeeId: uuid('employee_id'),
    next: text('next').notNull(),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.stateHash] }),
    index('sso_states_by_end').on(t.expiresAt),
    foreignKey({
      columns: [t.workspaceId, t.providerId],
      foreignColumns: [identityProviders.workspaceId, identityProviders.id],
      name: 'sso_states_provider',
    }).onDelete('cascade'),
  ],
)

/** Sign-ins at providers, with the token that ends the session there too. */
export const ssoSessions = pgTable(
  'sso_sessions',
  {
    workspaceId: workspaceId(),
    /** The id of the sign-in. */
    sessionId: uuid('session_id').notNull(),
    providerId: uuid('provider_id').notNull(),
    /** Sealed. */
    idToken: text('id_token'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.sessionId] }),
    index('sso_sessions_by_age').on(t.createdAt),
    foreignKey({
      columns: [t.workspaceId, t.providerId],
      foreignColumns: [identityProviders.workspaceId, identityProviders.id],
      name: 'sso_sessions_provider',
    }).onDelete('cascade'),
  ],
)
