import type { CrmApiDeps } from '../platform/deps.ts'
import { changeTexts, postponeErasure, selectDueErasures } from '../across/privacy/privacy.texts.ts'

/** The erasures of one round, and the batches of each: large ones take turns. */
const erasuresMax = 20
const batchesMax = 20

/** Goes on with the texts of erasures that a request left, or a process that was ended. */
export async function finishErasures({
  db,
  clock,
  logger,
}: Pick<CrmApiDeps, 'db' | 'clock' | 'logger'>): Promise<void> {
  const at = clock.now().toISOString()
  for (const key of await selectDueErasures(db, at, erasuresMax)) {
    try {
      const left = await changeTexts(db, key, at, { batchesMax })
      if (left > 0) logger.info({ ...key, left }, 'texts of an erasure are left')
    } catch (error) {
      // The next one belongs to another workspace.
      logger.error({ err: error, ...key }, 'an erasure could not go on')
      await postponeErasure(db, key, at)
    }
  }
}
