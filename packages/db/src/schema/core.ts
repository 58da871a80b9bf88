import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import type { AccessRule } from '@crm/permissions'
import {
  agentControl,
  bytes,
  createdAt,
  instant,
  isTwin,
  rowId,
  stamps,
  updatedAt,
  viaColumns,
  workspaceId,
} from '../columns.ts'
import { addressKey, folded } from '../folding.ts'
import { newId } from '../new-id.ts'
import type { FieldChange } from './field-change.ts'

/** The first step of a sign-in. */
export const signInMethods = ['PASSWORD', 'PASSKEY', 'SSO', 'INVITATION', 'RESET'] as const
export type SignInMethod = (typeof signInMethods)[number]

export interface Brand {
  readonly companyName?: string | null
  readonly logo?: string | null
  readonly primaryColor?: string | null
}

export const workspaces = pgTable('workspaces', {
  id: uuid('id').primaryKey().$defaultFn(newId),
  slug: text('slug').notNull().unique(),
  name: text('name').notNull(),
  baseUrl: text('base_url').notNull(),
  locale: text('locale').notNull().default('en'),
  timeFormat: text('time_format').$type<'12h' | '24h'>().notNull().default('24h'),
  timezone: text('timezone').notNull().default('UTC'),
  weekStart: text('week_start').$type<'MONDAY' | 'SUNDAY' | 'SATURDAY'>().notNull().default('MONDAY'),
  currency: text('currency').notNull().default('EUR'),
  mergeExactDuplicates: boolean('merge_exact_duplicates').notNull().default(false),
  brand: jsonb('brand').$type<Brand>().notNull().default({}),
  inMaintenance: boolean('in_maintenance').notNull().default(false),
  /** The periods of its history in days, where they are shorter than those of the installation; by the names of `crm workspace retain`. */
  retention: jsonb('retention').$type<Readonly<Record<string, number>>>().notNull().default({}),
  /** The limits that differ from the usual ones; by the names of `crm workspace limit`. */
  limits: jsonb('limits').$type<Readonly<Record<string, number>>>().notNull().default({}),
  /** The rules for signing in that differ from the usual ones. Workspaces of before the rules go on with typed passwords. */
  signInPolicy: jsonb('sign_in_policy')
    .$type<Readonly<Record<string, unknown>>>()
    .notNull()
    .default({ typedPasswords: true }),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

export const workspaceHosts = pgTable(
  'workspace_hosts',
  {
    host: text('host').primaryKey(),
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
  },
  (t) => [index('workspace_hosts_by_workspace').on(t.workspaceId)],
)

export const workspaceModules = pgTable(
  'workspace_modules',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    key: text('key').notNull(),
    enabled: boolean('enabled').notNull(),
    reason: text('reason').$type<'plan' | 'self'>(),
  },
  (t) => [primaryKey({ columns: [t.workspaceId, t.key] })],
)

export const workspaceQuotas = pgTable(
  'workspace_quotas',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    quota: text('quota').notNull(),
    limit: integer('limit').notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspaceId, t.quota] })],
)

export const departments = pgTable(
  'departments',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    id: rowId(),
    name: text('name').notNull(),
    parentId: uuid('parent_id'),
    headId: uuid('head_id'),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('departments_by_parent').on(t.workspaceId, t.parentId),
    foreignKey({
      columns: [t.workspaceId, t.parentId],
      foreignColumns: [t.workspaceId, t.id],
      name: 'departments_parent',
    }),
  ],
)

export const employees = pgTable(
  'employees',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    id: rowId(),
    email: text('email').notNull(),
    firstName: text('first_name'),
    lastName: text('last_name'),
    /** A service account is a program; it never signs in. */
    kind: text('kind').$type<'PERSON' | 'SERVICE'>().notNull().default('PERSON'),
    /** Null for people who sign in otherwise, or who have not chosen a password yet. */
    passwordHash: text('password_hash'),
    /** The secret behind the known devices of people without a password. */
    deviceKey: text('device_key'),
    /** The time of the last sign-in; null before the first one. */
    signedInAt: instant('signed_in_at'),
    departmentId: uuid('department_id'),
    managerId: uuid('manager_id'),
    timezone: text('timezone'),
    /** What a person chose for the console; null for what the workspace, the device or the default says. */
    locale: text('locale').$type<'en' | 'de' | 'fr' | 'es' | 'ru'>(),
    timeFormat: text('time_format').$type<'12h' | '24h'>(),
    theme: text('theme').$type<'light' | 'dark'>(),
    density: text('density').$type<'compact' | 'comfortable'>(),
    startPage: text('start_page'),
    pinned: text('pinned').array(),
    unfolded: text('unfolded').array(),
    /** In the currency of the workspace. */
    monthlyGoal: numeric('monthly_goal'),
    status: text('status').$type<'ACTIVE' | 'SUSPENDED' | 'TERMINATED'>().notNull().default('ACTIVE'),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    uniqueIndex('employees_email_folded').on(t.workspaceId, addressKey(t.email)),
    index('employees_by_department').on(t.workspaceId, t.departmentId),
    foreignKey({
      columns: [t.workspaceId, t.departmentId],
      foreignColumns: [departments.workspaceId, departments.id],
      name: 'employees_department',
    }),
    foreignKey({
      columns: [t.workspaceId, t.managerId],
      foreignColumns: [t.workspaceId as AnyPgColumn, t.id as AnyPgColumn],
      name: 'employees_manager',
    }),
  ],
)

