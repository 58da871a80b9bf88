import { currencies, success } from '@crm/contract'
import { kindTables, rowReader, schema } from '@crm/db'
import { fieldOf, kindEntities } from '@crm/model'
import { currenciesOn, currencyOf } from '@crm/pricing'
import { sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { implement } from '../../../platform/context.ts'
import { changingWorkspace } from '../../../records/audit.ts'
import { requireExistingCurrency } from '../../../records/currencies.ts'
import { today } from '../../../records/moment.ts'
import {
  insertReference,
  listAllReference,
  lockReference,
  referenceHandlers,
  updateReference,
  type ReferenceKind,
} from '../../../records/reference-data.ts'
import { shownColumns } from '../../../records/shown-columns.ts'

/** The kinds whose amounts name their currency by its code. */
const inAmounts = kindEntities.filter((entity) => fieldOf(entity, 'currency')?.type === 'currency')

type CurrencyRow = Omit<typeof schema.currencies.$inferSelect, 'workspaceId'>

/** The currencies of amounts. */
export const currencyKind: ReferenceKind<CurrencyRow> = {
  table: schema.currencies,
  rows: rowReader(shownColumns(schema.currencies, 'currencies')),
  entityType: 'CURRENCY',
  noun: 'currency',
  uniqueFields: { currencies_code: 'code' },
  usedBy: inAmounts.map((entityType) => {
    const table: PgTable & { readonly currency?: PgColumn } = kindTables[entityType]
    return { entityType, table, naming: ({ code }) => sql`${table.currency} = ${code}` }
  }),
  isNeeded: ({ code }, workspace) => code === workspace.currency,
  order: [schema.currencies.code],
}

export const implementedCurrencies = implement(currencies, {
  ...referenceHandlers(currencyKind),

  list: async (_input, { db, workspace }) => ({ data: await listAllReference(db, workspace, currencyKind) }),

  known: async (_input, { at, workspace }) => ({
    data: currenciesOn(today(at, workspace.timezone)).map(({ code, name, digits }) => ({ code, name, digits })),
  }),

  create: async ({ body }, context) => {
    const { code, name = currencyOf(code)?.name ?? code } = body
    requireExistingCurrency(code, today(context.at, context.workspace.timezone))
    return changingWorkspace(context, async (tx) =>
      success(await insertReference(tx, context, currencyKind, { ...body, name })),
    )
  },

  update: async ({ params, body }, context) =>
    changingWorkspace(context, async (tx) => {
      const { code, isActive } = await lockReference(tx, context.workspace.id, currencyKind, params.id)
      if (body.isActive === true && !isActive)
        requireExistingCurrency(code, today(context.at, context.workspace.timezone))
      if (body.isActive === false && code === context.workspace.currency)
        throw context.refuse('SYSTEM_RECORD', { message: 'The currency of the workspace stays active' })
      return success(await updateReference(tx, context, currencyKind, params.id, body))
    }),
})
