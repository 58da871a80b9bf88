import { doDueWork, type RoundDeps } from '@crm/jobs'
import { forgetContents, selectLeft } from '../domain/files/leaving-contents.repository.ts'
import type { CrmApiDeps } from '../platform/deps.ts'

/** How often contents are looked for whose time has come. */
export const contentsRoundMs = 10 * 60_000
const work = 'remove-contents'
const foundAtOnce = 200

/**
 * Removes the contents whose time has come. Several processes may do so at once, since removing a content again does nothing. One that cannot
 * be removed is tried again later, after the others.
 */
export async function sweepContents(deps: RoundDeps & Pick<CrmApiDeps, 'storage'>): Promise<void> {
  const { db, storage } = deps
  await doDueWork(deps, {
    name: work,
    everyMs: contentsRoundMs,
    batch: foundAtOnce,
    find: (at, limit) => selectLeft(db, work, at, limit),
    keyOf: ({ workspaceId, key }) => ({ workspaceId, row: key }),
    perform: async (contents) => {
      for (const { workspaceId, key } of contents) {
        await storage.remove(key)
        await forgetContents(db, workspaceId, [key])
      }
    },
  })
}
