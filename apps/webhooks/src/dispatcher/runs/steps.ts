import { type ConditionStep, type PlainStep, type StepClock } from '@crm/contract'
import { newId, type FrozenRequest, type Pool } from '@crm/db'
import { freezeRequest } from '@crm/egress'
import { signRunToken } from '@crm/identity'
import { currentTraceparent, traced } from '@crm/runtime'
import { workflowHeaders } from '@crm/secrets'
import { compileValue, evaluateConditions, render, type Condition, type JsonValue } from '@crm/templates'
import { setTimeout as waitMs } from 'node:timers/promises'
import { neverArrived, type CrmApiAnswer } from '../sending/crm-api.ts'
import { outcomeUnknown, settleLostDelivery, storeAnswer, type DeliveryOutcome } from '../sending/deliveries.ts'
import { findStartable, mayActAs } from './startable.ts'
import { readJson } from '../../outside/json-from-outside.ts'
import { receiverOf } from '../sending/sender.ts'
import type { Leave } from '../sending/turns.ts'
import { RunLost, StepFailed, StepWaits } from './outcome.ts'
import { planRecordRequest, type RecordRequest, type RecordStep } from './record-request.ts'
import { depthMax, type HeldRun, type StepPlace } from './run.ts'
import {
  finishStep,
  noteOutput,
  startAssignment,
  startDelivery,
  startRun,
  startStep,
  startStepOnce,
} from './run-log.ts'
import { sendMail } from './send-mail.ts'
import type { StepDeps, StepTurn } from './step-turn.ts'

type AnyStep = PlainStep | ConditionStep

/** Performs a step and stores it; returns the value that later steps read as `steps.<key>.data`. */
type StepKind<Step extends AnyStep> = (turn: StepTurn<Step>) => Promise<unknown>

type StepKinds = { readonly [Type in AnyStep['type']]: StepKind<Extract<AnyStep, { readonly type: Type }>> }

/** One entry for each type of step. */
const stepKinds: StepKinds = {
  CREATE_RECORD: workWithRecords,
  UPDATE_RECORD: workWithRecords,
  FIND_RECORDS: workWithRecords,
  ASSIGN_OWNER: assignOwner,
  HTTP_REQUEST: sendRequest,
  SEND_EMAIL: sendMail,
  CONDITION: decide,
  DELAY: delay,
  SET: setValues,
  START_WORKFLOW: startWorkflow,
}

/** Performs one step of a run. */
export function performStep(turn: StepTurn<AnyStep>): Promise<unknown> {
  const perform = stepKinds[turn.step.type] as StepKind<AnyStep>
  return traced({ name: `step ${turn.step.type}`, kind: 'internal' }, () => perform(turn))
}

async function setValues({
  deps,
  run,
  step,
  place,
  data,
}: StepTurn<Extract<PlainStep, { type: 'SET' }>>): Promise<unknown> {
  const values = render(compileValue(step.values as JsonValue), data)
  await startStep(deps.pool, run, place, values)
  await finishStep(deps.pool, run, place, values)
  return values
}

/** Starts a workflow with the data of this run, once: a step that has begun has started it. */
async function startWorkflow({
  deps: { pool, queued },
  run,
  step: { workflowId },
  place,
  earlier,
}: StepTurn<Extract<PlainStep, { type: 'START_WORKFLOW' }>>): Promise<unknown> {
  // The erasure of a record empties the input of its steps.
  const begun = earlier?.state === 'RUNNING' ? (earlier.input as { readonly runId: string } | null) : undefined
  const runId = begun === undefined ? await startAnother(pool, run, workflowId, place) : (begun?.runId ?? null)
  await finishStep(pool, run, place, { runId })
  queued()
  return { runId }
}

async function startAnother(pool: Pool, run: HeldRun, workflowId: string, place: StepPlace): Promise<string> {
  if (run.depth + 1 >= depthMax)
    throw new StepFailed('TOO_DEEP', `No more than ${depthMax} workflows may start one another`)
  const found = await findStartable(pool, run.workspaceId, workflowId)
  if (!found) throw new StepFailed('STEP_FAILED', 'The workflow to start is not published')
  if (!(await mayActAs(pool, run, found.runAsId)))
    throw new StepFailed('ACCESS_DENIED', 'The workflow to start has rights that this one does not have')
  const id = newId()
  await startRun(pool, run, place, { id, workflowId, traceparent: currentTraceparent() ?? null, ...found })
  return id
}

