import { conditionData, depthOf, readChangeEvent, type ChangeEvent, type RuleAction } from '@crm/contract'
import { isPublishedVersion, newId, schema, type Transaction } from '@crm/db'
import { queueRun, type OutboxRow } from '@crm/jobs'
import { evaluateConditions, type Condition } from '@crm/templates'
import { and, eq } from 'drizzle-orm'

import { depthMax } from '../runs/run.ts'
import { subjectOf, type Sees, type Sight, type Subject } from './maker-sight.ts'

/**
 * The data that the run of a rule needs when its turn comes. It is frozen, so that a later edit of the rule has no
 * effect on it.
 */
export interface QueuedRuleRun {
  readonly ruleId: string
  readonly change: ChangeEvent
  /** The subject is kept because the maker may lose sight of it before the turn comes. */
  readonly subject: Subject
  readonly actions: readonly RuleAction[]
}

const { automationRules, ruleRuns, workflowRuns, workflows, workflowVersions, outbox } = schema

/** Holds for a change `o` of the workspace `$1` that no active rule and no published workflow listens to; most changes are like this. */
export const isUnheard = `NOT EXISTS (
    SELECT FROM automation_rules a WHERE a.workspace_id = $1 AND a.event = o.event AND a.is_active
  ) AND NOT EXISTS (
    SELECT FROM workflows w WHERE w.workspace_id = $1 AND w.listens_to = o.event
  )`

/**
 * Queues the rules and workflows that listen to a change, in the transaction that marks the change as done.
 *
 * A rule fires with the sight of its maker, a workflow with the sight of the person it runs as. A person who is not
 * active or may not see the record learns nothing of it, not even whether a condition holds.
 */
export async function fireChange(row: OutboxRow, tx: Transaction, sight: Sight): Promise<void> {
  const subject = subjectOf(row)
  if (depthOf(row) >= depthMax || !subject) return
  const told = { change: readChangeEvent(row), subject, sees: sight(tx, row.workspaceId) }
  await queueRules(row, tx, told)
  await queueWorkflows(row, tx, told)
}

/** A change with the people who may be told of it. */
interface Told {
  readonly change: ChangeEvent
  readonly subject: Subject
  readonly sees: Sees
}

async function queueRules(
  { workspaceId, id: eventId, event, entityId }: OutboxRow,
  tx: Transaction,
  { change, subject, sees }: Told,
): Promise<void> {
  const listening = await tx
    .select({
      id: automationRules.id,
      makerId: automationRules.createdById,
      conditions: automationRules.conditions,
      actions: automationRules.actions,
    })
    .from(automationRules)
    .where(
      and(eq(automationRules.workspaceId, workspaceId), eq(automationRules.event, event), automationRules.isActive),
    )
    // The lock makes a rule that is being deleted either disappear here, or wait for its runs.
    .for('key share')
  for (const { id: ruleId, makerId, actions, conditions } of listening) {
    if (!holds(conditions, change) || !(await sees(makerId, subject))) continue
    const id = newId()
    const about = { subjectType: subject.entityType, subjectId: subject.entityId }
    const { rowCount } = await tx
      .insert(ruleRuns)
      .values({ workspaceId, id, ruleId, eventId, event, entityId, ...about, state: 'QUEUED' })
      .onConflictDoNothing()
    if (rowCount !== 1) continue
    const payload = { ruleId, change, subject, actions } as unknown as Record<string, unknown>
    await tx
      .insert(outbox)
      .values({ workspaceId, id, topic: 'rule', event: 'rule.queued', entityType: 'RULE_RUN', entityId: id, payload })
  }
}

async function queueWorkflows(row: OutboxRow, tx: Transaction, { change, subject, sees }: Told): Promise<void> {
  const { workspaceId, event } = row
  const listening = await tx
    .select({
      workflowId: workflows.id,
      version: workflowVersions.version,
      trigger: workflowVersions.trigger,
      runAsId: workflows.runAsId,
    })
    .from(workflows)
    .innerJoin(workflowVersions, isPublishedVersion())
    .where(and(eq(workflows.workspaceId, workspaceId), eq(workflows.listensTo, event)))
  for (const { trigger, ...run } of listening) {
    if (!holds((trigger['conditions'] as unknown[] | undefined) ?? [], change) || !(await sees(run.runAsId, subject)))
      continue
    const id = newId()
    const about = { subjectType: subject.entityType, subjectId: subject.entityId }
    await tx.insert(workflowRuns).values({ workspaceId, id, ...run, ...about, trigger: change, depth: depthOf(row) })
    await queueRun(tx, { workspaceId, runId: id, epoch: 1 })
  }
}

function holds(conditions: readonly unknown[], change: ChangeEvent): boolean {
  return evaluateConditions(conditions as readonly Condition[], conditionData(change))
}
