import type { ReachObject } from '@crm/contract'
import { schema, type Executor, type RecordTable } from '@crm/db'
import { and, eq, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** What of a request tells which object it concerns. */
export interface ReachRequest {
  readonly db: Executor
  readonly workspaceId: string
  readonly callerId: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
}

/** The person behind an object; null: nobody who is still known, so only an administrator may stand in for them. */
type Behind = string | null

interface Resolver {
  /** The people behind the object of a request, none when there is no such object. Whom a change of rights reaches is told by comparing. */
  readonly people?: (request: ReachRequest) => Promise<readonly Behind[]>
  /** The permissions that a new credential is to have. */
  readonly granted?: (request: ReachRequest) => readonly string[]
}

const { apiKeys, automationRules, deliveries, exports, imports, workflowRuns, workflows } = schema

/** Whom each kind of object stands for. */
export const reachResolvers: Readonly<Record<ReachObject, Resolver>> = {
  role: {},
  department: {},
  user: { people: async ({ params }) => named(params['id']) },
  'api-key': {
    people: inColumn(apiKeys, apiKeys.ownerId),
    granted: ({ body }) => (body['scopes'] ?? []) as readonly string[],
  },
  connection: { people: async ({ query, callerId }) => named(query['employeeId'] ?? callerId) },
  workflow: { people: inColumn(workflows, workflows.runAsId) },
  'workflow-run': { people: inColumn(workflowRuns, workflowRuns.runAsId) },
  'automation-rule': { people: inColumn(automationRules, automationRules.createdById) },
  delivery: { people: senderOf },
  import: { people: inColumn(imports, imports.employeeId) },
  export: { people: inColumn(exports, exports.employeeId) },
}

/** Objects that name their person in a column. */
function inColumn(table: RecordTable, column: PgColumn): NonNullable<Resolver['people']> {
  return async ({ db, workspaceId, params }) => {
    const rows = await db
      .select({ person: sql<Behind>`${column}` })
      .from(table)
      .where(and(eq(table.workspaceId, workspaceId), eq(table.id, params['id'])))
    return rows.map(({ person }) => person)
  }
}

/** Whose rule or run sent a request; nobody is known once the rule is deleted. */
async function senderOf({ db, workspaceId, params }: ReachRequest): Promise<readonly Behind[]> {
  const rows = await db
    .select({ maker: automationRules.createdById, runAs: workflowRuns.runAsId })
    .from(deliveries)
    .leftJoin(
      automationRules,
      and(eq(automationRules.workspaceId, deliveries.workspaceId), eq(automationRules.id, deliveries.ruleId)),
    )
    .leftJoin(
      workflowRuns,
      and(eq(workflowRuns.workspaceId, deliveries.workspaceId), eq(workflowRuns.id, deliveries.runId)),
    )
    .where(and(eq(deliveries.workspaceId, workspaceId), eq(deliveries.id, params['id'] ?? '')))
  return rows.map(({ maker, runAs }) => maker ?? runAs)
}

function named(id: unknown): readonly Behind[] {
  return typeof id === 'string' ? [id] : []
}
