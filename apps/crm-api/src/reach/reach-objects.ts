import type { ReachObject } from '@crm/contract'
import { isAnyOf, schema, type RecordTable } from '@crm/db'
import type { Newcomer } from './judge-newcomer.ts'
import { and, eq, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Behind, ReachRequest } from './reach-request.ts'

interface Resolver {
  /**
   * Returns the people behind the object of a request; none when there is no such object. The people whom a change of rights
   * affects are found by comparison.
   */
  readonly people?: (request: ReachRequest) => Promise<readonly Behind[]>
  /** Returns the permissions that a new credential is to have. */
  readonly granted?: (request: ReachRequest) => readonly string[]
  /**
   * Whether the handler names the people whom it changes, before it does (`concern`), and only they are compared; otherwise
   * everybody is. A directory changes one person at a time, thousands of times.
   */
  readonly isNamedByHandler?: boolean
  /** Returns the person whom the object will make, later and without another judgement of the caller; null when there is no such object. */
  readonly newcomer?: (request: ReachRequest) => Promise<Newcomer | null>
}

const {
  agentSessions,
  apiKeys,
  automationRules,
  deliveries,
  employees,
  exports,
  imports,
  invitations,
  jobs,
  proposals,
  scimTokens,
  workflowRuns,
  workflows,
} = schema

/** The people whom each kind of object represents. */
export const reachResolvers: Readonly<Record<ReachObject, Resolver>> = {
  role: {},
  department: {},
  user: { people: async ({ params }) => named(params['id']) },
  'api-key': {
    people: async (request) =>
      request.params['id'] ? inColumn(apiKeys, apiKeys.ownerId)(request) : named(request.body['ownerId']),
    granted: ({ body }) => (body['scopes'] ?? []) as readonly string[],
  },
  connection: { people: async ({ query, callerId }) => named(query['employeeId'] ?? callerId) },
  workflow: { people: inColumn(workflows, workflows.runAsId) },
  'workflow-run': { people: inColumn(workflowRuns, workflowRuns.runAsId) },
  'automation-rule': { people: inColumn(automationRules, automationRules.createdById) },
  delivery: { people: senderOf },
  import: { people: inColumn(imports, imports.employeeId) },
  export: { people: inColumn(exports, exports.employeeId) },
  everybody: { people: everybody },
  subject: { people: async ({ body }) => personOf(body['subject']) },
  'person-data': { people: collectedPerson },
  'scim-token': {
    people: async (request) =>
      request.params['id'] ? inColumn(scimTokens, scimTokens.ownerId)(request) : named(request.body['ownerId']),
  },
  'scim-person': { isNamedByHandler: true },
  'scim-group': { isNamedByHandler: true },
  invitation: { newcomer: invited },
  proposal: { people: proposers },
  'agent-session': { people: inColumn(agentSessions, agentSessions.employeeId) },
}

/** Returns the people with whose rights the keys and clients work that proposed something. */
async function proposers({ db, workspaceId, params, body }: ReachRequest): Promise<readonly Behind[]> {
  const ids = params['id'] ? [params['id']] : ((body['ids'] ?? []) as readonly string[])
  const rows = await db
    .selectDistinct({ person: proposals.employeeId })
    .from(proposals)
    .where(and(eq(proposals.workspaceId, workspaceId), isAnyOf(proposals.id, ids)))
  return rows.map(({ person }) => person)
}

/** Returns the resolver for objects with their person in a column. */
function inColumn(table: RecordTable, column: PgColumn): NonNullable<Resolver['people']> {
  return async ({ db, workspaceId, params }) => {
    const rows = await db
      .select({ person: sql<Behind>`${column}` })
      .from(table)
      .where(and(eq(table.workspaceId, workspaceId), eq(table.id, params['id'])))
    return rows.map(({ person }) => person)
  }
}

/** Returns the person whose rule or run sent a request; unknown once the rule is deleted. */
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

/** Returns the person of an invitation: the one in the body, or else the one of the id. */
async function invited({ db, workspaceId, params, body }: ReachRequest): Promise<Newcomer | null> {
  const { roleIds, departmentId } = body as Partial<Newcomer>
  if (roleIds) return { roleIds, departmentId: departmentId ?? null }
  const [row] = await db
    .select({ roleIds: invitations.roleIds, departmentId: invitations.departmentId })
    .from(invitations)
    .where(and(eq(invitations.workspaceId, workspaceId), eq(invitations.id, params['id'] ?? '')))
  return row ?? null
}

/** Returns every active person, for rules that hold for all of them. */
async function everybody({ db, workspaceId }: ReachRequest): Promise<readonly Behind[]> {
  const rows = await db
    .select({ id: employees.id })
    .from(employees)
    .where(and(eq(employees.workspaceId, workspaceId), eq(employees.status, 'ACTIVE')))
  return rows.map(({ id }) => id)
}

/** Returns the person whose data a file has that the caller collected. */
async function collectedPerson({ db, workspaceId, callerId, params }: ReachRequest): Promise<readonly Behind[]> {
  const { jobId = '' } = params
  const [job] = await db
    .select({ payload: jobs.payload })
    .from(jobs)
    .where(and(eq(jobs.workspaceId, workspaceId), eq(jobs.id, jobId), eq(jobs.employeeId, callerId)))
  return personOf(job?.payload['subject'])
}

/** Returns the person with an account whose data is concerned; contacts and leads reach nothing. */
function personOf(subject: unknown): readonly Behind[] {
  const { type, id } = (subject ?? {}) as { readonly type?: unknown; readonly id?: unknown }
  return type === 'EMPLOYEE' ? named(id) : []
}

function named(id: unknown): readonly Behind[] {
  return typeof id === 'string' ? [id] : []
}
