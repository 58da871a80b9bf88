import type { Tone } from '../../shell/pill.tsx'
import type { Automation, Delivery, Workflow, WorkflowRun } from './automation-queries.ts'
import { t } from './texts.ts'

type State = Automation['state']

export const stateNames: Readonly<Record<State, string>> = {
  DRAFT: t('Draft'),
  ON: t('On'),
  PAUSED: t('Paused'),
}
export const stateTones: Readonly<Record<State, Tone>> = { DRAFT: 'neutral', ON: 'green', PAUSED: 'amber' }

/** The states of workflows, as the API of one workflow names them. */
export const workflowStates: Readonly<Record<Workflow['status'], State>> = {
  DRAFT: 'DRAFT',
  PUBLISHED: 'ON',
  UNPUBLISHED: 'PAUSED',
}

export const runStateNames: Readonly<Record<WorkflowRun['state'] | 'SKIPPED', string>> = {
  QUEUED: t('Queued'),
  RUNNING: t('Running'),
  WAITING: t('Waiting'),
  SUCCEEDED: t('Succeeded'),
  FAILED: t('Failed'),
  CANCELLED: t('Cancelled'),
  SKIPPED: t('Skipped'),
}
export const runTones: Readonly<Record<WorkflowRun['state'] | 'SKIPPED', Tone>> = {
  QUEUED: 'neutral',
  RUNNING: 'blue',
  WAITING: 'teal',
  SUCCEEDED: 'green',
  FAILED: 'red',
  CANCELLED: 'neutral',
  SKIPPED: 'neutral',
}

export const deliveryStateNames: Readonly<Record<Delivery['state'], string>> = {
  SENDING: t('Running'),
  SUCCEEDED: t('Succeeded'),
  FAILED: t('Failed'),
}
export const deliveryTones: Readonly<Record<Delivery['state'], Tone>> = {
  SENDING: 'blue',
  SUCCEEDED: 'green',
  FAILED: 'red',
}

/** Formats any value as text for people. */
export function showJson(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null, null, 2)
}

type FailureCode = NonNullable<WorkflowRun['failureCode']>

/** The reasons why a run failed. */
export const failureNames: Readonly<Record<FailureCode, string>> = {
  STEP_FAILED: t('A step failed'),
  ACCESS_DENIED: t('Its owner lacks the access'),
  OWNER_DISABLED: t('Its owner is disabled'),
  TIMED_OUT: t('It took too long'),
  WORKER_LOST: t('It was interrupted'),
  OUTCOME_UNKNOWN: t('The outcome is unknown'),
  TOO_DEEP: t('Too many workflows started one another'),
}
