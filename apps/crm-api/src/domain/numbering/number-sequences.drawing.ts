import type { NumberedEntity } from '@crm/contract'
import { newId, schema, usualSequence, type Executor, type Transaction } from '@crm/db'
import { and, asc, desc, eq, max, sql, type SQL } from 'drizzle-orm'
import type { WriteContext } from '../../records/owned/write.ts'
import { nextInPeriod, periodOf, stateAfter, writeNumber } from './number-sequences.pattern.ts'

const { numberPeriods, numberSequences } = schema

export type SequenceRow = typeof numberSequences.$inferSelect

/** Draws the next number; the sequence stays locked until the transaction ends, so that no number is skipped or given twice. */
export async function drawNumber(
  tx: Transaction,
  context: Pick<WriteContext, 'workspace' | 'at' | 'caller'>,
  entityType: NumberedEntity,
  issueDate: string,
): Promise<string> {
  const sequence =
    (await lockDefault(tx, context.workspace.id, entityType)) ?? (await makeUsual(tx, context, entityType))
  const { workspaceId, id: sequenceId, pattern, resetPeriod } = sequence
  const period = periodOf(resetPeriod, issueDate)
  const value = nextInPeriod(sequence, period, await lastUsedIn(tx, sequence, period))
  await tx
    .insert(numberPeriods)
    .values({ workspaceId, sequenceId, period, lastUsed: value })
    .onConflictDoUpdate({
      target: [numberPeriods.workspaceId, numberPeriods.sequenceId, numberPeriods.period],
      set: { lastUsed: value },
    })
  const { nextValue, period: latest } = stateAfter(sequence, period, value)
  await tx.update(numberSequences).set({ nextValue, period: latest }).where(isSequence(workspaceId, sequenceId))
  return writeNumber(pattern, value, issueDate)
}

/** Returns the highest value that a sequence gave in a period. */
export async function lastUsedIn(
  db: Executor,
  { workspaceId, id }: Pick<SequenceRow, 'workspaceId' | 'id'>,
  period: string,
): Promise<number | null> {
  const [row] = await db
    .select({ lastUsed: numberPeriods.lastUsed })
    .from(numberPeriods)
    .where(
      and(
        eq(numberPeriods.workspaceId, workspaceId),
        eq(numberPeriods.sequenceId, id),
        eq(numberPeriods.period, period),
      ),
    )
  return row?.lastUsed ?? null
}

/**
 * Returns the highest value that a sequence gave in the periods that contain a period or lie within it. Such periods come
 * from a sequence whose reset period was changed.
 */
export async function lastUsedAround(
  db: Executor,
  { workspaceId, id }: Pick<SequenceRow, 'workspaceId' | 'id'>,
  period: string,
): Promise<number | null> {
  const overlaps = sql`(starts_with(${numberPeriods.period}, ${period}::text) OR starts_with(${period}::text, ${numberPeriods.period}))`
  const [row] = await db
    .select({ lastUsed: max(numberPeriods.lastUsed) })
    .from(numberPeriods)
    .where(and(eq(numberPeriods.workspaceId, workspaceId), eq(numberPeriods.sequenceId, id), overlaps))
  return row?.lastUsed ?? null
}

/** Locks the default sequence, or the oldest one where there is no default. */
async function lockDefault(
  tx: Transaction,
  workspaceId: string,
  entityType: NumberedEntity,
): Promise<SequenceRow | undefined> {
  const [row] = await tx
    .select()
    .from(numberSequences)
    .where(and(eq(numberSequences.workspaceId, workspaceId), eq(numberSequences.entityType, entityType)))
    .orderBy(desc(numberSequences.isDefault), asc(numberSequences.createdAt), asc(numberSequences.id))
    .limit(1)
    .for('update')
  return row
}

/**
 * Makes the usual sequence where all were deleted. Several transactions may find that there is none; one makes it and the
 * others wait for it.
 */
async function makeUsual(
  tx: Transaction,
  { workspace, at, caller }: Pick<WriteContext, 'workspace' | 'at' | 'caller'>,
  entityType: NumberedEntity,
): Promise<SequenceRow> {
  const stamps = { createdAt: at, updatedAt: at, createdById: caller.employee.id }
  await tx
    .insert(numberSequences)
    .values({ workspaceId: workspace.id, id: newId(), ...usualSequence(entityType), ...stamps })
    .onConflictDoNothing()
  const made = await lockDefault(tx, workspace.id, entityType)
  if (!made) throw new Error(`There is no default number sequence of ${entityType}, and none could be made`)
  return made
}

/** Returns the condition for the row of a sequence. */
export function isSequence(workspaceId: string, id: string): SQL {
  return and(eq(numberSequences.workspaceId, workspaceId), eq(numberSequences.id, id)) as SQL
}
