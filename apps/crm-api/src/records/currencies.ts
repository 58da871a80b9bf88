import { schema, type Executor } from '@crm/db'
import { ApiError } from '@crm/errors'
import { currencyProblem } from '@crm/pricing'
import { and, eq } from 'drizzle-orm'
import type { CrmContext } from '../platform/context.ts'
import { today } from './moment.ts'

const { currencies } = schema

type Asking = Pick<CrmContext, 'workspace' | 'remembered' | 'at'>

/**
 * Refuses a currency that the workspace does not have or no longer uses, or that does not exist at the time of the request. Code that changes
 * currencies calls `changingWorkspace`.
 */
export async function requireCurrency(db: Executor, context: Asking, code: string | null | undefined): Promise<void> {
  if (!code) return
  if (!(await recallActiveCurrencies(db, context)).has(code))
    throw new ApiError('INVALID_CURRENCY', { message: `${code} is not an active currency of this workspace` })
  requireExistingCurrency(code, today(context.at, context.workspace.timezone))
}

/** Refuses a currency that does not exist on a day, `YYYY-MM-DD`. */
export function requireExistingCurrency(code: string, day: string): void {
  const message = currencyProblem(code, day)
  if (message) throw new ApiError('INVALID_CURRENCY', { message })
}

function recallActiveCurrencies(
  db: Executor,
  { workspace, remembered }: Omit<Asking, 'at'>,
): Promise<ReadonlySet<string>> {
  return remembered('active-currencies', async () => {
    const active = await db
      .select({ code: currencies.code })
      .from(currencies)
      .where(and(eq(currencies.workspaceId, workspace.id), eq(currencies.isActive, true)))
    return new Set(active.map(({ code }) => code))
  })
}
