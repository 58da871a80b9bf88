import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytes, createdAt, instant, rowId, stamps, workspaceId } from '../columns.ts'
import { employees } from './core.ts'

export const workflows = pgTable(
  'workflows',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    name: text('name').notNull(),
    status: text('status').$type<'DRAFT' | 'PUBLISHED' | 'UNPUBLISHED'>().notNull().default('DRAFT'),
    trigger: jsonb('trigger').$type<Record<string, unknown>>().notNull(),
    steps: jsonb('steps').$type<Record<string, unknown>[]>().notNull(),
    publishedVersion: integer('published_version'),
    /** The event that starts the workflow, while it is published and listens to one. */
    listensTo: text('listens_to'),
    /** When the workflow starts next, while it is published and starts at a time of day. */
    nextRunAt: instant('next_run_at'),
    /** The person whose rights its runs use. */
    runAsId: uuid('run_as_id').notNull(),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('workflows_listening')
      .on(t.workspaceId, t.listensTo)
      .where(sql`${t.listensTo} is not null`),
    index('workflows_due')
      .on(t.nextRunAt)
      .where(sql`${t.nextRunAt} is not null`),
    foreignKey({
      columns: [t.workspaceId, t.runAsId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'workflows_run_as',
    }),
  ],
)

export const workflowVersions = pgTable(
  'workflow_versions',
  {
    workspaceId: workspaceId(),
    workflowId: uuid('workflow_id').notNull(),
    version: integer('version').notNull(),
    trigger: jsonb('trigger').$type<Record<string, unknown>>().notNull(),
    steps: jsonb('steps').$type<Record<string, unknown>[]>().notNull(),
    publishedAt: createdAt(),
    publishedById: uuid('published_by_id'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.workflowId, t.version] }),
    foreignKey({
      columns: [t.workspaceId, t.workflowId],
      foreignColumns: [workflows.workspaceId, workflows.id],
      name: 'workflow_versions_workflow',
    }).onDelete('cascade'),
  ],
)

/** The header that callers of a webhook must send, with the digest of its value in hexadecimal digits. An empty value has no digest; earlier versions kept all values. */
export type KeptHeader =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly digest: string }

/** What a webhook takes besides calls with JSON. */
export interface HookOptions {
  readonly accept?: 'JSON' | 'FORM' | 'ANY'
  readonly challenge?: {
    readonly in: 'QUERY' | 'BODY' | 'HEADER'
    /** The parameter, the path in the body, or the header that is given back. */
    readonly echo: string
    readonly as: 'TEXT' | 'JSON' | 'HEADER'
    readonly name?: string | undefined
    readonly require?: { readonly name: string; readonly equals: string } | undefined
  }
  readonly cloudEvents?: boolean
}

/** The address of a webhook workflow; it outlives unpublishing. */
export const webhookTriggers = pgTable(
  'webhook_triggers',
  {
    workspaceId: workspaceId(),
    workflowId: uuid('workflow_id').notNull(),
    path: text('path').notNull(),
    pathHash: bytes('path_hash').notNull(),
    secretHash: bytes('secret_hash').notNull(),
    isPublished: boolean('is_published').notNull().default(false),
    method: text('method').$type<'POST' | 'GET' | 'PUT' | 'ANY'>().notNull().default('POST'),
    headerAuth: jsonb('header_auth').$type<KeptHeader>(),
    options: jsonb('options').$type<HookOptions>(),
    lastRequest: jsonb('last_request').$type<Record<string, unknown>>(),
    lastRequestAt: instant('last_request_at'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.workflowId] }),
    unique('webhook_triggers_path').on(t.workspaceId, t.pathHash),
    foreignKey({
      columns: [t.workspaceId, t.workflowId],
      foreignColumns: [workflows.workspaceId, workflows.id],
      name: 'webhook_triggers_workflow',
    }).onDelete('cascade'),
  ],
)

