import { schema, type Executor } from '@crm/db'
import { ApiError } from '@crm/errors'
import { and, eq } from 'drizzle-orm'
import type { CrmContext } from '../platform/context.ts'

const { currencies } = schema

type Asking = Pick<CrmContext, 'workspace' | 'remembered'>

/** Refuses a currency that the workspace does not have or no longer uses. Code that changes currencies calls `changingWorkspace`. */
export async function requireCurrency(db: Executor, context: Asking, code: string | null | undefined): Promise<void> {
  if (!code || (await recallActiveCurrencies(db, context)).has(code)) return
  throw new ApiError('INVALID_CURRENCY', { message: `${code} is not an active currency of this workspace` })
}

function recallActiveCurrencies(db: Executor, { workspace, remembered }: Asking): Promise<ReadonlySet<string>> {
  return remembered('active-currencies', async () => {
    const active = await db
      .select({ code: currencies.code })
      .from(currencies)
      .where(and(eq(currencies.workspaceId, workspace.id), eq(currencies.isActive, true)))
    return new Set(active.map(({ code }) => code))
  })
}