async function decide({ deps, run, step, place, data }: StepTurn<ConditionStep>): Promise<unknown> {
  const output = { result: evaluateConditions(step.if as Condition[], data) }
  await startStep(deps.pool, run, place, step.if)
  await finishStep(deps.pool, run, place, output)
  return output
}

/** The end of the delay is fixed at the first beginning of the step. */
async function delay({
  deps,
  run,
  step,
  place,
  earlier,
}: StepTurn<Extract<PlainStep, { type: 'DELAY' }>>): Promise<unknown> {
  const begun = earlier?.state === 'RUNNING' ? (earlier.input as { readonly until: string }) : undefined
  const until = new Date(begun?.until ?? Date.now() + step.minutes * 60_000)
  if (!begun) await startStep(deps.pool, run, place, { minutes: step.minutes, until: until.toISOString() })
  if (until.getTime() > Date.now()) throw new StepWaits(until)
  const output = { minutes: step.minutes }
  await finishStep(deps.pool, run, place, output)
  return output
}

async function sendRequest({
  deps,
  run,
  step,
  place,
  data,
  earlier,
}: StepTurn<Extract<PlainStep, { type: 'HTTP_REQUEST' }>>): Promise<unknown> {
  const { pool } = deps
  // The delivery is stored before its request leaves, so a step that has begun may have sent it.
  const begun = earlier?.state === 'RUNNING' ? (earlier.input as { readonly deliveryId: string }).deliveryId : undefined
  const deliveryId = begun ?? newId()
  const outcome = begun
    ? await settleLostDelivery(pool, run.workspaceId, begun)
    : await sendInTurn(deps, run, place, deliveryId, freezeRequest(step, data, usualBody(run)))
  if (outcome.state === 'SENDING' || outcome.error === outcomeUnknown)
    throw new StepFailed('OUTCOME_UNKNOWN', 'The worker was lost while the request was under way')
  if (outcome.state === 'FAILED') throw new StepFailed('STEP_FAILED', outcome.error ?? 'The request failed')
  const { status, truncated } = outcome
  const output = { status, body: readBody(outcome), deliveryId, ...(truncated ? { truncated } : {}) }
  await finishStep(pool, run, place, output)
  return output
}

async function sendInTurn(
  deps: StepDeps,
  run: HeldRun,
  place: StepPlace,
  deliveryId: string,
  request: FrozenRequest,
): Promise<DeliveryOutcome> {
  const leave = takePlace(deps, run, request.url)
  try {
    return await sendNow(deps, run, place, deliveryId, request)
  } finally {
    leave()
  }
}

/** Waits for a place for a request. A run without one is suspended: while it waits, other runs use its place. */
function takePlace(
  { sender, requestTurns, returns }: StepDeps,
  { workspaceId, workflowId, share }: HeldRun,
  url: string,
): Leave {
  const receiver = receiverOf(url)
  const leave = requestTurns.enterNow({ workspaceId, ownerId: workflowId, share, receiver })
  const silentMs = leave ? sender.waitMs(workspaceId, url) : 0
  if (leave && silentMs === 0) return leave
  leave?.()
  throw new StepWaits(new Date(returns.nextMs(`${workspaceId} ${receiver}`, Date.now() + silentMs)))
}

async function sendNow(
  { pool, sender }: StepDeps,
  run: HeldRun,
  place: StepPlace,
  deliveryId: string,
  request: FrozenRequest,
): Promise<DeliveryOutcome> {
  await startDelivery(pool, run, place, deliveryId, request)
  const delivered = await sender.send(run.workspaceId, request, workflowHeaders(run.workspaceId, run.workflowId))
  await storeAnswer(pool, run.workspaceId, deliveryId, delivered)
  return { ...delivered, state: delivered.ok ? 'SUCCEEDED' : 'FAILED' }
}

/** Returns the body of a request without a template (docs/guide/webhooks.md): the trigger of the run. */
function usualBody({ workspaceId, workflowId, trigger, triggerType, createdAt }: HeldRun): string {
  if (triggerType === 'EVENT') return JSON.stringify(trigger)
  const event = triggerType === 'WEBHOOK' ? 'webhook.received' : 'workflow.started'
  return JSON.stringify({
    event,
    entityType: 'WORKFLOW',
    entityId: workflowId,
    tenantId: workspaceId,
    timestamp: createdAt,
    data: trigger,
  })
}

