import type { WorkflowStep } from '@crm/contract'
import { isUnavailable } from '@crm/db'
import { TemplateError } from '@crm/templates'
import type { Logger } from '@crm/runtime'
import type { Lease } from './leases.ts'
import { RunGivenBack, RunLost, StepFailed, StepWaits } from './outcome.ts'
import type { HeldRun, StepPlace } from './run.ts'
import { failRun, succeedRun, suspendRun } from './run-log.ts'
import type { StepDeps } from './step-turn.ts'
import { performStep } from './steps.ts'

/** The inputs of an execution besides the run itself. */
export interface ExecuteDeps extends StepDeps {
  readonly logger: Logger
  /** Whether the process is about to stop. */
  isStopping(): boolean
  /** Hears that a run waits for so many milliseconds. */
  suspended(inMs: number): void
}

export type RunOutcome = 'succeeded' | 'failed' | 'waiting' | 'lost'

/**
 * Performs the remaining steps of a run, stores its outcome and returns it. `lost`: another worker has the run, or it was cancelled.
 * @throws RunGivenBack when the process stops first
 */
export async function executeRun(deps: ExecuteDeps, run: HeldRun, lease: Lease): Promise<RunOutcome> {
  const walk: Walk = { place: null }
  try {
    if (run.runAsStatus !== 'ACTIVE')
      throw new StepFailed('OWNER_DISABLED', 'The person whose rights the workflow uses is not active')
    const data = { trigger: run.trigger, steps: {} }
    await walkSteps(deps, run, lease, { steps: run.steps, prefix: '', areLast: true }, data, walk)
    if (!walk.place?.endsRun) await succeedRun(deps.pool, run)
    return 'succeeded'
  } catch (error) {
    if (error instanceof RunLost) return 'lost'
    if (error instanceof StepWaits) {
      return suspend(deps, run, error.until)
    }
    const failure = toFailure(error)
    if (!failure) {
      if (!isUnavailable(error) || begunForMs(run) > databaseTimeMaxMs) throw error
      deps.logger.warn({ err: error, workspaceId: run.workspaceId, id: run.id }, 'a run waits for the database')
      return suspend(deps, run, new Date(Date.now() + waitsForDatabaseMs).toISOString())
    }
    await failRun(deps.pool, run, walk.place, failure).catch(ignoreLoss)
    return 'failed'
  }
}

async function suspend({ pool, suspended }: ExecuteDeps, run: HeldRun, until: string): Promise<RunOutcome> {
  await suspendRun(pool, run, until).catch(ignoreLoss)
  suspended(Date.parse(until) - Date.now())
  return 'waiting'
}

// A run whose worker is lost again and again counts as the cause; the database is away whatever runs do. Beyond an hour, what
// fails in the database may come from the step after all.
const waitsForDatabaseMs = 15_000
const databaseTimeMaxMs = 60 * 60_000

/** Returns for how long the step has lasted with which this worker began. */
function begunForMs({ history }: HeldRun): number {
  const begun = [...history.values()].filter(({ state }) => state === 'RUNNING')
  return Math.max(0, ...begun.map(({ startedAt }) => Date.now() - Date.parse(startedAt)))
}

/** The position of a run. */
interface Walk {
  place: StepPlace | null
}

interface RunData {
  readonly trigger: unknown
  /** The outputs of the steps that are done. */
  readonly steps: Record<string, { readonly data: unknown }>
}

/** Steps that follow one another. */
interface Sequence {
  readonly steps: readonly WorkflowStep[]
  /** The beginning of their positions. */
  readonly prefix: string
  /** Whether no other step follows them. */
  readonly areLast: boolean
}

async function walkSteps(
  deps: ExecuteDeps,
  run: HeldRun,
  lease: Lease,
  { steps, prefix, areLast }: Sequence,
  data: RunData,
  walk: Walk,
): Promise<void> {
  for (const [index, step] of steps.entries()) {
    const position = `${prefix}${index}`
    const earlier = run.history.get(position)
    const isDone = earlier?.state === 'SUCCEEDED'
    const isLast = areLast && index === steps.length - 1
    const isFork = step.type === 'CONDITION'
    const place = { position, key: step.key, type: step.type, endsRun: isLast && !isFork }
    if (!isDone) {
      if (deps.isStopping()) throw new RunGivenBack()
      if (lease.leftMs() === 0) throw new RunLost()
      walk.place = place
    }
    const output = isDone ? earlier.output : await performStep({ deps, run, lease, step, place, data, earlier })
    data.steps[step.key] = { data: output }
    if (!isFork) continue
    const branch = (output as { readonly result: boolean }).result ? 'then' : 'else'
    const sequence = { steps: step[branch], prefix: `${position}.${branch}.`, areLast: isLast }
    await walkSteps(deps, run, lease, sequence, data, walk)
  }
}

/**
 * Returns the failure that belongs to the run itself; null for an unexpected error, after which the run is taken up
 * again later.
 */
function toFailure(error: unknown): StepFailed | null {
  if (error instanceof StepFailed) return error
  return error instanceof TemplateError ? new StepFailed('STEP_FAILED', error.message) : null
}

function ignoreLoss(error: unknown): void {
  if (!(error instanceof RunLost)) throw error
}
