import { currencies, success } from '@crm/contract'
import { rowReader, schema } from '@crm/db'
import { ApiError } from '@crm/errors'
import { currenciesOn, currencyOf } from '@crm/pricing'
import { implement } from '../../../platform/context.ts'
import { changingWorkspace } from '../../../records/audit.ts'
import { requireExistingCurrency } from '../../../records/currencies.ts'
import { today } from '../../../records/moment.ts'
import {
  countUses,
  deleteReference,
  insertReference,
  listAllReference,
  lockReference,
  referenceHandlers,
  updateReference,
} from '../../../records/reference-data.ts'
import { shownColumns } from '../../../records/shown-columns.ts'

const { deals, invoices, orders, priceLists, products, projects, quotes } = schema

const kind = {
  table: schema.currencies,
  rows: rowReader(shownColumns(schema.currencies, 'currencies')),
  noun: 'currency',
  uniqueFields: { currencies_code: 'code' },
  usedBy: [],
  order: [schema.currencies.code],
}

/** The columns that name the currency of amounts by its code. */
const namedBy = [
  deals.currency,
  priceLists.currency,
  products.currency,
  projects.currency,
  quotes.currency,
  orders.currency,
  invoices.currency,
]

export const implementedCurrencies = implement(currencies, {
  ...referenceHandlers(kind),

  list: async (_input, { db, workspace }) => ({ data: await listAllReference(db, workspace, kind) }),

  known: async (_input, { at, workspace }) => ({
    data: currenciesOn(today(at, workspace.timezone)).map(({ code, name, digits }) => ({ code, name, digits })),
  }),

  create: async ({ body }, context) => {
    const { code, name = currencyOf(code)?.name ?? code } = body
    requireExistingCurrency(code, today(context.at, context.workspace.timezone))
    return changingWorkspace(context, async (tx) =>
      success(await insertReference(tx, context, kind, { ...body, name })),
    )
  },

  update: async ({ params, body }, context) =>
    changingWorkspace(context, async (tx) => {
      const { code, isActive } = await lockReference(tx, context.workspace.id, kind, params.id)
      if (body.isActive === true && !isActive)
        requireExistingCurrency(code, today(context.at, context.workspace.timezone))
      if (body.isActive === false && code === context.workspace.currency)
        throw context.refuse('SYSTEM_RECORD', { message: 'The currency of the workspace stays active' })
      return success(await updateReference(tx, context, kind, params.id, body))
    }),

  delete: async ({ params }, context) =>
    changingWorkspace(context, async (tx) => {
      const { workspace } = context
      const { code } = await lockReference(tx, workspace.id, kind, params.id)
      if (code === workspace.currency) throw context.refuse('SYSTEM_RECORD')
      const used = await countUses(tx, workspace.id, namedBy, code)
      if (used > 0) throw new ApiError('IN_USE', { message: `Amounts are in ${code}`, details: { count: used } })
      await deleteReference(tx, workspace.id, kind, params.id)
      return success({ id: params.id })
    }),
})