/** The picture of a person. Its bytes stand here and not in the storage of files, because booking shows pictures and may not reach files. */
export const employeePictures = pgTable(
  'employee_pictures',
  {
    workspaceId: workspaceId(),
    employeeId: uuid('employee_id').notNull(),
    /** Part of the address, so that an address always gives the same picture. */
    version: uuid('version').notNull(),
    /** The type of the bytes themselves. */
    mediaType: text('media_type').$type<'image/png' | 'image/jpeg' | 'image/webp'>().notNull(),
    size: integer('size').notNull(),
    bytes: bytes('bytes').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.employeeId] }),
    foreignKey({
      columns: [t.workspaceId, t.employeeId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'employee_pictures_employee',
    }).onDelete('cascade'),
  ],
)

export const roles = pgTable(
  'roles',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    id: rowId(),
    name: text('name').notNull(),
    description: text('description'),
    isSystem: boolean('is_system').notNull().default(false),
    permissions: text('permissions').array().notNull(),
    access: jsonb('access').$type<AccessRule[]>().notNull().default([]),
    isTwin: isTwin(),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    uniqueIndex('roles_name_folded')
      .on(t.workspaceId, folded(t.name))
      .where(sql`not ${t.isTwin}`),
  ],
)

export const employeeRoles = pgTable(
  'employee_roles',
  {
    workspaceId: workspaceId(),
    employeeId: uuid('employee_id').notNull(),
    roleId: uuid('role_id').notNull(),
    /** Whether somebody gave the role by hand; other roles follow the groups of the person in another system. */
    byHand: boolean('by_hand').notNull().default(true),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.employeeId, t.roleId] }),
    index('employee_roles_by_role').on(t.workspaceId, t.roleId),
    foreignKey({
      columns: [t.workspaceId, t.employeeId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'employee_roles_employee',
    }).onDelete('cascade'),
    foreignKey({
      columns: [t.workspaceId, t.roleId],
      foreignColumns: [roles.workspaceId, roles.id],
      name: 'employee_roles_role',
    }),
  ],
)

