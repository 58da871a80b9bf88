import { leadSources, success } from '@crm/contract'
import { rowReader, schema } from '@crm/db'
import { implement } from '../../../platform/context.ts'
import { changingWorkspace } from '../../../records/audit.ts'
import { deleteReference, lockReference, referenceHandlers } from '../../../records/reference-data.ts'
import { shownColumns } from '../../../records/shown-columns.ts'

const kind = {
  table: schema.leadSources,
  rows: rowReader(shownColumns(schema.leadSources, 'leadSources')),
  noun: 'lead source',
  uniqueFields: { lead_sources_name: 'name' },
  usedBy: [schema.leads.sourceId],
}

export const implementedLeadSources = implement(leadSources, {
  ...referenceHandlers(kind),

  delete: async ({ params }, context) =>
    changingWorkspace(context, async (tx) => {
      const source = await lockReference(tx, context.workspace.id, kind, params.id)
      if (source.systemKey) throw context.refuse('SYSTEM_RECORD')
      await deleteReference(tx, context.workspace.id, kind, params.id)
      return success({ id: params.id })
    }),
})
