import { industries } from '@crm/contract'
import { columnsExcept, rowReader, schema } from '@crm/db'
import { implement } from '../../platform/context.ts'
import { referenceHandlers } from '../../records/reference-data.ts'

export const implementedIndustries = implement(
  industries,
  referenceHandlers({
    table: schema.industries,
    rows: rowReader(columnsExcept(schema.industries, ['workspaceId'])),
    noun: 'industry',
    uniqueFields: { industries_name: 'name' },
    usedBy: [schema.companies.industryId],
  }),
)
