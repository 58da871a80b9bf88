import type { RuleAction } from '@crm/contract'
import { inTransaction, newId, schema, type Database, type FrozenRequest, type Pool, type Transaction } from '@crm/db'
import { freezeRequest } from '@crm/egress'
import { limitOf } from '@crm/identity/workspace'
import { claimRow, finishRow, putAsideRow, type JobReference } from '@crm/jobs'
import { traced } from '@crm/runtime'
import { ruleHeaders } from '@crm/secrets'
import { TemplateError } from '@crm/templates'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { outcomeUnknown, storeAnswer } from '../sending/deliveries.ts'
import { receiverOf, type Sender } from '../sending/sender.ts'
import type { Leave, Turns } from '../sending/turns.ts'
import type { ChangeEvent } from '@crm/contract'
import type { QueuedRuleRun } from './fire.ts'
import type { Sight } from './maker-sight.ts'

export interface RuleDeps {
  readonly pool: Pool
  readonly db: Database
  readonly sender: Sender
  /** The places for actions of rules. */
  readonly turns: Turns
  readonly sight: Sight
}

const { automationRules, deliveries, notifications, ruleRuns } = schema

/** After this time a running request has lost its sender, because sending takes 10 seconds at most. */
const senderLostMs = 20_000
/** A rule with this many failures in a row is paused. */
const failuresInRowMax = 20

/** The next action of a rule's run: send a request whose delivery is already logged, look again, or stop. */
type Next =
  | { readonly kind: 'send'; readonly deliveryId: string; readonly request: FrozenRequest }
  | { readonly kind: 'look' | 'stop' }

const stop: Next = { kind: 'stop' }

/**
 * Performs the actions of a rule's run in turn, each of them once.
 *
 * The delivery is stored before its request leaves. A worker that takes over continues after the last delivery, and
 * marks an unfinished one as failed, because its outcome is unknown.
 */
export async function performRuleRun(deps: RuleDeps, reference: JobReference): Promise<void> {
  const { pool, db, sender, sight } = deps
  for (;;) {
    const ahead = await lookAhead(pool, reference)
    if (!ahead) return
    const leave = await takePlace(deps, reference, ahead)
    if (!leave) return
    try {
      const kind = await traced({ name: 'rule', kind: 'consumer', parent: ahead.traceparent }, async () => {
        const next = await inTransaction(db, undefined, (tx) => takeNext(tx, reference, sight))
        if (next.kind === 'send')
          await storeAnswer(
            pool,
            reference.workspaceId,
            next.deliveryId,
            await sender.send(reference.workspaceId, next.request, ruleHeaders(reference.workspaceId, ahead.ruleId)),
          )
        return next.kind
      })
      if (kind === 'stop') return
    } finally {
      leave()
    }
  }
}

/**
 * The rule of a run, and the address of its next action; null when nothing is to be sent, after the last action or
 * because the rule is paused.
 */
interface Ahead {
  readonly ruleId: string
  readonly url: string | null
  /** The share of the workspace (`runs.share`). */
  readonly share: number | null
  /** The trace that the run belongs to. */
  readonly traceparent: string | null
}

/** Looks at the next action without taking it; undefined when the run is over. */
async function lookAhead(pool: Pool, { workspaceId, id, epoch }: JobReference): Promise<Ahead | undefined> {
  const { rows } = await pool.query<Ahead>({
    name: 'rule-look-ahead',
    text: `SELECT o.payload->>'ruleId' AS "ruleId", CASE WHEN EXISTS (
        SELECT FROM automation_rules a WHERE a.workspace_id = $1 AND a.id = (o.payload->>'ruleId')::uuid AND a.is_active
      ) THEN o.payload->'actions'->(
        SELECT count(*)::int FROM deliveries d WHERE d.workspace_id = $1 AND d.rule_id = (o.payload->>'ruleId')::uuid AND d.rule_run_id = o.id AND d.redelivery_of IS NULL
      )->>'url' END AS url, ${limitOf('w', 'runs.share')} AS share, o.traceparent
      FROM outbox o JOIN workspaces w ON w.id = o.workspace_id WHERE o.workspace_id = $1 AND o.id = $2 AND o.attempts = $3 AND o.done_at IS NULL`,
    values: [workspaceId, id, epoch],
  })
  return rows[0]
}

