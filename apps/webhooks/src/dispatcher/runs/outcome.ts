import type { RunFailureCode } from '@crm/contract'

/** A step failed for good, and with it the run. */
export class StepFailed extends Error {
  readonly code: RunFailureCode

  constructor(code: RunFailureCode, message: string) {
    super(message)
    this.name = 'StepFailed'
    this.code = code
  }
}

/** A step cannot go on now: the run waits and comes back to it. */
export class StepWaits extends Error {
  /** ISO 8601. */
  readonly until: string

  constructor(until: Date) {
    super('The step waits')
    this.name = 'StepWaits'
    this.until = until.toISOString()
  }
}

/** The run belongs to another worker by now, or was cancelled; whatever this one knows no longer counts. */
export class RunLost extends Error {
  constructor() {
    super('The run was taken over or cancelled')
    this.name = 'RunLost'
  }
}

/** The process is about to stop: the run goes back, to be continued by another worker. */
export class RunGivenBack extends Error {
  constructor() {
    super('The worker stops')
    this.name = 'RunGivenBack'
  }
}
