import {
  fastCommit,
  newId,
  nextAfter,
  peopleInTurn,
  turnValues,
  type FrozenRequest,
  type Pool,
  type TakingTurns,
} from '@crm/db'
import { RunLost, type StepFailed } from './outcome.ts'
import type { HeldRun, StepPlace } from './run.ts'
import { toStorableJson, toStorableText } from '../../outside/storable.ts'

type Fence = Pick<HeldRun, 'workspaceId' | 'id' | 'epoch'>

/** Every write locks the run against a take-over, and changes nothing when the take-over was faster. */
const fence = `run AS (
  SELECT workspace_id, id, epoch FROM workflow_runs WHERE workspace_id = $1 AND id = $2 AND epoch = $3 AND state = 'RUNNING' FOR UPDATE
)`

// These writes do not wait for the disk: every later write that waits also saves them, and every step with effects
// outside the history waits.
const fastFence = `${fastCommit}, run AS (
  SELECT r.workspace_id, r.id, r.epoch FROM workflow_runs r, fast WHERE r.workspace_id = $1 AND r.id = $2 AND r.epoch = $3 AND r.state = 'RUNNING' FOR UPDATE OF r
)`

const startStepSql = (held: string, more = ''): string => `WITH ${held}${more} ${startedStep('$7::jsonb', 'run')}`

const startedStep = (input: string, from: string): string => `
  INSERT INTO workflow_step_runs AS s (workspace_id, run_id, position, step_key, type, state, epoch, input)
  SELECT run.workspace_id, run.id, $4, $5, $6, 'RUNNING', run.epoch, ${input} FROM ${from}
  ON CONFLICT (workspace_id, run_id, position) DO UPDATE SET state = 'RUNNING', epoch = excluded.epoch, input = excluded.input, output = NULL,
    failure_code = NULL, failure_message = NULL, finished_at = NULL, started_at = CASE WHEN s.state = 'RUNNING' THEN s.started_at ELSE excluded.started_at END`

const startRepeatableSql = startStepSql(fastFence)
const startOnceSql = startStepSql(fence)

/** Stores the beginning of a repeatable step, with its input. */
export async function startStep(pool: Pool, run: Fence, place: StepPlace, input: unknown): Promise<void> {
  await noteStart(pool, run, place, input, 'run-step-start', startRepeatableSql)
}

/** Stores durably the beginning of a step that must not be repeated. */
export async function startStepOnce(pool: Pool, run: Fence, place: StepPlace, input: unknown): Promise<void> {
  await noteStart(pool, run, place, input, 'run-step-start-once', startOnceSql)
}

async function noteStart(
  pool: Pool,
  run: Fence,
  { position, key, type }: StepPlace,
  input: unknown,
  name: string,
  text: string,
): Promise<void> {
  await fenced(pool, name, text, [...fenceValues(run), position, key, type, toStorableJson(input ?? null)])
}

/**
 * Stores the beginning of a step that sends a request, together with the delivery: a crash after this leaves an unknown
 * outcome.
 */
export async function startDelivery(
  pool: Pool,
  run: Fence,
  { position, key, type }: StepPlace,
  deliveryId: string,
  request: FrozenRequest,
): Promise<void> {
  const delivery = `, delivery AS (
    INSERT INTO deliveries (workspace_id, id, run_id, request, state) SELECT workspace_id, $8::uuid, id, $9::jsonb, 'SENDING' FROM run
  )`
  const input = { deliveryId, request }
  await fenced(pool, 'run-delivery-start', startStepSql(fence, delivery), [
    ...fenceValues(run),
    position,
    key,
    type,
    JSON.stringify(input),
    deliveryId,
    JSON.stringify(request),
  ])
}

const takeTurnSql = `WITH ${fence}, people AS (${peopleInTurn('$1', '$8', '$9')}
  ), kept AS (
    SELECT id FROM people WHERE id = $10::uuid
  ), former AS (
    SELECT t.last_id FROM assignment_turns t WHERE t.workspace_id = $1 AND t.workflow_id = $11::uuid AND t.step_key = $5 FOR UPDATE
  ), next AS (${nextAfter('people', '(SELECT last_id FROM former)')}
  ), moved AS (
    UPDATE assignment_turns t SET last_id = next.id FROM run, next, former
    WHERE t.workspace_id = $1 AND t.workflow_id = $11::uuid AND t.step_key = $5 AND NOT EXISTS (SELECT FROM kept)
    RETURNING next.id
  ), begun AS (
    INSERT INTO assignment_turns (workspace_id, workflow_id, step_key, last_id)
    SELECT run.workspace_id, $11::uuid, $5, next.id FROM run, next WHERE NOT EXISTS (SELECT FROM kept) AND NOT EXISTS (SELECT FROM former)
    ON CONFLICT (workspace_id, workflow_id, step_key) DO NOTHING
    RETURNING last_id AS id
  ), chosen AS (
    SELECT id FROM kept UNION ALL SELECT id FROM moved UNION ALL SELECT id FROM begun
  ), step AS (${startedStep(`$7::jsonb || jsonb_build_object('body', jsonb_build_object('ownerId', chosen.id))`, 'run, chosen')})
  SELECT (SELECT id FROM chosen) AS "ownerId", EXISTS (SELECT FROM next) AND NOT EXISTS (SELECT FROM chosen) AS "isOvertaken" FROM run`

