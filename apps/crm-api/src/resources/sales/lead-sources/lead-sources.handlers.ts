import { leadSources } from '@crm/contract'
import { rowReader, schema } from '@crm/db'
import { implement } from '../../../platform/context.ts'
import { byColumn, referenceHandlers, type ReferenceKind } from '../../../records/reference-data.ts'
import { shownColumns } from '../../../records/shown-columns.ts'

type SourceRow = Omit<typeof schema.leadSources.$inferSelect, 'workspaceId'>

/** Where leads come from. */
export const leadSourceKind: ReferenceKind<SourceRow> = {
  table: schema.leadSources,
  rows: rowReader(shownColumns(schema.leadSources, 'leadSources')),
  entityType: 'LEAD_SOURCE',
  noun: 'lead source',
  uniqueFields: { lead_sources_name: 'name' },
  usedBy: [byColumn('LEAD', schema.leads.sourceId)],
  isNeeded: ({ systemKey }) => systemKey !== null,
}

export const implementedLeadSources = implement(leadSources, referenceHandlers(leadSourceKind))
