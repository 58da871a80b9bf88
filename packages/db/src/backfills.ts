import { eq, isNotNull, sql } from 'drizzle-orm'
import type { Database } from './client.ts'
import { composeTexts } from './compose-texts.ts'
import { foldSearchTexts } from './fold-search-texts.ts'
import { backfills } from './schema/core.ts'
import { everyWorkspace, isEveryWorkspace, type Part } from './part.ts'
import { inTransaction, type Transaction } from './transaction.ts'

/** Work on existing rows that a version brings with it: too much for a migration, because no statement of it may hold locks for long. */
export interface Backfill {
  /** Never changes; a migration that needs the work done names it: `-- contract after NAME`. */
  readonly name: string
  /** Whether it has to wait, for example because a process runs that could not read the changed rows. */
  waits?(tx: Transaction): Promise<boolean>
  /**
   * Changes some of the rows that still need it, and returns their number; 0 when none is left.
   * Both versions of the service write meanwhile, so the new one already writes rows that need nothing.
   * @param limit the most rows
   * @param part the workspaces whose rows it changes
   */
  step(tx: Transaction, limit: number, part: Part): Promise<number>
}

/** The backfills of this version, in order. */
export const allBackfills: readonly Backfill[] = [foldSearchTexts, composeTexts]

/** The rows of one transaction. */
export const backfillRows = 1_000
/** The transactions of one round, so that a process that is asked to stop does not wait for all of the work. */
const stepsPerRound = 20

/** Does a part of each backfill; the processes of an installation share the work one after the other. */
export async function runBackfills(db: Database, wanted: readonly Backfill[] = allBackfills): Promise<void> {
  for (const backfill of wanted) await runBackfill(db, backfill)
}

/** Returns the backfills that are not done yet. */
export async function openBackfills(db: Database, wanted: readonly Backfill[]): Promise<readonly Backfill[]> {
  const done = await db.select({ name: backfills.name }).from(backfills).where(isNotNull(backfills.doneAt))
  return wanted.filter(({ name }) => !done.some((one) => one.name === name))
}

/** Does a part of a backfill in some workspaces. */
export async function runBackfill(db: Database, backfill: Backfill, part: Part = everyWorkspace): Promise<void> {
  for (let steps = 0; steps < stepsPerRound; steps++) if (!(await takeStep(db, backfill, part))) break
}

/** Takes one step; returns whether another one may follow now. */
async function takeStep(db: Database, { name, step, waits }: Backfill, part: Part): Promise<boolean> {
  await db.insert(backfills).values({ name }).onConflictDoNothing()
  return inTransaction(db, undefined, async (tx) => {
    const [known] = await tx
      .select()
      .from(backfills)
      .where(eq(backfills.name, name))
      .for('update', { skipLocked: true })
    if (known === undefined || known.doneAt !== null) return false
    if (await waits?.(tx)) return false
    const rows = await step(tx, backfillRows, part)
    const doneAt = rows === 0 && isEveryWorkspace(part) ? sql`now()` : null
    await tx
      .update(backfills)
      .set({ rows: sql`${backfills.rows} + ${rows}`, doneAt })
      .where(eq(backfills.name, name))
    return rows > 0
  })
}
