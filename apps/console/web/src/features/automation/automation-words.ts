import type { Tone } from '../../shell/pill.tsx'
import type { Automation, Delivery, Workflow, WorkflowRun } from './automation-queries.ts'
import { t } from '../../base/texts.ts'

type State = Automation['state']

export const stateNames: Readonly<Record<State, string>> = {
  DRAFT: t('common.draft'),
  ON: t('automation.on'),
  PAUSED: t('automation.paused'),
}
export const stateTones: Readonly<Record<State, Tone>> = { DRAFT: 'neutral', ON: 'green', PAUSED: 'amber' }

/** The states of workflows, as the API of one workflow names them. */
export const workflowStates: Readonly<Record<Workflow['status'], State>> = {
  DRAFT: 'DRAFT',
  PUBLISHED: 'ON',
  UNPUBLISHED: 'PAUSED',
}

export const runStateNames: Readonly<Record<WorkflowRun['state'] | 'SKIPPED', string>> = {
  QUEUED: t('automation.queued'),
  RUNNING: t('automation.running'),
  WAITING: t('automation.waiting'),
  SUCCEEDED: t('automation.succeeded'),
  FAILED: t('automation.failed'),
  CANCELLED: t('common.cancelled'),
  SKIPPED: t('automation.skipped'),
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
  SENDING: t('automation.running'),
  SUCCEEDED: t('automation.succeeded'),
  FAILED: t('automation.failed'),
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
  STEP_FAILED: t('automation.failureReasons.stepFailed'),
  ACCESS_DENIED: t('automation.failureReasons.accessDenied'),
  OWNER_DISABLED: t('automation.failureReasons.ownerDisabled'),
  TIMED_OUT: t('automation.failureReasons.timedOut'),
  WORKER_LOST: t('automation.failureReasons.workerLost'),
  OUTCOME_UNKNOWN: t('automation.failureReasons.outcomeUnknown'),
  TOO_DEEP: t('automation.failureReasons.tooDeep'),
}
