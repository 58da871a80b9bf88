import type { OutboxTopic } from '@crm/db'
import { z } from 'zod'

/** The payload of a queue: a reference to work, never the work itself; a stale epoch ends quietly. */
export const jobReference = z.strictObject({ workspaceId: z.guid(), id: z.guid(), epoch: z.int().min(0) })
export type JobReference = z.output<typeof jobReference>

// PostgreSQL queues failed work again; a failed job that stayed in Redis would block its own id.
const options = { attempts: 1, removeOnComplete: true, removeOnFail: true } as const

/** Every kind of work with its payload and options; the names are the topics of the outbox. */
export const jobCatalogue = {
  /** A record changed: rules and workflows may listen. */
  change: { payload: jobReference, options },
  /** A workflow run is queued; the row has the id of the run and its epoch as attempts. */
  run: { payload: jobReference, options },
  /** The run of an automation rule is queued; the row has its id. */
  rule: { payload: jobReference, options },
  /** Callers of a workspace must be resolved again. */
  access: { payload: jobReference, options },
  /** Background work of the CRM API. */
  job: { payload: jobReference, options },
  /** A mail of the CRM API, whose server may take minutes to answer. */
  mail: { payload: jobReference, options },
} as const satisfies Record<OutboxTopic, object>

export type Topic = keyof typeof jobCatalogue

const topics = Object.keys(jobCatalogue) as readonly Topic[]

/** The queues of periodic work, one for each deployable that has such work; their jobs carry only a name. */
const periodicQueues = ['periodic-crm-api', 'periodic-booking', 'periodic-dispatcher'] as const

export type PeriodicQueue = (typeof periodicQueues)[number]

/** Every queue of the installation. */
export const queueNames: readonly (Topic | PeriodicQueue)[] = [...topics, ...periodicQueues]

/** The version of what a job in Redis means. */
const jobVersion = 1

/** Returns the name of a job in Redis, which carries its version. */
export function jobNameOf(topic: Topic): string {
  return `${topic}@${jobVersion}`
}

/** Whether a job in Redis has a meaning that this code knows; names of before had no version. */
export function isKnownJob(topic: Topic, name: string): boolean {
  return name === topic || name === jobNameOf(topic)
}

/** Returns the id of a job in Redis; adding an id twice adds one job. */
export function jobIdOf(topic: Topic, { id, epoch }: JobReference): string {
  return `${topic}-${id}-${epoch}`
}
