import { industries } from '@crm/contract'
import { rowReader, schema } from '@crm/db'
import { implement } from '../../../platform/context.ts'
import { byColumn, referenceHandlers } from '../../../records/reference-data.ts'
import { shownColumns } from '../../../records/shown-columns.ts'

/** The industries of companies. */
export const industryKind = {
  table: schema.industries,
  rows: rowReader(shownColumns(schema.industries, 'industries')),
  entityType: 'INDUSTRY',
  noun: 'industry',
  uniqueFields: { industries_name: 'name' },
  usedBy: [byColumn('COMPANY', schema.companies.industryId)],
}

export const implementedIndustries = implement(industries, referenceHandlers(industryKind))
