import { units } from '@crm/contract'
import { rowReader, schema } from '@crm/db'
import { implement } from '../../../platform/context.ts'
import { listAllReference, referenceHandlers } from '../../../records/reference-data.ts'
import { shownColumns } from '../../../records/shown-columns.ts'

const kind = {
  table: schema.units,
  rows: rowReader(shownColumns(schema.units, 'units')),
  noun: 'unit',
  uniqueFields: { units_name: 'name' },
  usedBy: [schema.products.unitId],
  namedInLines: [schema.quotes.items, schema.orders.items, schema.invoices.items].map((lines) => ({
    lines,
    field: 'unitId',
  })),
}

export const implementedUnits = implement(units, {
  ...referenceHandlers(kind),
  list: async (_input, { db, workspace }) => ({ data: await listAllReference(db, workspace, kind) }),
})
