import { taxRates } from '@crm/contract'
import { rowReader, schema } from '@crm/db'
import { implement } from '../../../platform/context.ts'
import { byColumn, byLines, listAllReference, referenceHandlers } from '../../../records/reference-data.ts'
import { shownColumns } from '../../../records/shown-columns.ts'

/** The rates of tax. */
export const taxRateKind = {
  table: schema.taxRates,
  rows: rowReader(shownColumns(schema.taxRates, 'taxRates')),
  entityType: 'TAX_RATE',
  noun: 'tax rate',
  uniqueFields: { tax_rates_name: 'name' },
  usedBy: [byColumn('PRODUCT', schema.products.taxRateId), ...byLines('taxRateId')],
}

export const implementedTaxRates = implement(taxRates, {
  ...referenceHandlers(taxRateKind),
  list: async (_input, { db, workspace }) => ({ data: await listAllReference(db, workspace, taxRateKind) }),
})
