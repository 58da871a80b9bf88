export {
  jobCatalogue,
  jobIdOf,
  jobReference,
  periodicQueues,
  queueNames,
  type JobReference,
  type PeriodicQueue,
  type Topic,
} from './catalogue.ts'
export { createFairWorker, createOutboxConsumer, type OutboxConsumerOptions } from './consumer.ts'
export {
  behindCounter,
  doDueWork,
  doSharedWork,
  type DueWork,
  type RoundDeps,
  type RoundOutcome,
  type SharedWork,
} from './due-work.ts'
export { addFailureGauge, addOutboxGauges, addQueueGauges } from './gauges.ts'
export { finishUnheard, handedOnMs, type HandedOn, type Unheard } from './handing-on.ts'
export {
  claimRow,
  finishRow,
  holdRow,
  postponeRow,
  putAsideRow,
  queueRun,
  retryDelayMs,
  type OutboxRow,
  type QueuedRun,
} from './outbox.ts'
export { noQueues, type QueueListener, type Queues, type ScheduleState } from './no-queues.ts'
export { startPeriodicJobs, type PeriodicJob, type PeriodicJobs, type PeriodicJobsOptions } from './periodic.ts'
export { createRelay, type LocalWorker, type Relay, type RelayOptions } from './relay.ts'
export { createWakeUp, hearWakeUps, sendWakeUps, type WakeUp, type WakeUps } from './wake-up.ts'
export { isNotPutOff, type WorkKey } from './work-failures.ts'
export { createWorker, type JobWorker, type WorkerOptions } from './worker.ts'
