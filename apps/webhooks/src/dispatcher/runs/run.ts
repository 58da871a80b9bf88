import type { WorkflowStep } from '@crm/contract'

/** A run that this worker holds: nobody else changes it while the lease lasts and the epoch stands. */
export interface HeldRun {
  readonly workspaceId: string
  readonly id: string
  readonly epoch: number
  readonly workflowId: string
  /** The person it acts as. */
  readonly runAsId: string
  readonly runAsStatus: 'ACTIVE' | 'SUSPENDED' | 'TERMINATED' | null
  /** Who mails come from. */
  readonly workspaceName: string
  /** How many runs led to this one. */
  readonly depth: number
  readonly trigger: unknown
  readonly triggerType: 'WEBHOOK' | 'EVENT' | 'MANUAL'
  /** ISO 8601. */
  readonly createdAt: string
  readonly steps: readonly WorkflowStep[]
  /** The Host header with which the CRM API knows the workspace. */
  readonly host: string
  /** What earlier workers have done of it, by position. */
  readonly history: ReadonlyMap<string, StepRecord>
}

/** One step as it was stored. */
export interface StepRecord {
  readonly position: string
  readonly state: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'SKIPPED'
  readonly input: unknown
  readonly output: unknown
  /** ISO 8601. */
  readonly startedAt: string
}

/** How a step is named in the history. */
export interface StepPlace {
  readonly position: string
  readonly key: string
  readonly type: WorkflowStep['type']
}
