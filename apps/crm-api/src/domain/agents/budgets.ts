import { isAnyOf, schema, type Executor, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import type { AgentLimits } from '@crm/permissions'
import { and, eq, sql } from 'drizzle-orm'
import { today } from '../../records/moment.ts'

const { budgetUses } = schema

/** What a credential has used of a day. */
export interface BudgetUse {
  readonly writes: number
  readonly deletes: number
}

/** The day of a workspace in which budgets are counted, and its end. */
export interface BudgetDay {
  readonly day: string
  /** ISO 8601. */
  readonly resetsAt: string
}

const nothing: BudgetUse = { writes: 0, deletes: 0 }

/** Returns all limits of a credential; null: none. */
export function limitsIn(limits: Partial<AgentLimits>): AgentLimits {
  return { writesPerDay: null, deletesPerDay: null, recordsPerCall: null, ...limits }
}

/** Whether a credential has any limit. */
export function hasLimits(limits: Partial<AgentLimits>): boolean {
  return Object.values(limitsIn(limits)).some((limit) => limit !== null)
}

/** Returns the day of a workspace at a moment; it ends at the next midnight of its zone. */
export function budgetDayOf(timezone: string, at: string): BudgetDay {
  const day = today(at, timezone)
  const next = Temporal.PlainDate.from(day).add({ days: 1 }).toZonedDateTime(timezone)
  return { day, resetsAt: new Date(next.epochMilliseconds).toISOString() }
}

/** Reads what credentials have used of a day, by their budget keys. */
export async function readUses(
  db: Executor,
  workspaceId: string,
  budgetKeys: readonly string[],
  { day }: BudgetDay,
): Promise<(budgetKey: string) => BudgetUse> {
  const rows = await db
    .select({ budgetKey: budgetUses.budgetKey, writes: budgetUses.writes, deletes: budgetUses.deletes })
    .from(budgetUses)
    .where(
      and(
        eq(budgetUses.workspaceId, workspaceId),
        isAnyOf(budgetUses.budgetKey, [...new Set(budgetKeys)]),
        eq(budgetUses.day, day),
      ),
    )
  const known = new Map(rows.map(({ budgetKey, writes, deletes }) => [budgetKey, { writes, deletes }]))
  return (budgetKey) => known.get(budgetKey) ?? nothing
}

/** The place of a count, with the limits that hold for it. */
export interface Budget {
  readonly workspaceId: string
  readonly budgetKey: string
  readonly limits: AgentLimits
  readonly day: BudgetDay
}

/** The writes of one call. */
interface Spending {
  readonly records: number
  readonly isDeletion: boolean
}

/**
 * Does the work of a call within a budget. The use of the day is locked until the end of the transaction, so that calls of several processes
 * are counted one after the other; a call that is refused is rolled back with its count.
 * @throws ApiError BUDGET_EXCEEDED
 */
export async function spending<T>(
  tx: Transaction,
  budget: Budget,
  isDeletion: boolean,
  work: () => Promise<{ readonly result: T; readonly records: number }>,
): Promise<T> {
  const used = await lockUse(tx, budget)
  requireWithin(budget, used, { records: 1, isDeletion })
  const { result, records } = await work()
  requireWithin(budget, used, { records, isDeletion })
  await addUse(tx, budget, { records, isDeletion })
  return result
}

async function lockUse(tx: Transaction, { workspaceId, budgetKey, day: { day } }: Budget): Promise<BudgetUse> {
  const [used] = await tx
    .insert(budgetUses)
    .values({ workspaceId, budgetKey, day })
    .onConflictDoUpdate({
      target: [budgetUses.workspaceId, budgetUses.budgetKey, budgetUses.day],
      set: { writes: sql`${budgetUses.writes}` },
    })
    .returning({ writes: budgetUses.writes, deletes: budgetUses.deletes })
  return used ?? nothing
}

async function addUse(
  tx: Transaction,
  { workspaceId, budgetKey, day: { day } }: Budget,
  { records, isDeletion }: Spending,
): Promise<void> {
  await tx
    .update(budgetUses)
    .set({
      writes: sql`${budgetUses.writes} + ${records}`,
      deletes: sql`${budgetUses.deletes} + ${isDeletion ? records : 0}`,
    })
    .where(and(eq(budgetUses.workspaceId, workspaceId), eq(budgetUses.budgetKey, budgetKey), eq(budgetUses.day, day)))
}

/** Refuses what would go beyond a limit; what changes nothing never does. */
function requireWithin({ limits, day }: Budget, used: BudgetUse, { records, isDeletion }: Spending): void {
  const bounds: readonly (readonly [keyof AgentLimits, number, number])[] = [
    ['recordsPerCall', 0, records],
    ['writesPerDay', used.writes, records],
    ['deletesPerDay', used.deletes, isDeletion ? records : 0],
  ]
  for (const [name, before, more] of bounds) {
    const { [name]: limit } = limits
    if (limit !== null && more > 0 && before + more > limit)
      throw new ApiError('BUDGET_EXCEEDED', { details: { name, limit, used: before, resetsAt: day.resetsAt } })
  }
}
