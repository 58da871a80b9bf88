import { firstIdAt, schema, type Executor, holdsFolded } from '@crm/db'
import { and, count, desc, eq, gte, inArray, not, sql, type SQL } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'

const { automationRules, ruleRuns, workflowRuns, workflows } = schema

export type AutomationState = 'DRAFT' | 'ON' | 'PAUSED'

export interface AutomationFilter {
  readonly state?: AutomationState
  readonly search?: string
}

/** The runs of one workflow or rule in some time. */
export interface RunCount {
  readonly runs: number
  readonly failures: number
}

/** Returns one page of workflows and rules, newest first. */
export async function listAutomations(
  db: Executor,
  workspaceId: string,
  filter: AutomationFilter,
  limit: number,
  offset: number,
) {
  const [ofWorkflows, ofRules] = [workflowsWhere(workspaceId, filter), rulesWhere(workspaceId, filter)]
  const [workflowTotal] = await db.select({ n: count() }).from(workflows).where(ofWorkflows)
  const [ruleTotal] = await db.select({ n: count() }).from(automationRules).where(ofRules)
  const items = await unionAll(
    db
      .select({
        id: workflows.id,
        type: sql<'WORKFLOW' | 'RULE'>`'WORKFLOW'`.as('type'),
        name: workflows.name,
        state: sql<AutomationState>`case ${workflows.status}
          when 'PUBLISHED' then 'ON' when 'UNPUBLISHED' then 'PAUSED' else 'DRAFT' end`.as('state'),
        trigger: workflows.trigger,
        steps: workflows.steps,
        createdAt: workflows.createdAt,
        updatedAt: workflows.updatedAt,
      })
      .from(workflows)
      .where(ofWorkflows),
    db
      .select({
        id: automationRules.id,
        type: sql<'WORKFLOW' | 'RULE'>`'RULE'`.as('type'),
        name: automationRules.name,
        state: sql<AutomationState>`case when ${automationRules.isActive} then 'ON' else 'PAUSED' end`.as('state'),
        trigger: sql<Record<string, unknown>>`jsonb_build_object(
          'type', 'EVENT', 'event', ${automationRules.event}, 'conditions', ${automationRules.conditions}
        )`.as('trigger'),
        steps: automationRules.actions,
        createdAt: automationRules.createdAt,
        updatedAt: automationRules.updatedAt,
      })
      .from(automationRules)
      .where(ofRules),
  )
    .orderBy(desc(sql`created_at`), desc(sql`id`))
    .limit(limit)
    .offset(offset)
  return { items, total: (workflowTotal?.n ?? 0) + (ruleTotal?.n ?? 0) }
}

function workflowsWhere(workspaceId: string, { state, search }: AutomationFilter): SQL | undefined {
  const statuses = { DRAFT: 'DRAFT', ON: 'PUBLISHED', PAUSED: 'UNPUBLISHED' } as const
  return and(
    eq(workflows.workspaceId, workspaceId),
    state ? eq(workflows.status, statuses[state]) : undefined,
    search ? holdsFolded(workflows.name, search) : undefined,
  )
}

function rulesWhere(workspaceId: string, { state, search }: AutomationFilter): SQL | undefined {
  const inState = { DRAFT: sql`false`, ON: sql`${automationRules.isActive}`, PAUSED: not(automationRules.isActive) }
  return and(
    eq(automationRules.workspaceId, workspaceId),
    state ? inState[state] : undefined,
    search ? holdsFolded(automationRules.name, search) : undefined,
  )
}

/** Counts the runs of workflows and rules since a moment in milliseconds, by the id of the workflow or rule. */
export async function countRuns(
  db: Executor,
  workspaceId: string,
  ids: readonly string[],
  since: number,
): Promise<ReadonlyMap<string, RunCount>> {
  if (ids.length === 0) return new Map()
  // Ids grow with time, and the index of runs ends with them.
  const firstId = firstIdAt(since)
  const ofWorkflows = await db
    .select({ id: workflowRuns.workflowId, runs: count(), failures: failuresOf(workflowRuns.state) })
    .from(workflowRuns)
    .where(
      and(
        eq(workflowRuns.workspaceId, workspaceId),
        inArray(workflowRuns.workflowId, [...ids]),
        gte(workflowRuns.id, firstId),
        not(workflowRuns.isTest),
      ),
    )
    .groupBy(workflowRuns.workflowId)
  const ofRules = await db
    .select({ id: ruleRuns.ruleId, runs: count(), failures: failuresOf(ruleRuns.state) })
    .from(ruleRuns)
    .where(and(eq(ruleRuns.workspaceId, workspaceId), inArray(ruleRuns.ruleId, [...ids]), gte(ruleRuns.id, firstId)))
    .groupBy(ruleRuns.ruleId)
  return new Map([...ofWorkflows, ...ofRules].map(({ id, ...counted }) => [id, counted]))
}

function failuresOf(state: typeof workflowRuns.state | typeof ruleRuns.state): SQL<number> {
  return sql<number>`count(*) filter (where ${state} = 'FAILED')`.mapWith(Number)
}
