import { inSavepoint, type Transaction } from '@crm/db'

/** Carries the result of a rehearsal out of the transaction that is rolled back. */
class Rehearsed<T> extends Error {
  readonly outcome: T

  constructor(outcome: T) {
    super('This was only a rehearsal')
    this.outcome = outcome
  }
}

/** Runs the work, or runs it and rolls it back, so that a dry run tells exactly the real outcome. */
export async function rehearsed<T>(
  isRehearsal: boolean | undefined,
  tx: Transaction,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  if (!isRehearsal) return work(tx)
  try {
    return await inSavepoint(tx, async (inner) => {
      throw new Rehearsed(await work(inner))
    })
  } catch (error) {
    if (error instanceof Rehearsed) return error.outcome as T
    throw error
  }
}
