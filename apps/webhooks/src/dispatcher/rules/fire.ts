import type { RuleAction } from '@crm/contract'
import { newId, schema, type Transaction } from '@crm/db'
import { queueRun, type OutboxRow } from '@crm/jobs'
import { evaluateConditions, type Condition } from '@crm/templates'
import { and, eq } from 'drizzle-orm'
import { conditionData, depthOf, readChangeEvent, type ChangeEvent } from './change-event.ts'

/** How many workflow runs may lead to one another; what the last one changes starts nothing more. */
const depthMax = 5

/** What the run of a rule needs when its turn comes; frozen, so that a later edit of the rule changes nothing. */
export interface QueuedRuleRun {
  readonly ruleId: string
  readonly change: ChangeEvent
  readonly actions: readonly RuleAction[]
}

const { automationRules, ruleRuns, workflowRuns, workflows, workflowVersions, outbox } = schema

/** Holds for a change `o` that no active rule and no published workflow listens to; most changes are such. */
export const isUnheard = `NOT EXISTS (
    SELECT FROM automation_rules a WHERE a.workspace_id = o.workspace_id AND a.event = o.event AND a.is_active
  ) AND NOT EXISTS (
    SELECT FROM workflows w WHERE w.workspace_id = o.workspace_id AND w.listens_to = o.event
  )`

/** Queues the rules and workflows that listen to a change, in the transaction that marks the change as done. */
export async function fireChange(row: OutboxRow, tx: Transaction): Promise<void> {
  if (depthOf(row) >= depthMax) return
  const change = readChangeEvent(row)
  await queueRules(row, tx, change)
  await queueWorkflows(row, tx, change)
}

async function queueRules({ workspaceId, id: eventId, event, entityId }: OutboxRow, tx: Transaction, change: ChangeEvent): Promise<void> {
  const listening = await tx
    .select({ id: automationRules.id, conditions: automationRules.conditions, actions: automationRules.actions })
    .from(automationRules)
    .where(and(eq(automationRules.workspaceId, workspaceId), eq(automationRules.event, event), automationRules.isActive))
    // A rule that is being deleted is either gone here, or waits for its runs.
    .for('key share')
  for (const { id: ruleId, actions } of listening.filter(({ conditions }) => holds(conditions, change))) {
    const id = newId()
    const { rowCount } = await tx.insert(ruleRuns).values({ workspaceId, id, ruleId, eventId, event, entityId, state: 'QUEUED' }).onConflictDoNothing()
    if (rowCount !== 1) continue
    const payload = { ruleId, change, actions } as unknown as Record<string, unknown>
    await tx.insert(outbox).values({ workspaceId, id, topic: 'rule', event: 'rule.queued', entityType: 'RULE_RUN', entityId: id, payload })
  }
}

async function queueWorkflows(row: OutboxRow, tx: Transaction, change: ChangeEvent): Promise<void> {
  const { workspaceId, event } = row
  const listening = await tx
    .select({ workflowId: workflows.id, version: workflowVersions.version, trigger: workflowVersions.trigger, runAsId: workflows.runAsId })
    .from(workflows)
    .innerJoin(
      workflowVersions,
      and(
        eq(workflowVersions.workspaceId, workflows.workspaceId),
        eq(workflowVersions.workflowId, workflows.id),
        eq(workflowVersions.version, workflows.publishedVersion),
      ),
    )
    .where(and(eq(workflows.workspaceId, workspaceId), eq(workflows.listensTo, event)))
  for (const { trigger, ...run } of listening) {
    if (!holds((trigger['conditions'] as unknown[] | undefined) ?? [], change)) continue
    const id = newId()
    await tx.insert(workflowRuns).values({ workspaceId, id, ...run, trigger: change, depth: depthOf(row) })
    await queueRun(tx, { workspaceId, runId: id, epoch: 1 })
  }
}

function holds(conditions: readonly unknown[], change: ChangeEvent): boolean {
  return evaluateConditions(conditions as readonly Condition[], conditionData(change))
}
