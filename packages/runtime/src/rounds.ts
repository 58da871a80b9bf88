import type { Logger } from './logger.ts'
import { pause } from './waits.ts'

/** Repeated work; a failed round is logged and does not prevent the next one. */
export interface Rounds {
  /** Waits for the current round and begins no other. */
  close(): Promise<void>
}

/** Runs one round at once, and each further round a while after the end of the previous one. */
export function startRounds({
  name,
  everyMs,
  logger,
  round,
}: {
  readonly name: string
  readonly everyMs: number
  readonly logger: Logger
  readonly round: () => Promise<unknown>
}): Rounds {
  const stop = new AbortController()
  const running = (async () => {
    do {
      await round().catch((error: unknown) =>
        logger.error({ err: error, round: name }, 'a round of background work failed'),
      )
    } while (await pause(everyMs, stop.signal))
  })()
  return {
    close: async () => {
      stop.abort()
      await running
    },
  }
}
