import type { Tone } from '../../shell/pill.tsx'
import type { RunInFull } from './automation-queries.ts'
import { runStateNames, runTones } from './automation-words.ts'
import { placedSteps, type Position, type WorkflowStep } from './steps.ts'
import { t } from './texts.ts'

/** What a run did at a step. */
export interface RunLook {
  readonly tone: Tone
  readonly text: string
}

/** Returns what a run did at each step of its version. */
export function looksOf(run: Pick<RunInFull, 'state' | 'steps'>, steps: readonly WorkflowStep[]) {
  const done = new Map(run.steps.map((step) => [step.position, step]))
  return new Map(
    placedSteps(steps).map(({ position }): [Position, RunLook] => {
      const state = done.get(position)?.state
      if (state === undefined) return [position, { tone: 'neutral', text: t('Not reached') }]
      // A step that waits is still running, and its run says that it waits.
      if (state === 'RUNNING' && run.state === 'WAITING') return [position, { tone: 'amber', text: t('Waiting') }]
      return [position, { tone: runTones[state], text: state === 'SUCCEEDED' ? t('Done') : runStateNames[state] }]
    }),
  )
}