export const sessions = pgTable(
  'sessions',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    employeeId: uuid('employee_id').notNull(),
    tokenHash: bytes('token_hash').notNull(),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at')
      .notNull()
      .default(sql`now()`),
    expiresAt: instant('expires_at').notNull(),
    address: text('address'),
    userAgent: text('user_agent'),
    method: text('method').$type<SignInMethod>().notNull().default('PASSWORD'),
    /** Whether a second factor was shown at sign-in. */
    secondFactor: boolean('second_factor').notNull().default(false),
    /** The last time the person proved who they are; null: when the session was made. */
    authenticatedAt: instant('authenticated_at'),
    /** The longest life in hours, where the way of signing in sets one of its own. */
    hoursMax: integer('hours_max'),
    /** The sign-in at an identity provider that it began with; a row of `sso_sessions`. */
    ssoId: uuid('sso_id'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    unique('sessions_token').on(t.workspaceId, t.tokenHash),
    index('sessions_by_employee').on(t.workspaceId, t.employeeId),
    index('sessions_by_sso')
      .on(t.workspaceId, t.ssoId)
      .where(sql`${t.ssoId} IS NOT NULL`),
    foreignKey({
      columns: [t.workspaceId, t.employeeId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'sessions_employee',
    }).onDelete('cascade'),
  ],
)

export const apiKeys = pgTable(
  'api_keys',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    name: text('name').notNull(),
    prefix: text('prefix').notNull(),
    keyHash: bytes('key_hash').notNull(),
    scopes: text('scopes').array().notNull(),
    ownerId: uuid('owner_id').notNull(),
    createdAt: createdAt(),
    expiresAt: instant('expires_at'),
    lastUsedAt: instant('last_used_at'),
    lastUsedAddress: text('last_used_address'),
    revokedAt: instant('revoked_at'),
    createdById: uuid('created_by_id'),
    /** The blocks of addresses from which the key works; none: from everywhere. */
    allowedCidrs: text('allowed_cidrs').array().notNull().default([]),
    /** The end that somebody was told about by mail. */
    toldExpiresAt: instant('told_expires_at'),
    ...agentControl(),
    /** The first key of a line of rotated keys, whose use of a day goes on. */
    lineId: uuid('line_id'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    unique('api_keys_hash').on(t.workspaceId, t.keyHash),
    index('api_keys_by_owner').on(t.workspaceId, t.ownerId),
    foreignKey({
      columns: [t.workspaceId, t.ownerId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'api_keys_owner',
    }).onDelete('cascade'),
  ],
)

/** Failed sign-ins, by the digest of the key under which they are counted. */
export const signInTries = pgTable(
  'sign_in_tries',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    key: text('key').notNull(),
    failures: integer('failures').notNull().default(0),
    blockedUntil: instant('blocked_until'),
    endsAt: instant('ends_at')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [primaryKey({ columns: [t.workspaceId, t.key] }), index('sign_in_tries_by_end').on(t.endsAt)],
)

/** Who did something: a person, an account of a program, a directory, the command, the service, or somebody without a name. */
export type AuditActorType = 'EMPLOYEE' | 'SERVICE' | 'SCIM' | 'CLI' | 'SYSTEM' | 'ANONYMOUS'

export const auditLog = pgTable(
  'audit_log',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    id: rowId(),
    at: instant('at')
      .notNull()
      .default(sql`now()`),
    actorType: text('actor_type').$type<AuditActorType>().notNull().default('EMPLOYEE'),
    actorId: uuid('actor_id'),
    actorName: text('actor_name').notNull(),
    action: text('action').notNull(),
    outcome: text('outcome').$type<'SUCCESS' | 'FAILURE'>().notNull().default('SUCCESS'),
    /** The address of the caller; null for the command and for work in the background. */
    address: text('address'),
    userAgent: text('user_agent'),
    subjectType: text('subject_type').notNull(),
    subjectId: text('subject_id'),
    summary: text('summary').notNull(),
    /** The fields before and after, where something changed. */
    changes: jsonb('changes').$type<FieldChange[]>().notNull().default([]),
    data: jsonb('data').$type<Record<string, unknown>>().notNull().default({}),
    /** The class of the credential that was used, such as `session`, and its id. */
    credentialClass: text('credential_class'),
    credentialId: text('credential_id'),
    ...viaColumns(),
    requestId: text('request_id'),
    /** The place in the chain of the workspace, from 1; null until the entry is sealed, shortly after its commit. */
    seq: bigint('seq', { mode: 'number' }),
    /** Makes the digest of the personal part impossible to guess; null before sealing and after erasure. */
    privateSalt: text('private_salt'),
    privateHash: text('private_hash'),
    prevHash: text('prev_hash'),
    hash: text('hash'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('audit_log_at').on(t.at),
    uniqueIndex('audit_log_seq').on(t.workspaceId, t.seq),
    index('audit_log_unsealed')
      .on(t.workspaceId, t.at, t.id)
      .where(sql`${t.hash} is null`),
  ],
)

/** The chain of a workspace's audit log: its newest sealed entry, and how far it was handed on. */
export const auditChains = pgTable('audit_chains', {
  workspaceId: uuid('workspace_id')
    .primaryKey()
    .references(() => workspaces.id, { onDelete: 'cascade' }),
  seq: bigint('seq', { mode: 'number' }).notNull().default(0),
  hash: text('hash').notNull().default('0'.repeat(64)),
  /** The newest entry that retention has removed or is removing. */
  prunedSeq: bigint('pruned_seq', { mode: 'number' }).notNull().default(0),
  /** The newest entry that is in the file of the installation. */
  filedSeq: bigint('filed_seq', { mode: 'number' }).notNull().default(0),
  /** The newest entry that the receiver of the stream has taken. */
  streamedSeq: bigint('streamed_seq', { mode: 'number' }).notNull().default(0),
  /** When the head was last signed and kept outside the database. */
  signedAt: instant('signed_at'),
})

/** Where a workspace has its audit log sent. */
export const auditStreams = pgTable('audit_streams', {
  workspaceId: uuid('workspace_id')
    .primaryKey()
    .references(() => workspaces.id, { onDelete: 'cascade' }),
  url: text('url').notNull(),
  headerName: text('header_name'),
  /** Sealed; null without a header. */
  headerValue: text('header_value'),
  isActive: boolean('is_active').notNull().default(true),
  failures: integer('failures').notNull().default(0),
  /** Why the last try failed, in words for people. */
  problem: text('problem'),
  /** A sender claims the next entries by moving this time forward. */
  nextAt: instant('next_at')
    .notNull()
    .default(sql`now()`),
  updatedAt: updatedAt(),
})

export const notifications = pgTable(
  'notifications',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    employeeId: uuid('employee_id').notNull(),
    kind: text('kind').notNull(),
    text: text('text').notNull(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull().default({}),
    /** The record that it is about; whoever no longer sees the record no longer sees the notification. */
    entityType: text('entity_type'),
    entityId: uuid('entity_id'),
    createdAt: createdAt(),
    readAt: instant('read_at'),
    /** The time until which it is out of the way. */
    snoozedUntil: instant('snoozed_until'),
    doneAt: instant('done_at'),
    mailedAt: instant('mailed_at'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('notifications_by_employee').on(t.workspaceId, t.employeeId, t.id),
    index('notifications_at').on(t.createdAt),
    // Whoever knows that something happened to a record is not told again.
    index('notifications_unread_of_record')
      .on(t.workspaceId, t.entityType, t.entityId, t.employeeId)
      .where(sql`${t.readAt} is null`),
    foreignKey({
      columns: [t.workspaceId, t.employeeId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'notifications_employee',
    }).onDelete('cascade'),
  ],
)

/** The kinds of notifications that a person receives by email too, at once or once a day, and the kinds they do not want. */
export const notificationMails = pgTable(
  'notification_mails',
  {
    workspaceId: workspaceId(),
    employeeId: uuid('employee_id').notNull(),
    kinds: text('kinds').array().notNull(),
    digest: text('digest').array().notNull().default([]),
    off: text('off').array().notNull().default([]),
    /** Older notifications came before the person asked for mail. */
    since: instant('since').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.employeeId] }),
    foreignKey({
      columns: [t.workspaceId, t.employeeId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'notification_mails_employee',
    }).onDelete('cascade'),
  ],
)

/** The records that people follow: entries of their histories by others become notifications. */
export const follows = pgTable(
  'follows',
  {
    workspaceId: workspaceId(),
    employeeId: uuid('employee_id').notNull(),
    entityType: text('entity_type').notNull(),
    entityId: uuid('entity_id').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.employeeId, t.entityType, t.entityId] }),
    index('follows_of_record').on(t.workspaceId, t.entityType, t.entityId),
    foreignKey({
      columns: [t.workspaceId, t.employeeId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'follows_employee',
    }).onDelete('cascade'),
  ],
)

