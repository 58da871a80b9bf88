import type { BookingDeps } from '../deps.ts'
import { releaseAbandoned } from './bookings.repository.ts'

/** Longer than creating a booking may take in all. */
const heldMsMax = 60_000
const sweepEveryMs = 15_000

/** Gives back the slots of creations that ended half-way, now and then; `close` ends it. */
export function startSweeper(deps: Pick<BookingDeps, 'db' | 'clock' | 'logger'>): { close(): Promise<void> } {
  let running = sweep(deps)
  const timer = setInterval(() => {
    running = sweep(deps)
  }, sweepEveryMs)
  return {
    close: async () => {
      clearInterval(timer)
      await running
    },
  }
}

/** Gives back what is held for too long. */
export async function sweep({ db, clock, logger }: Pick<BookingDeps, 'db' | 'clock' | 'logger'>): Promise<void> {
  const now = clock.now()
  try {
    const released = await releaseAbandoned(db, new Date(now.getTime() - heldMsMax).toISOString(), now.toISOString())
    if (released > 0) logger.warn({ released }, 'bookings that were left half-way were cancelled')
  } catch (error) {
    logger.error({ err: error }, 'bookings that were left half-way could not be looked for')
  }
}
