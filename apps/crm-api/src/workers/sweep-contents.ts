import { forgetContents, postponeContent, selectLeft } from '../domain/files/leaving-contents.repository.ts'
import type { CrmApiDeps } from '../platform/deps.ts'

/** The most contents of one round. */
const roundMax = 1_000
/** After as many failures the storage is away, and each further one would only take time. */
const failuresMax = 3
const postponedMs = 60 * 60 * 1000

/**
 * Removes the contents whose time has come. Several processes may do so at once, since removing a content again does nothing. One that cannot
 * be removed is tried again later, after the others.
 */
export async function sweepContents({
  db,
  storage,
  clock,
  logger,
}: Pick<CrmApiDeps, 'db' | 'storage' | 'clock' | 'logger'>): Promise<void> {
  const now = clock.now()
  let failures = 0
  for (const content of await selectLeft(db, now.toISOString(), roundMax)) {
    try {
      await storage.remove(content.key)
      await forgetContents(db, content.workspaceId, [content.key])
    } catch (error) {
      logger.warn({ err: error, key: content.key }, 'a content could not be removed')
      await postponeContent(db, content, new Date(now.getTime() + postponedMs).toISOString())
      if ((failures += 1) === failuresMax) return
    }
  }
}
