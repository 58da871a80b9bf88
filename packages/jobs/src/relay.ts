import type { Logger } from '@crm/runtime'
import type { Pool } from '@crm/db'
import type { JobReference, Topic } from './catalogue.ts'
import { lostInMs, putBack, takeLost, takeWaiting, type HandedOn, type Taken, type Unheard } from './handing-on.ts'
import type { Queues } from './no-queues.ts'

/** A worker in this process for a topic whose work is in no queue. */
interface LocalWorker {
  readonly topic: Topic
  /** Returns how much more it can take now. */
  free(): number
  take(reference: JobReference): void
}

/** Hands rows of the outbox on: to the queues in Redis or, without them, to the workers of this process. */
export interface Relay {
  /** Looks for waiting rows now, for example right after a commit. */
  kick(): void
  serve(worker: LocalWorker): void
  close(): Promise<void>
}

export interface RelayOptions {
  readonly pool: Pool
  readonly queues: Queues
  readonly topics: readonly Topic[]
  readonly logger: Logger
  /** The rows that need no consumer. */
  readonly unheard?: Unheard
  /** Removes rows that need no consumer after all, and marks them as done; a filter that throws removes none. */
  readonly filter?: (rows: readonly HandedOn[]) => Promise<readonly HandedOn[]>
  /** The interval of its own looks; 250 by default. */
  readonly pollMs?: number
  /** Whether it is kicked for what other processes queue; its own looks are then a safety net, every five seconds. Never by default. */
  readonly isTold?: () => boolean
  /** The time for which a kick collects further rows, so that busy periods are handed on in batches; 0 by default. */
  readonly gatherMs?: number
  /** The interval of looks for lost rows. 5000 by default. */
  readonly lostPollMs?: number
}

const batchSize = 200
const nothing: Taken = { looked: 0, rows: [] }
const toldPollMs = 5_000

/** Starts the relay of one process. */
export function createRelay({
  pool,
  queues,
  topics,
  logger,
  unheard,
  filter,
  pollMs = 250,
  isTold = () => false,
  gatherMs = 0,
  lostPollMs = 5_000,
}: RelayOptions): Relay {
  // Bounded: the topics that this process serves.
  const locals = new Map<Topic, LocalWorker>()
  let isClosed = false
  let isKicked = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const pass = createPass(
    { pool, queues, topics, logger, unheard, filter, lostPollMs },
    locals,
    () => (isKicked = true),
  )

  /** Looks until no row is left that could be handed on now; returns the time until the next look. */
  const run = async (): Promise<number> => {
    for (;;) {
      isKicked = false
      const { isMore, nextInMs } = await pass().catch((error: unknown): Looked => {
        logger.warn({ err: error }, 'the outbox could not be read')
        return { isMore: false, nextInMs: 0 }
      })
      if (isClosed || !(isMore || isKicked)) return isTold() ? Math.max(pollMs, Math.min(nextInMs, toldPollMs)) : pollMs
    }
  }

  const start = (): void => {
    clearTimeout(timer)
    running = runAndRest()
  }

  const runAndRest = async (): Promise<void> => {
    const nextInMs = await run()
    running = undefined
    if (isClosed) return
    if (isKicked) gather()
    else timer = setTimeout(start, nextInMs)
  }

  let isGathering = false
  const gather = (): void => {
    if (gatherMs === 0) return start()
    if (isGathering) return
    isGathering = true
    clearTimeout(timer)
    timer = setTimeout(() => {
      isGathering = false
      start()
    }, gatherMs)
  }

  timer = setTimeout(start, 0)

  return {
    kick: () => {
      isKicked = true
      if (!running && !isClosed) gather()
    },
    serve: (worker) => void locals.set(worker.topic, worker),
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await running
    },
  }
}

interface PassOptions extends Pick<RelayOptions, 'pool' | 'queues' | 'topics' | 'logger' | 'unheard' | 'filter'> {
  readonly lostPollMs: number
}

/** What a look at the outbox has found out. */
interface Looked {
  /** Whether there may be more to hand on now. */
  readonly isMore: boolean
  /** The time until rows that were handed on or put aside may be due again. */
  readonly nextInMs: number
}

/**
 * Makes the function that looks at the outbox once, and hands waiting and lost rows on.
 *
 * @param putBackAgain is called when rows had to be put back, because the queues did not take them
 */
function createPass(
  { pool, queues, topics, logger, unheard, filter, lostPollMs }: PassOptions,
  locals: ReadonlyMap<Topic, LocalWorker>,
  putBackAgain: () => void,
): () => Promise<Looked> {
  let lostLookedForAtMs = performance.now()

  const pass = async (): Promise<Looked> => {
    const toQueues = queues.isReady()
    const limits = toQueues ? queueLimits() : localLimits()
    if (limits.size === 0) return { isMore: false, nextInMs: 0 }
    const waiting = await takeWaiting(pool, limits, unheard)
    await handOn(await filtered(waiting.rows), toQueues)
    const restedMs = performance.now() - lostLookedForAtMs
    const nextInMs = restedMs < lostPollMs ? lostPollMs - restedMs : await handLostOn(toQueues)
    // Workers of this process give the look few places, and rows that need no consumer may have filled them.
    const isMore = toQueues ? waiting.looked >= batchSize : waiting.looked > waiting.rows.length
    return { isMore, nextInMs }
  }

  /** Returns the time until the next look for lost rows. */
  const handLostOn = async (toQueues: boolean): Promise<number> => {
    const limits = toQueues ? queueLimits() : localLimits()
    const inMs = await lostInMs(pool, [...limits.keys()])
    const lost = inMs > 0 ? nothing : await takeLost(pool, limits)
    await handOn(lost.rows, toQueues)
    // While there are lost rows, the next look for them is not delayed.
    if (lost.looked > 0) return 0
    lostLookedForAtMs = performance.now()
    return Math.max(inMs, lostPollMs)
  }

  const filtered = async (rows: readonly HandedOn[]): Promise<readonly HandedOn[]> => {
    if (!filter || rows.length === 0) return rows
    return filter(rows).catch((error: unknown) => {
      logger.warn({ err: error }, 'what needs no consumer could not be told apart')
      return rows
    })
  }

  const queueLimits = (): Map<Topic, number> => new Map(topics.map((topic) => [topic, batchSize]))

  const localLimits = (): Map<Topic, number> =>
    new Map([...locals.values()].map((worker) => [worker.topic, worker.free()] as const).filter(([, free]) => free > 0))

  const handOn = async (rows: readonly HandedOn[], toQueues: boolean): Promise<void> => {
    for (const [topic, ofTopic] of Map.groupBy(rows, (row) => row.topic)) {
      const references = ofTopic.map(({ workspaceId, id, epoch }) => ({ workspaceId, id, epoch }))
      if (toQueues) await addOrPutBack(topic, references, ofTopic)
      else for (const reference of references) locals.get(topic)?.take(reference)
    }
  }

  const addOrPutBack = async (
    topic: Topic,
    references: readonly JobReference[],
    rows: readonly HandedOn[],
  ): Promise<void> => {
    try {
      await queues.add(topic, references)
    } catch {
      await putBack(pool, rows)
      putBackAgain()
    }
  }

  return pass
}
