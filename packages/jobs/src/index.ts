export { type JobReference, type Topic } from './catalogue.ts'
export { createFairWorker, createOutboxConsumer, type OutboxConsumerOptions } from './consumer.ts'
export { behindCounter, doDueWork, doSharedWork, type DueWork, type RoundDeps } from './due-work.ts'
export { addFailureGauge, addOutboxGauges, addQueueGauges } from './gauges.ts'
export { finishUnheard, handedOnMs, type HandedOn } from './handing-on.ts'
export {
  claimRow,
  finishRow,
  holdRow,
  postponeRow,
  putAsideRow,
  queueRun,
  retryDelayMs,
  type OutboxRow,
} from './outbox.ts'
export { noQueues, type Queues } from './no-queues.ts'
export { startPeriodicJobs, type PeriodicJob } from './periodic.ts'
export { createRelay } from './relay.ts'
export { createWakeUp, hearWakeUps, sendWakeUps } from './wake-up.ts'
export { isNotPutOff, type WorkKey } from './work-failures.ts'
export { createWorker } from './worker.ts'