/** Calls that the ingress refused, for the owner of the workflow to see. */
export const refusedCalls = pgTable(
  'refused_calls',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    workflowId: uuid('workflow_id').notNull(),
    at: instant('at')
      .notNull()
      .default(sql`now()`),
    reason: text('reason').notNull(),
    sizeBytes: bigint('size_bytes', { mode: 'number' }),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('refused_calls_by_workflow').on(t.workspaceId, t.workflowId, t.id),
    index('refused_calls_at').on(t.at),
    foreignKey({
      columns: [t.workspaceId, t.workflowId],
      foreignColumns: [workflows.workspaceId, workflows.id],
      name: 'refused_calls_workflow',
    }).onDelete('cascade'),
  ],
)

export const workflowRuns = pgTable(
  'workflow_runs',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    workflowId: uuid('workflow_id').notNull(),
    version: integer('version').notNull(),
    runAsId: uuid('run_as_id').notNull(),
    state: text('state')
      .$type<'QUEUED' | 'RUNNING' | 'WAITING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED'>()
      .notNull()
      .default('QUEUED'),
    /** Increases with every take-over and retry; writes of an older epoch have no effect. */
    epoch: integer('epoch').notNull().default(1),
    leaseUntil: instant('lease_until'),
    resumeAt: instant('resume_at'),
    trigger: jsonb('trigger').$type<unknown>(),
    failureCode: text('failure_code'),
    failureMessage: text('failure_message'),
    /** The record whose change started the run. */
    subjectType: text('subject_type'),
    subjectId: uuid('subject_id'),
    /** The run whose step started this one; it may be deleted before. */
    startedByRunId: uuid('started_by_run_id'),
    /** The number of rules and workflows that led to this run, to stop loops. */
    depth: smallint('depth').notNull().default(0),
    isTest: boolean('is_test').notNull().default(false),
    createdAt: createdAt(),
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('workflow_runs_by_workflow').on(t.workspaceId, t.workflowId, t.id),
    index('workflow_runs_by_state').on(t.workspaceId, t.state, t.id),
    index('workflow_runs_by_workflow_state').on(t.workspaceId, t.workflowId, t.state, t.id),
    index('workflow_runs_finished')
      .on(t.finishedAt)
      .where(sql`${t.finishedAt} is not null`),
    index('workflow_runs_open')
      .on(t.createdAt)
      .where(sql`${t.state} in ('QUEUED', 'RUNNING', 'WAITING')`),
    index('workflow_runs_due')
      .on(sql`coalesce(${t.leaseUntil}, ${t.resumeAt})`)
      .where(sql`${t.state} in ('RUNNING', 'WAITING')`),
    foreignKey({
      columns: [t.workspaceId, t.workflowId, t.version],
      foreignColumns: [workflowVersions.workspaceId, workflowVersions.workflowId, workflowVersions.version],
      name: 'workflow_runs_version',
    }).onDelete('cascade'),
  ],
)

export const workflowStepRuns = pgTable(
  'workflow_step_runs',
  {
    workspaceId: workspaceId(),
    runId: uuid('run_id').notNull(),
    /** The position of the step, for example `2` or `3.then.0`. */
    position: text('position').notNull(),
    stepKey: text('step_key').notNull(),
    type: text('type').notNull(),
    state: text('state').$type<'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'SKIPPED'>().notNull(),
    epoch: integer('epoch').notNull(),
    input: jsonb('input').$type<unknown>(),
    output: jsonb('output').$type<unknown>(),
    failureCode: text('failure_code'),
    failureMessage: text('failure_message'),
    startedAt: instant('started_at')
      .notNull()
      .default(sql`now()`),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.runId, t.position] }),
    foreignKey({
      columns: [t.workspaceId, t.runId],
      foreignColumns: [workflowRuns.workspaceId, workflowRuns.id],
      name: 'workflow_step_runs_run',
    }).onDelete('cascade'),
  ],
)

