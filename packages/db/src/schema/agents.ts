import type { ViaType } from '@crm/permissions'
import { sql } from 'drizzle-orm'
import { date, foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant, rowId, workspaceId } from '../columns.ts'
import { employees } from './core.ts'

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