/** The time after which a run falls due again when the line was full or the process was stopping. */
const putAsideMs = 1_000

/** Waits for the turn of a run; undefined when the run is put aside, because too many wait or its receiver does not answer. */
async function takePlace(
  { db, sender, turns }: RuleDeps,
  reference: JobReference,
  { ruleId, url, share }: Ahead,
): Promise<Leave | undefined> {
  const { workspaceId } = reference
  const leave = await turns.enter({
    workspaceId,
    ownerId: ruleId,
    share,
    receiver: url === null ? null : receiverOf(url),
  })
  const waitMs = leave && url !== null ? sender.waitMs(workspaceId, url) : 0
  if (leave && waitMs === 0) return leave
  leave?.()
  await putAsideRow(db, reference, Math.max(waitMs, putAsideMs))
  return undefined
}

/** Stores the next delivery, or ends the run after the last one. */
async function takeNext(tx: Transaction, reference: JobReference, sight: Sight): Promise<Next> {
  const row = await claimRow(tx, reference)
  if (!row) return stop
  const { workspaceId, id: runId } = reference
  const { ruleId, change, subject, actions } = row.payload as unknown as QueuedRuleRun
  const tried = await tx
    .select({
      id: deliveries.id,
      state: deliveries.state,
      isOver: sql<boolean>`${deliveries.attemptedAt} < now() - ${`${senderLostMs} milliseconds`}::interval`,
    })
    .from(deliveries)
    .where(
      and(eq(deliveries.workspaceId, workspaceId), eq(deliveries.ruleRunId, runId), isNull(deliveries.redeliveryOf)),
    )
    .orderBy(asc(deliveries.id))
  const underWay = tried.find(({ state }) => state === 'SENDING')
  // Another worker still has it; if that worker is lost, the row falls due again.
  if (underWay && !underWay.isOver) return stop
  if (underWay) await failDelivery(tx, workspaceId, underWay.id, outcomeUnknown)
  const action = actions[tried.length]
  const isActive = await findIsActive(tx, workspaceId, ruleId)
  if (isActive === undefined) return endRow(tx, reference)
  if (action && !isActive) {
    await tx
      .update(ruleRuns)
      .set({ state: 'SKIPPED', skipped: row.payload, finishedAt: sql`now()` })
      .where(isRun(workspaceId, runId))
    return endRow(tx, reference)
  }
  const isSeen = action === undefined || (await sight(tx, workspaceId)(await makerOf(tx, workspaceId, ruleId), subject))
  if (action && isSeen) return startDelivery(tx, { workspaceId, runId, ruleId, subject }, action, change)
  const isSuccess = isSeen && tried.every(({ state }) => state === 'SUCCEEDED')
  await finishRuleRun(tx, { workspaceId, runId, ruleId }, isSuccess)
  return endRow(tx, reference)
}

async function endRow(tx: Transaction, reference: JobReference): Promise<Next> {
  await finishRow(tx, reference)
  return stop
}

/** Whether the rule is active now; undefined when it is gone. Waiting actions of a paused rule are not sent. */
async function findIsActive(tx: Transaction, workspaceId: string, ruleId: string): Promise<boolean | undefined> {
  const [rule] = await tx
    .select({ isActive: automationRules.isActive })
    .from(automationRules)
    .where(and(eq(automationRules.workspaceId, workspaceId), eq(automationRules.id, ruleId)))
  return rule?.isActive
}

interface RuleRunIds {
  readonly workspaceId: string
  readonly runId: string
  readonly ruleId: string
}

