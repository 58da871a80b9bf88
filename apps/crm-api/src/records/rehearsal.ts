import { inSavepoint, type Transaction } from '@crm/db'

/** Carries the outcome of a rehearsal out of the transaction that is undone. */
class Rehearsed<T> extends Error {
  readonly outcome: T

  constructor(outcome: T) {
    super('This was only a rehearsal')
    this.outcome = outcome
  }
}

/** Does the work for real, or does it and undoes it, so that a dry run tells exactly what would happen. */
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