/** The assignment of a record to one of some people in turn. */
export interface Assignment {
  readonly among: TakingTurns
  /** The request that makes the chosen person the owner, apart from its body. */
  readonly request: { readonly method: string; readonly path: string }
  /** The person whom an earlier try of the step has chosen. */
  readonly keptId: string | null
}

/**
 * Chooses the person whose turn is next and stores the beginning of the step with them, both in one statement: after a crash the step
 * goes on with the same person, and runs at the same time wait for one another. Returns null, and stores nothing, when nobody can have a turn.
 */
export async function startAssignment(
  pool: Pool,
  run: Fence & Pick<HeldRun, 'workflowId'>,
  { position, key, type }: StepPlace,
  { among, request, keptId }: Assignment,
): Promise<string | null> {
  for (;;) {
    const { rows } = await pool.query<{ ownerId: string | null; isOvertaken: boolean }>({
      name: 'run-take-turn',
      text: takeTurnSql,
      values: [
        ...fenceValues(run),
        position,
        key,
        type,
        JSON.stringify(request),
        ...turnValues(among),
        keptId,
        run.workflowId,
      ],
    })
    if (!rows[0]) throw new RunLost()
    // Of two runs that take the first turn of a step at once, one begins it, and the other goes after it.
    if (!rows[0].isOvertaken) return rows[0].ownerId
  }
}

const startRunSql = startStepSql(
  fence,
  `, started AS (
    INSERT INTO workflow_runs (workspace_id, id, workflow_id, version, run_as_id, trigger, subject_type, subject_id, depth, is_test, started_by_run_id)
    SELECT r.workspace_id, $8::uuid, $9::uuid, $10, $11::uuid, r.trigger, r.subject_type, r.subject_id, r.depth + 1, r.is_test, r.id
    FROM run JOIN workflow_runs r ON r.workspace_id = $1 AND r.id = run.id
  ), queued AS (
    INSERT INTO outbox (workspace_id, id, topic, event, entity_type, entity_id, attempts, traceparent)
    SELECT workspace_id, $8::uuid, 'run', 'run.queued', 'WORKFLOW_RUN', $8::uuid, 1, $12 FROM run
  )`,
)

/** The run that a step starts. */
export interface StartedRun {
  readonly id: string
  readonly workflowId: string
  readonly version: number
  readonly runAsId: string
  readonly traceparent: string | null
}

/**
 * Stores the beginning of a step together with the run that it starts, with the data and the record of its own run: a step that has
 * begun has started its run.
 */
export async function startRun(
  pool: Pool,
  run: Fence,
  { position, key, type }: StepPlace,
  { id, workflowId, version, runAsId, traceparent }: StartedRun,
): Promise<void> {
  await fenced(pool, 'run-start-another', startRunSql, [
    ...fenceValues(run),
    position,
    key,
    type,
    JSON.stringify({ workflowId, runId: id }),
    id,
    workflowId,
    version,
    runAsId,
    traceparent,
  ])
}

const finishStepSql = `
  UPDATE workflow_step_runs s SET state = 'SUCCEEDED', output = $5::jsonb, finished_at = now() FROM run
  WHERE s.workspace_id = $1 AND s.run_id = $2 AND s.position = $4`

const succeeded = `state = 'SUCCEEDED', failure_code = NULL, failure_message = NULL, lease_until = NULL, finished_at = now()`

const finishLastStepSql = `, step AS (${finishStepSql})
  UPDATE workflow_runs r SET ${succeeded} FROM run WHERE r.workspace_id = $1 AND r.id = run.id`

