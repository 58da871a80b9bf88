import type { Pool } from '@crm/db'
import type { Logger } from '@crm/runtime'
import type { JobReference, Topic } from './catalogue.ts'
import { putBack } from './handing-on.ts'
import type { Queues } from './queues.ts'

/** Hands rows on that this process has just written, without reading them back. */
export interface HandOn {
  /** Whether rows may be written as handed on (`relayed_at` set); otherwise a relay finds them. */
  isReady(): boolean
  /** Hands on what was written and committed so. A crash before it is done is found by the relay, as any other loss. */
  add(references: readonly JobReference[]): void
  close(): Promise<void>
}

export interface HandOnOptions {
  readonly pool: Pool
  readonly queues: Queues
  readonly topic: Topic
  readonly logger: Logger
  /** How long rows wait for more, so that busy times are handed on in batches. */
  readonly gatherMs: number
}

const batchMax = 500

/** Starts handing on to one queue. */
export function createHandOn({ pool, queues, topic, logger, gatherMs }: HandOnOptions): HandOn {
  let gathered: JobReference[] = []
  let timer: NodeJS.Timeout | undefined
  const underWay = new Set<Promise<void>>()

  const addOrPutBack = async (references: readonly JobReference[]): Promise<void> => {
    try {
      await queues.add(topic, references)
    } catch {
      await putBack(pool, references).catch((error: unknown) => logger.warn({ err: error }, 'rows that were not handed on will be later'))
    }
  }

  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    const references = gathered
    gathered = []
    if (references.length === 0) return
    const done = addOrPutBack(references).finally(() => underWay.delete(done))
    underWay.add(done)
  }

  return {
    isReady: () => queues.isReady(),
    add: (references) => {
      gathered.push(...references)
      if (gathered.length >= batchMax) flush()
      else timer ??= setTimeout(flush, gatherMs)
    },
    close: async () => {
      flush()
      await Promise.all(underWay)
    },
  }
}
