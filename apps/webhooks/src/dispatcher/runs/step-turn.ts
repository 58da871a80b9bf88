import type { Pool } from '@crm/db'
import type { Mailer, WorkspaceMailLimit } from '@crm/mail'
import type { CrmApi } from '../sending/crm-api.ts'
import type { Returns } from '../sending/returns.ts'
import type { Sender } from '../sending/sender.ts'
import type { Turns } from '../sending/turns.ts'
import type { Lease } from './leases.ts'
import type { HeldRun, StepPlace, StepRecord } from './run.ts'

/** The resources for the steps of all runs. */
export interface StepDeps {
  readonly pool: Pool
  readonly crmApi: CrmApi
  /** The first pause after a request that the CRM API could not take. */
  readonly crmApiPauseMs: number
  readonly sender: Sender
  /** Hears that a run was queued, which is due now or after a while. */
  queued(): void
  /** The places for requests of steps. */
  readonly requestTurns: Turns
  /** The return times of runs that found no place for their request. */
  readonly returns: Returns
  readonly mailer: Mailer
  /** Counts a mail to one recipient for the workspace. */
  readonly countMail: WorkspaceMailLimit
  readonly runTokenSecret: string
}

/** One step of one run, at the moment when it is performed. */
export interface StepTurn<Step> {
  readonly deps: StepDeps
  readonly run: HeldRun
  readonly lease: Lease
  readonly step: Step
  readonly place: StepPlace
  /** The data for templates and conditions: `trigger` and `steps`. */
  readonly data: unknown
  /** The record that an earlier worker or attempt left of this step. */
  readonly earlier: StepRecord | undefined
}