async function makerOf(tx: Transaction, workspaceId: string, ruleId: string): Promise<string | null> {
  const [rule] = await tx
    .select({ makerId: automationRules.createdById })
    .from(automationRules)
    .where(and(eq(automationRules.workspaceId, workspaceId), eq(automationRules.id, ruleId)))
  return rule?.makerId ?? null
}

async function startDelivery(
  tx: Transaction,
  { workspaceId, runId, ruleId, subject }: RuleRunIds & Pick<QueuedRuleRun, 'subject'>,
  action: RuleAction,
  change: ChangeEvent,
): Promise<Next> {
  const deliveryId = newId()
  const { request, fault } = freezeAction(action, change)
  const log = {
    workspaceId,
    id: deliveryId,
    ruleId,
    ruleRunId: runId,
    subjectType: subject.entityType,
    subjectId: subject.entityId,
    request,
  }
  await tx.insert(deliveries).values({ ...log, state: fault === null ? 'SENDING' : 'FAILED', error: fault })
  await tx.update(ruleRuns).set({ state: 'RUNNING' }).where(isRun(workspaceId, runId))
  return fault === null ? { kind: 'send', deliveryId, request } : { kind: 'look' }
}

/** Returns the request of an action, or the reason why its body cannot be made for this change. */
function freezeAction(
  action: RuleAction,
  change: ChangeEvent,
): { readonly request: FrozenRequest; readonly fault: string | null } {
  const usualBody = JSON.stringify(change)
  try {
    return { request: freezeRequest(action, change, usualBody), fault: null }
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return {
      request: { ...freezeRequest({ ...action, body: 'NONE' }, change, null) },
      fault: error.message,
    }
  }
}

async function failDelivery(tx: Transaction, workspaceId: string, id: string, error: string): Promise<void> {
  await tx
    .update(deliveries)
    .set({ state: 'FAILED', error })
    .where(and(eq(deliveries.workspaceId, workspaceId), eq(deliveries.id, id)))
}

/** Stores the outcome of a run and counts failures in a row; a rule that keeps failing is paused, and its maker is told. */
async function finishRuleRun(
  tx: Transaction,
  { workspaceId, runId, ruleId }: RuleRunIds,
  isSuccess: boolean,
): Promise<void> {
  const { isActive, failuresInRow } = automationRules
  await tx
    .update(ruleRuns)
    .set({ state: isSuccess ? 'SUCCEEDED' : 'FAILED', finishedAt: sql`now()` })
    .where(isRun(workspaceId, runId))
  const isThisRule = and(eq(automationRules.workspaceId, workspaceId), eq(automationRules.id, ruleId))
  if (isSuccess) {
    await tx
      .update(automationRules)
      .set({ failuresInRow: 0 })
      .where(and(isThisRule, sql`${failuresInRow} > 0`))
    return
  }
  const [rule] = await tx
    .update(automationRules)
    .set({
      failuresInRow: sql`${failuresInRow} + 1`,
    })
    .where(isThisRule)
    .returning({ name: automationRules.name, makerId: automationRules.createdById, failuresInRow, isActive })
  const isPausedNow = rule?.isActive === true && rule.failuresInRow >= failuresInRowMax
  if (isPausedNow)
    await tx
      .update(automationRules)
      .set({ isActive: false, pausedAt: sql`now()` })
      .where(isThisRule)
  if (!rule?.makerId) return
  // A message for every failure would be too many: the first one in a row is reported, and the one that pauses the rule.
  if (!isPausedNow && rule.failuresInRow > 1) return
  await tx.insert(notifications).values({
    workspaceId,
    employeeId: rule.makerId,
    kind: isPausedNow ? 'RULE_PAUSED' : 'RULE_FAILED',
    text: isPausedNow
      ? `The automation rule “${rule.name}” was paused after ${failuresInRowMax} failures in a row.`
      : `The automation rule “${rule.name}” failed.`,
    data: { ruleId, ruleRunId: runId, name: rule.name },
  })
}

function isRun(workspaceId: string, runId: string) {
  return and(eq(ruleRuns.workspaceId, workspaceId), eq(ruleRuns.id, runId))
}
