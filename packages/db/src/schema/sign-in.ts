import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytes, createdAt, instant, rowId, workspaceId } from '../columns.ts'
import { addressKey } from '../folding.ts'
import { employees, workspaces, type SignInMethod } from './core.ts'

/** Sign-ins that wait for their second factor, by the digest of the cookie's value. */
export const pendingSignIns = pgTable(
  'pending_sign_ins',
  {
    workspaceId: workspaceId(),
    tokenHash: bytes('token_hash').notNull(),
    employeeId: uuid('employee_id').notNull(),
    /** `ENROL`: the person has no second factor yet and needs one. */
    step: text('step').$type<'SECOND_FACTOR' | 'ENROL'>().notNull(),
    method: text('method').$type<SignInMethod>().notNull(),
    /** The longest life of the session in hours, where the first step sets one. */
    hoursMax: integer('hours_max'),
    /** The sign-in at an identity provider that it began with; a row of `sso_sessions`. */
    ssoId: uuid('sso_id'),
    /** The wrong second factors. */
    failures: integer('failures').notNull().default(0),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.tokenHash] }),
    index('pending_sign_ins_by_employee').on(t.workspaceId, t.employeeId),
    index('pending_sign_ins_by_end').on(t.expiresAt),
    foreignKey({
      columns: [t.workspaceId, t.employeeId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'pending_sign_ins_employee',
    }).onDelete('cascade'),
  ],
)

/** The authenticator app of a person; secrets are sealed. */
export const totpFactors = pgTable(
  'totp_factors',
  {
    workspaceId: workspaceId(),
    employeeId: uuid('employee_id').notNull(),
    /** The confirmed secret; null before the first confirmation. */
    secret: text('secret'),
    confirmedAt: instant('confirmed_at'),
    /** A new secret that waits for its confirmation. */
    offered: text('offered'),
    /** The last step of 30 seconds whose code was used, counted from 1970. */
    lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.employeeId] }),
    foreignKey({
      columns: [t.workspaceId, t.employeeId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'totp_factors_employee',
    }).onDelete('cascade'),
  ],
)

/** The digests of recovery codes; a used code keeps its row until there are new ones. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    workspaceId: workspaceId(),
    employeeId: uuid('employee_id').notNull(),
    codeHash: bytes('code_hash').notNull(),
    usedAt: instant('used_at'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.employeeId, t.codeHash] }),
    foreignKey({
      columns: [t.workspaceId, t.employeeId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'recovery_codes_employee',
    }).onDelete('cascade'),
  ],
)

export const passkeys = pgTable(
  'passkeys',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    employeeId: uuid('employee_id').notNull(),
    name: text('name').notNull(),
    /** The id that the authenticator gave it, in base64url. */
    credentialId: text('credential_id').notNull(),
    publicKey: bytes('public_key').notNull(),
    /** The number of uses that the authenticator reports; many always report 0. */
    counter: bigint('counter', { mode: 'number' }).notNull().default(0),
    transports: text('transports').array().notNull().default([]),
    /** Whether it is kept in several places, such as a synchronised keychain. */
    isBackedUp: boolean('is_backed_up').notNull().default(false),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    unique('passkeys_credential').on(t.workspaceId, t.credentialId),
    index('passkeys_by_employee').on(t.workspaceId, t.employeeId),
    foreignKey({
      columns: [t.workspaceId, t.employeeId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'passkeys_employee',
    }).onDelete('cascade'),
  ],
)

/** Challenges for passkeys, each for one answer. */
export const passkeyChallenges = pgTable(
  'passkey_challenges',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    challenge: text('challenge').notNull(),
    /** The person it was made for; null: anybody who signs in with a passkey alone. */
    employeeId: uuid('employee_id'),
    purpose: text('purpose').$type<'ADD' | 'SIGN_IN' | 'SECOND_FACTOR' | 'REAUTHENTICATE'>().notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspaceId, t.challenge] }), index('passkey_challenges_by_end').on(t.expiresAt)],
)

export const invitations = pgTable(
  'invitations',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    email: text('email').notNull(),
    firstName: text('first_name'),
    lastName: text('last_name'),
    roleIds: uuid('role_ids').array().notNull(),
    departmentId: uuid('department_id'),
    managerId: uuid('manager_id'),
    invitedById: uuid('invited_by_id').notNull(),
    /** An invitation whose end has passed is expired, whatever stands here. */
    status: text('status').$type<'PENDING' | 'ACCEPTED' | 'EXPIRED' | 'CANCELLED'>().notNull().default('PENDING'),
    /** The digest of the token in the last link. */
    tokenHash: bytes('token_hash').notNull(),
    emailSent: boolean('email_sent').notNull().default(false),
    /** The times at which it was sent again, of the last day. */
    resentAt: instant('resent_at').array().notNull().default([]),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
    /** The account that it became. */
    employeeId: uuid('employee_id'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    unique('invitations_token').on(t.workspaceId, t.tokenHash),
    index('invitations_by_end').on(t.expiresAt),
    uniqueIndex('invitations_pending_folded')
      .on(t.workspaceId, addressKey(t.email))
      .where(sql`${t.status} = 'PENDING'`),
    foreignKey({
      columns: [t.workspaceId, t.invitedById],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'invitations_inviter',
    }).onDelete('cascade'),
  ],
)

/** Links by which people choose a new password, by the digest of the token. */
export const passwordResets = pgTable(
  'password_resets',
  {
    workspaceId: workspaceId(),
    tokenHash: bytes('token_hash').notNull(),
    employeeId: uuid('employee_id').notNull(),
    /** The administrator who sent it; null: the person asked for it. */
    sentById: uuid('sent_by_id'),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
    /** The time at which it was used or died with another one. */
    endedAt: instant('ended_at'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.tokenHash] }),
    index('password_resets_by_employee').on(t.workspaceId, t.employeeId, t.createdAt),
    index('password_resets_by_end').on(t.expiresAt),
    foreignKey({
      columns: [t.workspaceId, t.employeeId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'password_resets_employee',
    }).onDelete('cascade'),
  ],
)
