import { createRecogniser, type Workspace } from '@crm/identity'
import type { BookingDeps } from './deps.ts'

/** Nobody shows a credential here, so nothing is ever counted by one. */
const noCredentials = { consume: async () => ({ allowed: true, retryAfterS: 0 }) }

/**
 * Makes the function that finds the workspace of a host. What it found is used again while the epochs in Redis stand
 * still, so that a module that is switched off is off with the next request; without Redis the database is asked.
 */
export function createWorkspaceFinder({
  pool,
  epochs,
  clock,
}: Pick<BookingDeps, 'pool' | 'epochs' | 'clock'>): (host: string) => Promise<Workspace | null> {
  const recognise = createRecogniser({ pool, epochs, limit: noCredentials, now: () => clock.now() })
  return async (host) => (await recognise({ host })).workspace
}