/** The person who had the last turn at a step that assigns records in turn; it belongs to all versions of the workflow. */
export const assignmentTurns = pgTable(
  'assignment_turns',
  {
    workspaceId: workspaceId(),
    workflowId: uuid('workflow_id').notNull(),
    stepKey: text('step_key').notNull(),
    lastId: uuid('last_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.workflowId, t.stepKey] }),
    foreignKey({
      columns: [t.workspaceId, t.workflowId],
      foreignColumns: [workflows.workspaceId, workflows.id],
      name: 'assignment_turns_workflow',
    }).onDelete('cascade'),
  ],
)

export const automationRules = pgTable(
  'automation_rules',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    name: text('name').notNull(),
    isActive: boolean('is_active').notNull().default(true),
    event: text('event').notNull(),
    conditions: jsonb('conditions').$type<Record<string, unknown>[]>().notNull().default([]),
    actions: jsonb('actions').$type<Record<string, unknown>[]>().notNull(),
    failuresInRow: integer('failures_in_row').notNull().default(0),
    pausedAt: instant('paused_at'),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('automation_rules_by_event')
      .on(t.workspaceId, t.event)
      .where(sql`${t.isActive}`),
  ],
)

export const ruleRuns = pgTable(
  'rule_runs',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    ruleId: uuid('rule_id').notNull(),
    /** The outbox row that fired the rule; the rule runs at most once for it. */
    eventId: uuid('event_id').notNull(),
    event: text('event').notNull(),
    entityId: uuid('entity_id'),
    /** The record that decides who may see the run; for a comment its parent record. */
    subjectType: text('subject_type'),
    subjectId: uuid('subject_id'),
    state: text('state').$type<'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'SKIPPED'>().notNull(),
    /** The actions that a skipped run would have taken, for a replay. */
    skipped: jsonb('skipped').$type<Record<string, unknown>>(),
    startedAt: instant('started_at')
      .notNull()
      .default(sql`now()`),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    uniqueIndex('rule_runs_once').on(t.workspaceId, t.ruleId, t.eventId),
    index('rule_runs_by_rule').on(t.workspaceId, t.ruleId, t.id),
    index('rule_runs_by_rule_state').on(t.workspaceId, t.ruleId, t.state, t.id),
    index('rule_runs_finished')
      .on(t.finishedAt)
      .where(sql`${t.finishedAt} is not null`),
    index('rule_runs_open')
      .on(t.startedAt)
      .where(sql`${t.state} = 'RUNNING'`),
    foreignKey({
      columns: [t.workspaceId, t.ruleId],
      foreignColumns: [automationRules.workspaceId, automationRules.id],
      name: 'rule_runs_rule',
    }).onDelete('cascade'),
  ],
)

export interface FrozenRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export const deliveries = pgTable(
  'deliveries',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    ruleId: uuid('rule_id'),
    ruleRunId: uuid('rule_run_id'),
    runId: uuid('run_id'),
    /** The record whose change a rule reported. */
    subjectType: text('subject_type'),
    subjectId: uuid('subject_id'),
    request: jsonb('request').$type<FrozenRequest>().notNull(),
    /** SENDING is written before the request leaves, so that a crash shows as an unknown outcome. */
    state: text('state').$type<'SENDING' | 'SUCCEEDED' | 'FAILED'>().notNull(),
    status: smallint('status'),
    durationMs: integer('duration_ms'),
    responseBody: text('response_body'),
    /** Whether the answer went on after the part that is kept. */
    responseTruncated: boolean('response_truncated').notNull().default(false),
    error: text('error'),
    attemptedAt: instant('attempted_at')
      .notNull()
      .default(sql`now()`),
    redeliveryOf: uuid('redelivery_of'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('deliveries_by_rule').on(t.workspaceId, t.ruleId, t.id),
    index('deliveries_by_run').on(t.workspaceId, t.runId),
    index('deliveries_at').on(t.attemptedAt),
    index('deliveries_sending')
      .on(t.attemptedAt)
      .where(sql`${t.state} = 'SENDING'`),
  ],
)
