import { within, type Logger } from '@crm/runtime'
import type { JobReference, Topic } from './catalogue.ts'
import type { QueueListener, Queues } from './no-queues.ts'
import type { Relay } from './relay.ts'

export interface WorkerOptions {
  readonly topic: Topic
  /** The most concurrent work. */
  readonly concurrency: number
  readonly queues: Queues
  readonly relay: Relay
  readonly logger: Logger
  /** Does the work; a stale reference must end quietly. */
  perform(reference: JobReference): Promise<void>
  /** The longest time that a queue may be full with nothing taken before its listener is replaced; 60000 by default. */
  readonly stuckMs?: number
}

/** A worker on one topic, for work from any source. */
export interface JobWorker {
  readonly topic: Topic
  active(): number
  /** Takes nothing more and waits for current work, up to a limit. */
  close(withinMs: number): Promise<void>
}

/** Starts a worker that takes work from its queue in Redis or, without one, from PostgreSQL through the relay. */
export function createWorker({
  topic,
  concurrency,
  queues,
  relay,
  logger,
  perform,
  stuckMs = 60_000,
}: WorkerOptions): JobWorker {
  // Bounded: as many as may be worked on at once.
  const underWay = new Set<Promise<void>>()
  let isClosed = false
  let tookAtMs = performance.now()

  const work = async (reference: JobReference): Promise<void> => {
    tookAtMs = performance.now()
    const done = perform(reference).catch((error: unknown) =>
      logger.error({ err: error, topic, ...reference }, 'work failed'),
    )
    underWay.add(done)
    await done
    underWay.delete(done)
  }

  const listen = (): QueueListener | undefined => queues.listen(topic, concurrency, work)
  let listener = listen()

  relay.serve({
    topic,
    free: () => (isClosed ? 0 : Math.max(0, concurrency - underWay.size)),
    take: (reference) => void work(reference).then(() => relay.kick()),
  })

  const rebuildIfStuck = async (): Promise<void> => {
    if (!listener || isClosed || underWay.size > 0 || performance.now() - tookAtMs < stuckMs || !queues.isReady())
      return
    const waiting = await queues.waiting(topic).catch(() => 0)
    if (waiting === 0) return
    logger.warn({ topic, waiting }, 'nothing was taken although work waits: the listener is made anew')
    tookAtMs = performance.now()
    await listener.close(0)
    if (!isClosed) listener = listen()
  }
  const watchdog = listener && setInterval(() => void rebuildIfStuck(), stuckMs / 4)

  return {
    topic,
    active: () => underWay.size,
    close: async (withinMs) => {
      isClosed = true
      clearInterval(watchdog)
      await within(withinMs, Promise.all([listener?.close(withinMs), ...underWay]), () => undefined)
    },
  }
}
