import { createRecogniser, type Workspace } from '@crm/identity'
import type { BookingDeps } from './deps.ts'

/** Requests carry no credential here, so none is ever counted by one. */
const noCredentials = { consume: async () => ({ allowed: true, retryAfterS: 0 }) }

/**
 * Makes the function that finds the workspace of a host. Its answers are reused while the epochs in Redis stay the
 * same, so that a module that is switched off is off with the next request; without Redis each request queries the
 * database.
 */
export function createWorkspaceFinder({
  pool,
  epochs,
  clock,
}: Pick<BookingDeps, 'pool' | 'epochs' | 'clock'>): (host: string) => Promise<Workspace | null> {
  const recognise = createRecogniser({ pool, epochs, limit: noCredentials, now: () => clock.now() })
  return async (host) => (await recognise({ host })).workspace
}
