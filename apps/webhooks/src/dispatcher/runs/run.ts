import type { WorkflowStep } from '@crm/contract'

/** The number of workflow runs that may lead to one another; the changes and the steps of the last run start nothing more. */
export const depthMax = 5

/** A run that this worker holds: nobody else changes it as long as the lease lasts and the epoch stays the same. */
export interface HeldRun {
  readonly workspaceId: string
  readonly id: string
  readonly epoch: number
  readonly workflowId: string
  /** The person that the run acts as. */
  readonly runAsId: string
  readonly runAsStatus: 'ACTIVE' | 'SUSPENDED' | 'TERMINATED' | null
  /** The name of the sender of its mails. */
  readonly workspaceName: string
  /** The time zone of its workspace. */
  readonly timezone: string
  /** The limits of its workspace (`runs.share`, `mails.per-hour`); null: the usual ones. */
  readonly share: number | null
  readonly mailsPerHour: number | null
  /** The trace that it belongs to. */
  readonly traceparent: string | null
  /** The number of runs that led to this one. */
  readonly depth: number
  readonly trigger: unknown
  readonly triggerType: 'WEBHOOK' | 'EVENT' | 'SCHEDULE' | 'MANUAL'
  /** The time in ISO 8601. */
  readonly createdAt: string
  readonly steps: readonly WorkflowStep[]
  /** The Host header with which the CRM API knows the workspace. */
  readonly host: string
  /** The steps that earlier workers performed, by position. */
  readonly history: ReadonlyMap<string, StepRecord>
}

/** One step as it was stored. */
export interface StepRecord {
  readonly position: string
  readonly state: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'SKIPPED'
  readonly input: unknown
  readonly output: unknown
  /** The time in ISO 8601. */
  readonly startedAt: string
}

/** The place of a step in its run. */
export interface StepPlace {
  readonly position: string
  readonly key: string
  readonly type: WorkflowStep['type']
  /** Whether the run has succeeded once this step has. */
  readonly endsRun: boolean
}
