import type { ViaType } from '@crm/permissions'
import { sql } from 'drizzle-orm'
import {
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytes, createdAt, instant, rowId, workspaceId } from '../columns.ts'
import { employees } from './core.ts'
import type { FieldChange } from './field-change.ts'

/** A request as it was frozen. */
export interface ProposedRequest {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path with its query. */
  readonly url: string
  readonly body: unknown
}

/** Writes of agents that wait for a person's word, and those that were decided. */
export const proposals = pgTable(
  'proposals',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    /** The person with whose rights the credential works. */
    employeeId: uuid('employee_id').notNull(),
    credentialClass: text('credential_class').$type<'api-key' | 'oauth-token'>().notNull(),
    credentialId: uuid('credential_id').notNull(),
    viaType: text('via_type').$type<ViaType>().notNull(),
    viaId: uuid('via_id').notNull(),
    viaName: text('via_name').notNull(),
    operation: text('operation').notNull(),
    request: jsonb('request').$type<ProposedRequest>().notNull(),
    changes: jsonb('changes').$type<Record<string, unknown>[]>().notNull(),
    more: integer('more').notNull().default(0),
    hidden: integer('hidden').notNull().default(0),
    /** The versions of the records that it changes, by id. */
    versions: jsonb('versions').$type<Record<string, number>>().notNull(),
    /** The record that it is about, by which several are decided together. */
    entityType: text('entity_type'),
    entityId: uuid('entity_id'),
    state: text('state')
      .$type<'PENDING' | 'APPROVED' | 'REJECTED' | 'EXPIRED' | 'FAILED'>()
      .notNull()
      .default('PENDING'),
    /** The code of a failure. */
    code: text('code'),
    comment: text('comment'),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
    decidedAt: instant('decided_at'),
    decidedById: uuid('decided_by_id'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('proposals_of_person').on(t.workspaceId, t.employeeId, t.state, t.id),
    index('proposals_of_credential').on(t.workspaceId, t.credentialId, t.state, t.id),
    index('proposals_open')
      .on(t.expiresAt)
      .where(sql`${t.state} = 'PENDING'`),
    foreignKey({
      columns: [t.workspaceId, t.employeeId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'proposals_employee',
    }).onDelete('cascade'),
  ],
)

/** What credentials with limits have used, by the day of the workspace. */
export const budgetUses = pgTable(
  'budget_uses',
  {
    workspaceId: workspaceId(),
    /** The key or the connection; a rotated key goes on with the use of the one before. */
    budgetKey: text('budget_key').notNull(),
    day: date('day').notNull(),
    writes: integer('writes').notNull().default(0),
    deletes: integer('deletes').notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.workspaceId, t.budgetKey, t.day] }), index('budget_uses_by_age').on(t.createdAt)],
)

/** The calls of a key or a connection with less than half an hour between them. A session reaches to the start of the next one. */
export const agentSessions = pgTable(
  'agent_sessions',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    /** The person with whose rights the credential works. */
    employeeId: uuid('employee_id').notNull(),
    viaType: text('via_type').$type<ViaType>().notNull(),
    viaId: uuid('via_id').notNull(),
    viaName: text('via_name').notNull(),
    startedAt: instant('started_at').notNull(),
    lastAt: instant('last_at').notNull(),
    reads: integer('reads').notNull().default(0),
    writes: integer('writes').notNull().default(0),
    refusals: integer('refusals').notNull().default(0),
    /** The work that took back what the session did; null: nobody has asked for it. */
    undoJobId: uuid('undo_job_id'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('agent_sessions_of_agent').on(t.workspaceId, t.viaId, t.employeeId, t.startedAt),
    index('agent_sessions_of_person').on(t.workspaceId, t.employeeId, t.startedAt),
    index('agent_sessions_by_age').on(t.lastAt),
    foreignKey({
      columns: [t.workspaceId, t.employeeId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'agent_sessions_employee',
    }).onDelete('cascade'),
  ],
)

/** What agents did to rows without a history of their own: files, the choices of lists, and what belongs to the set-up of a workspace. */
export const agentActs = pgTable(
  'agent_acts',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    /** The person with whose rights the credential worked. */
    employeeId: uuid('employee_id').notNull(),
    viaId: uuid('via_id').notNull(),
    entityType: text('entity_type').notNull(),
    entityId: uuid('entity_id').notNull(),
    told: text('told').$type<'CREATED' | 'CHANGED' | 'DELETED'>().notNull(),
    title: text('title'),
    /** The operation of the API; null for acts of before it was noted, and in the background. */
    operation: text('operation'),
    changes: jsonb('changes').$type<FieldChange[]>().notNull().default([]),
    at: instant('at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('agent_acts_of_agent').on(t.workspaceId, t.viaId, t.at),
    index('agent_acts_by_age').on(t.at),
    foreignKey({
      columns: [t.workspaceId, t.employeeId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'agent_acts_employee',
    }).onDelete('cascade'),
  ],
)

/** Questions to people about one call of an agent each; the tool server asks, and the API lets a confirmed call pass once. */
export const confirmations = pgTable(
  'confirmations',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    /** Digest of the text that the client carries from the question to the answer. */
    stateHash: bytes('state_hash').notNull(),
    employeeId: uuid('employee_id').notNull(),
    credentialId: uuid('credential_id').notNull(),
    /** Digest of the request that is asked about. */
    requestDigest: bytes('request_digest').notNull(),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
    /** When the person answered. */
    decidedAt: instant('decided_at'),
    /** When the call was made; a person who declines uses it up. */
    usedAt: instant('used_at'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    uniqueIndex('confirmations_state').on(t.workspaceId, t.stateHash),
    index('confirmations_by_age').on(t.expiresAt),
    foreignKey({
      columns: [t.workspaceId, t.employeeId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'confirmations_employee',
    }).onDelete('cascade'),
  ],
)