/** The state of the whole installation: one row, or none until the first setting. */
export const installation = pgTable(
  'installation',
  {
    isOnly: boolean('is_only').primaryKey().default(true),
    /** The time since which nothing is sent: no mail, no request, no run; null while everything is sent. */
    pausedAt: instant('paused_at'),
    /** The time of the newest backup that was verified; null when none was. */
    backupAt: instant('backup_at'),
  },
  (t) => [check('installation_is_only', sql`${t.isOnly}`)],
)

/** The running processes of the installation, each with a beat a minute. */
export const processes = pgTable('processes', {
  id: uuid('id').primaryKey(),
  /** The name of the deployable. */
  kind: text('kind').notNull(),
  version: text('version').notNull(),
  /** The creation time of the newest migration that its code knows, in milliseconds since 1970. */
  migration: bigint('migration', { mode: 'number' }).notNull(),
  startedAt: instant('started_at')
    .notNull()
    .default(sql`now()`),
  seenAt: instant('seen_at')
    .notNull()
    .default(sql`now()`),
  /** The most connections to PostgreSQL that it opens; null behind a pooler, which shares them. */
  connections: integer('connections'),
  /** For how long the oldest expired row of each table has waited for its deletion, in seconds; null where it deletes no history. */
  behind: jsonb('behind').$type<Readonly<Record<string, number>>>(),
  /** The release of the rules of time zones that it has, such as `2026c`; null in a process of before. */
  zoneRules: text('zone_rules'),
})

/** The work on existing rows that versions brought with them. */
export const backfills = pgTable('backfills', {
  name: text('name').primaryKey(),
  /** The number of changed rows. */
  rows: bigint('rows', { mode: 'number' }).notNull().default(0),
  /** Null while rows are left. */
  doneAt: instant('done_at'),
})