/** Returns the body of an answer: its JSON, else its text. Of JSON that was cut nothing is known. */
function readBody({ responseBody, truncated }: Pick<DeliveryOutcome, 'responseBody' | 'truncated'>): unknown {
  if (truncated) return /^\s*[[{"]/.test(responseBody) ? null : responseBody
  const body = readJson(responseBody)
  // A body that is too deep to store counts as text, like every body that is not JSON.
  return body === undefined ? responseBody : body
}

/** The pauses between the tries of one worker, in units of the first; after them the run waits in PostgreSQL. */
const retryPauses = [1, 2.5, 5, 10]
const waitsForCrmApiMs = 15_000
/** The time within which a step may be retried. */
const stepTimeMaxMs = 60 * 60_000

async function workWithRecords(turn: StepTurn<RecordStep>): Promise<unknown> {
  const { deps, run, step, place, data, earlier } = turn
  const request = planRecordRequest(step, data, clockOf(turn))
  if (earlier?.state === 'RUNNING' && !request.isRepeatable && !isUndone(earlier.output)) {
    throw new StepFailed('OUTCOME_UNKNOWN', 'The worker was lost while the record was being created')
  }
  const note = request.isRepeatable ? startStep : startStepOnce
  await note(deps.pool, run, place, { method: request.method, path: request.path, body: request.body })
  const output = await callCrmApi(turn, request)
  await finishStep(deps.pool, run, place, output)
  return output
}

/** Returns the clock of a step. It stands at the beginning of the step, so that another try sends the same days. */
function clockOf({ run: { timezone }, earlier }: StepTurn<unknown>): StepClock {
  return { timezone, at: earlier?.state === 'RUNNING' ? Date.parse(earlier.startedAt) : Date.now() }
}

/** Makes the person whose turn it is the owner. The request has the rights of the run, so the API decides whether it may assign. */
async function assignOwner(turn: StepTurn<Extract<PlainStep, { type: 'ASSIGN_OWNER' }>>): Promise<unknown> {
  const { deps, run, step, place, data, earlier } = turn
  const { among, ...rest } = step
  const update = { ...rest, type: 'UPDATE_RECORD', values: {} } as const
  const request = planRecordRequest(update, data, clockOf(turn))
  const kept = earlier?.input as { readonly body?: { readonly ownerId?: string } } | null | undefined
  const ownerId = await startAssignment(deps.pool, run, place, {
    among,
    request: { method: request.method, path: request.path },
    keptId: kept?.body?.ownerId ?? null,
  })
  if (ownerId === null) throw new StepFailed('STEP_FAILED', 'None of the people who take turns is active')
  const output = await callCrmApi({ ...turn, step: update }, { ...request, body: { ownerId } })
  await finishStep(deps.pool, run, place, output)
  return output
}

/** The output of a step whose last try had no effect, so that another worker may try again too. */
const undone = { undone: true } as const

function isUndone(output: unknown): boolean {
  return (output as Partial<typeof undone> | null)?.undone === true
}

async function callCrmApi(turn: StepTurn<RecordStep>, request: RecordRequest): Promise<unknown> {
  const { deps, run, place } = turn
  let answer: CrmApiAnswer | undefined
  for (const [attempt, pause] of [...retryPauses, null].entries()) {
    if (attempt > 0 && !request.isRepeatable) await noteOutput(deps.pool, run, place.position, null)
    answer = await tryOnce(turn, request)
    if (answer && answer.status < 300) return outputOf(turn.step, answer.body)
    if (answer && !isPassing(answer)) throw toFailure(answer)
    if (!request.isRepeatable && hadNoEffect(answer)) await noteOutput(deps.pool, run, place.position, undone)
    if (pause !== null)
      await waitMs(
        (answer?.retryAfterS ?? 0) * 1_000 || deps.crmApiPauseMs * pause * (1 + Math.random() * 0.2),
        undefined,
        { signal: turn.lease.lost },
      ).catch(lostIt)
    // A lasting fault of the API itself is not worth waiting for.
    else if (answer?.status === 500)
      throw new StepFailed('STEP_FAILED', `The CRM API failed ${attempt + 1} times: ${messageOf(answer)}`)
  }
  const startedAtMs = Date.parse(turn.earlier?.state === 'RUNNING' ? turn.earlier.startedAt : new Date().toISOString())
  if (Date.now() - startedAtMs > stepTimeMaxMs)
    throw answer?.status === 401
      ? toFailure(answer)
      : new StepFailed('TIMED_OUT', 'The CRM API did not answer for an hour')
  throw new StepWaits(new Date(Date.now() + waitsForCrmApiMs))
}

/** Makes one try; undefined when there was no answer and the request may be sent again. */
async function tryOnce(
  { deps, run, lease, place }: StepTurn<RecordStep>,
  request: RecordRequest,
): Promise<CrmApiAnswer | undefined> {
  const leftMs = lease.leftMs()
  if (leftMs === 0) throw new RunLost()
  // The credential is valid only during this lease, so the API refuses the request of a worker that slept meanwhile.
  const claims = {
    workspaceId: run.workspaceId,
    employeeId: run.runAsId,
    runId: run.id,
    epoch: run.epoch,
    depth: run.depth + 1,
    expiresAtMs: Date.now() + leftMs,
  }
  const token = signRunToken(claims, deps.runTokenSecret)
  const idempotencyKey = request.takesKey ? `run-${run.id}-${place.position}` : undefined
  try {
    const { method, path, body } = request
    return await deps.crmApi.send({ method, path, host: run.host, token, idempotencyKey, body: body ?? undefined })
  } catch (error) {
    if (request.isRepeatable || neverArrived(error)) return undefined
    throw new StepFailed('OUTCOME_UNKNOWN', 'The CRM API gave no answer; the record may have been created')
  }
}

function lostIt(): never {
  throw new RunLost()
}

/**
 * Whether the same request may soon get another answer. A credential that is refused (401) says nothing about the rights of the person:
 * the lease ended before the request arrived, or the processes do not know the same secret. The next try has a credential of its own,
 * unless the run is lost.
 */
function isPassing({ status, body }: CrmApiAnswer): boolean {
  return status === 401 || status === 429 || status >= 500 || codeOf(body) === 'IDEMPOTENCY_KEY_IN_FLIGHT'
}

/**
 * Whether a request that is not repeatable has certainly changed nothing; without an answer it has never arrived. After a 503 nobody
 * knows: the database may have been lost at the end of the work.
 */
function hadNoEffect(answer: CrmApiAnswer | undefined): boolean {
  return answer === undefined || answer.status === 401 || answer.status === 429
}

function toFailure(answer: CrmApiAnswer): StepFailed {
  const code = codeOf(answer.body)
  const message = `${answer.status}${code ? ` ${code}` : ''}: ${messageOf(answer)}`
  if (code === 'ACCOUNT_DISABLED') return new StepFailed('OWNER_DISABLED', message)
  const isDenied = answer.status === 401 || code === 'ACCESS_DENIED' || code === 'ACCESS_LEVEL_NONE'
  return new StepFailed(isDenied ? 'ACCESS_DENIED' : 'STEP_FAILED', message)
}

interface ErrorBody {
  readonly error?: unknown
  readonly code?: unknown
  readonly issues?: readonly { readonly path?: readonly unknown[]; readonly message?: unknown }[]
}

function codeOf(body: unknown): string | null {
  const { code } = (body ?? {}) as ErrorBody
  return typeof code === 'string' ? code : null
}

function messageOf({ body }: CrmApiAnswer): string {
  const { error, issues = [] } = (body ?? {}) as ErrorBody
  const details = issues.map(({ path = [], message }) => `${path.join('.')}: ${String(message)}`).join('; ')
  return [typeof error === 'string' ? error : 'no reason was given', details].filter(Boolean).join(' – ')
}

/** Returns the output of a record step: the record, or the found ones. */
function outputOf(step: RecordStep, body: unknown): unknown {
  if (step.type !== 'FIND_RECORDS') return (body as { readonly data?: unknown } | null)?.data ?? null
  const { items = [], total = null } = (body ?? {}) as {
    readonly items?: readonly unknown[]
    readonly total?: number | null
  }
  return { items: items.slice(0, step.limit), total, first: items[0] ?? null }
}
