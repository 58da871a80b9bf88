import type { RunFailureCode } from '@crm/contract'

/** A step failed for good, and its run failed with it. */
export class StepFailed extends Error {
  readonly code: RunFailureCode

  constructor(code: RunFailureCode, message: string) {
    super(message)
    this.name = 'StepFailed'
    this.code = code
  }
}

/** A step cannot continue now: the run waits and comes back to it. */
export class StepWaits extends Error {
  /** The end of the wait, in ISO 8601. */
  readonly until: string

  constructor(until: Date) {
    super('The step waits')
    this.name = 'StepWaits'
    this.until = until.toISOString()
  }
}

/** The run now belongs to another worker, or was cancelled; the results of this worker no longer count. */
export class RunLost extends Error {
  constructor() {
    super('The run was taken over or cancelled')
    this.name = 'RunLost'
  }
}

/** The process is about to stop: the run goes back, and another worker continues it. */
export class RunGivenBack extends Error {
  constructor() {
    super('The worker stops')
    this.name = 'RunGivenBack'
  }
}
