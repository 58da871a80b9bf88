import type { BookingDeps } from '../deps.ts'
import { releaseAbandoned } from './bookings.repository.ts'

/** This is longer than creating a booking may take in all. */
const heldMsMax = 60_000

/** Releases the slots of bookings whose creation stopped half-way. */
export async function sweep({ db, clock, logger }: Pick<BookingDeps, 'db' | 'clock' | 'logger'>): Promise<void> {
  const now = clock.now()
  const released = await releaseAbandoned(db, new Date(now.getTime() - heldMsMax).toISOString(), now.toISOString())
  if (released > 0) logger.warn({ released }, 'bookings that were left half-way were cancelled')
}
