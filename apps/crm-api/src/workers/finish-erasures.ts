import { doDueWork, type RoundDeps } from '@crm/jobs'
import { changeTexts, selectDueErasures, type ErasureKey } from '../across/privacy/privacy.texts.ts'

/** How often erasures are looked for that nobody goes on with. */
export const erasuresRoundMs = 60_000
const work = 'finish-erasures'
const foundAtOnce = 20
/** The batches of one erasure in a round: large ones take turns. */
const batchesMax = 20

/** Goes on with the texts of erasures that a request left, or a process that was ended. */
export async function finishErasures(deps: RoundDeps): Promise<void> {
  const { db, clock } = deps
  await doDueWork(deps, {
    name: work,
    everyMs: erasuresRoundMs,
    batch: foundAtOnce,
    keyOf: ({ workspaceId, id }: ErasureKey) => ({ workspaceId, row: id }),
    find: (at, limit) => selectDueErasures(db, work, at, limit),
    perform: async (keys) => {
      for (const key of keys) await changeTexts(db, key, clock.now().toISOString(), { batchesMax })
    },
  })
}