/** Stores the output of a step and, if it ends its run, the end of the run with it. */
export async function finishStep(
  pool: Pool,
  run: Fence,
  { position, endsRun }: StepPlace,
  output: unknown,
): Promise<void> {
  const [name, text] = endsRun ? ['run-step-finish-last', finishLastStepSql] : ['run-step-finish', finishStepSql]
  await fenced(pool, name, `WITH ${fastFence} ${text}`, [...fenceValues(run), position, toStorableJson(output ?? null)])
}

/** Stores the output of a step so far, in case the step does not end. */
export async function noteOutput(pool: Pool, run: Fence, position: string, output: unknown): Promise<void> {
  const text = `WITH ${fence} UPDATE workflow_step_runs s SET output = $5::jsonb FROM run WHERE s.workspace_id = $1 AND s.run_id = run.id AND s.position = $4`
  await fenced(pool, 'run-step-note', text, [...fenceValues(run), position, toStorableJson(output)])
}

/**
 * Notifies the maker of the workflow about failed runs, at most once an hour for one workflow: the history shows the
 * others.
 * @param failed rows of workspace_id and id, of the workspace `$1`
 */
export function tellMaker(failed: string, id: string, message: string): string {
  return `INSERT INTO notifications (workspace_id, id, employee_id, kind, text, data)
    SELECT r.workspace_id, ${id}, coalesce(w.created_by_id, w.run_as_id), 'RUN_FAILED', 'The workflow “' || w.name || '” failed: ' || ${message},
      jsonb_build_object('workflowId', w.id, 'runId', r.id, 'name', w.name)
    FROM ${failed} f JOIN workflow_runs r ON r.workspace_id = $1 AND r.id = f.id JOIN workflows w ON w.workspace_id = $1 AND w.id = r.workflow_id
    WHERE NOT r.is_test AND NOT EXISTS (
      SELECT FROM workflow_runs e WHERE e.workspace_id = $1 AND e.workflow_id = r.workflow_id AND e.state = 'FAILED' AND e.finished_at > now() - interval '1 hour'
    )`
}

/** Ends a run with the failure of one of its steps, both in one statement. */
export async function failRun(
  pool: Pool,
  run: Fence,
  place: StepPlace | null,
  { code, message }: Pick<StepFailed, 'code' | 'message'>,
): Promise<void> {
  const text = `WITH ${fence}, step AS (
      INSERT INTO workflow_step_runs (workspace_id, run_id, position, step_key, type, state, epoch, failure_code, failure_message, finished_at)
      SELECT workspace_id, id, $4, $5, $6, 'FAILED', epoch, $7, $8, now() FROM run WHERE $4::text IS NOT NULL
      ON CONFLICT (workspace_id, run_id, position) DO UPDATE
        SET state = 'FAILED', failure_code = excluded.failure_code, failure_message = excluded.failure_message, finished_at = excluded.finished_at
    ), told AS (${tellMaker('run', '$9::uuid', '$8')})
    UPDATE workflow_runs r SET state = 'FAILED', failure_code = $7, failure_message = $8, lease_until = NULL, finished_at = now() FROM run
    WHERE r.workspace_id = $1 AND r.id = run.id`
  const { position = null, key = null, type = null } = place ?? {}
  await fenced(pool, 'run-fail', text, [
    ...fenceValues(run),
    position,
    key,
    type,
    code,
    toStorableText(message.slice(0, 2_000)),
    newId(),
  ])
}

/** Ends a run whose steps are all done, unless the last of them did. */
export async function succeedRun(pool: Pool, run: Fence): Promise<void> {
  const text = `WITH ${fastCommit}
    UPDATE workflow_runs r SET ${succeeded} FROM fast
    WHERE r.workspace_id = $1 AND r.id = $2 AND r.epoch = $3 AND r.state = 'RUNNING'`
  await fenced(pool, 'run-succeed', text, fenceValues(run))
}

/** Suspends a run until a moment (ISO 8601); the timer is in PostgreSQL. */
export async function suspendRun(pool: Pool, run: Fence, until: string): Promise<void> {
  const text = `UPDATE workflow_runs SET state = 'WAITING', resume_at = $4, lease_until = NULL
    WHERE workspace_id = $1 AND id = $2 AND epoch = $3 AND state = 'RUNNING'`
  await fenced(pool, 'run-suspend', text, [...fenceValues(run), until])
}

function fenceValues({ workspaceId, id, epoch }: Fence): unknown[] {
  return [workspaceId, id, epoch]
}

async function fenced(pool: Pool, name: string, text: string, values: readonly unknown[]): Promise<void> {
  const { rowCount } = await pool.query({ name, text, values: [...values] })
  if (rowCount !== 1) throw new RunLost()
}
