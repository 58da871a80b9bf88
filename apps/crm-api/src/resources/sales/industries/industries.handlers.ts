import { industries } from '@crm/contract'
import { rowReader, schema } from '@crm/db'
import { implement } from '../../../platform/context.ts'
import { referenceHandlers } from '../../../records/reference-data.ts'
import { shownColumns } from '../../../records/shown-columns.ts'

export const implementedIndustries = implement(
  industries,
  referenceHandlers({
    table: schema.industries,
    rows: rowReader(shownColumns(schema.industries, 'industries')),
    noun: 'industry',
    uniqueFields: { industries_name: 'name' },
    usedBy: [schema.companies.industryId],
  }),
)
