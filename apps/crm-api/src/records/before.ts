import { sqlState, type Executor } from '@crm/db'
import { sql } from 'drizzle-orm'
import type { CrmContext } from '../platform/context.ts'

const queryCanceled = '57014'

/** Runs a query, or returns null when the deadline passes before it ends. The deadline is on the clock of `performance`. */
export async function before<T>(
  until: number,
  { readIn }: Pick<CrmContext, 'readIn'>,
  work: (tx: Executor) => Promise<T>,
): Promise<T | null> {
  const leftMs = Math.floor(until - performance.now())
  if (leftMs <= 0) return null
  try {
    return await readIn(async (tx) => {
      await tx.execute(sql`SELECT set_config('statement_timeout', ${String(leftMs)}, true)`)
      return work(tx)
    })
  } catch (error) {
    if (sqlState(error) === queryCanceled) return null
    throw error
  }
}
