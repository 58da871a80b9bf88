import { doDueWork, type RoundDeps } from '@crm/jobs'
import { releasePending, selectAbandoned, type HeldSlot } from './bookings.repository.ts'

/** How often slots are looked for that nobody will confirm. */
export const sweepRoundMs = 15_000
const work = 'release-abandoned-bookings'
const foundAtOnce = 100

/** This is longer than creating a booking may take in all. */
const heldMsMax = 60_000

/** Releases the slots of bookings whose creation stopped half-way. */
export async function sweep(deps: RoundDeps): Promise<void> {
  const { db, clock, logger } = deps
  let released = 0
  await doDueWork<HeldSlot>(deps, {
    name: work,
    everyMs: sweepRoundMs,
    batch: foundAtOnce,
    find: (at, limit) =>
      selectAbandoned(db, { work, at, heldBefore: new Date(Date.parse(at) - heldMsMax).toISOString() }, limit),
    keyOf: ({ workspaceId, id }) => ({ workspaceId, row: id }),
    perform: async (abandoned) => {
      for (const slot of abandoned) released += (await releasePending(db, slot, clock.now().toISOString())) ? 1 : 0
    },
  })
  if (released > 0) logger.warn({ released }, 'bookings that were left half-way were cancelled')
}
