import type { Logger } from './logger.ts'

/** Work that is done again and again; a round that fails is logged and does not keep the next from coming. */
export interface Rounds {
  /** Waits for the round under way and begins no other. */
  close(): Promise<void>
}

/** Does one round at once, and the next a while after each has ended. */
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
  const stop = Promise.withResolvers<'stop'>()
  const pause = () => {
    const { promise, resolve } = Promise.withResolvers<'go'>()
    const timer = setTimeout(() => resolve('go'), everyMs)
    return Promise.race([promise, stop.promise]).finally(() => clearTimeout(timer))
  }
  const running = (async () => {
    do {
      await round().catch((error: unknown) =>
        logger.error({ err: error, round: name }, 'a round of background work failed'),
      )
    } while ((await pause()) === 'go')
  })()
  return {
    close: async () => {
      stop.resolve('stop')
      await running
    },
  }
}
