import type { RunFailureCode } from '@crm/contract'
import type { Delivered } from '@crm/egress'

/** The request of a step that failed; `delivered` is null when nobody knows what came of it. */
export interface FailedDelivery {
  readonly deliveryId: string
  readonly delivered: Omit<Delivered, 'ok'> | null
}

/** A step failed for good, and with it the run. */
export class StepFailed extends Error {
  readonly code: RunFailureCode
  readonly delivery: FailedDelivery | undefined

  constructor(code: RunFailureCode, message: string, delivery?: FailedDelivery) {
    super(message)
    this.name = 'StepFailed'
    this.code = code
    this.delivery = delivery
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
