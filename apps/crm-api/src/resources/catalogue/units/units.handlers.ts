import { units } from '@crm/contract'
import { rowReader, schema } from '@crm/db'
import { implement } from '../../../platform/context.ts'
import { byColumn, byLines, listAllReference, referenceHandlers } from '../../../records/reference-data.ts'
import { shownColumns } from '../../../records/shown-columns.ts'

/** The units of quantities. */
export const unitKind = {
  table: schema.units,
  rows: rowReader(shownColumns(schema.units, 'units')),
  entityType: 'UNIT',
  noun: 'unit',
  uniqueFields: { units_name: 'name' },
  usedBy: [byColumn('PRODUCT', schema.products.unitId), ...byLines('unitId')],
}

export const implementedUnits = implement(units, {
  ...referenceHandlers(unitKind),
  list: async (_input, { db, workspace }) => ({ data: await listAllReference(db, workspace, unitKind) }),
})
