import { rowReader, schema } from '@crm/db'
import { lead } from '@crm/model'
import { type RecordKind } from '../records/owned/kind.ts'
import { shownColumns } from '../records/shown-columns.ts'
import { filtersOf, sortableOf } from './of-kind.ts'
import {
  followUpConditions,
  followUpModules,
  followUpValues,
  rottingValues,
  stageConditions,
  staged,
  type Staged,
} from './follow-ups.ts'

const { leads } = schema

/** A lead as it is read, which is also its form on the wire. */
export type LeadRow = Omit<typeof leads.$inferSelect, 'workspaceId' | 'deletedAt' | 'searchText' | 'mergedIntoId'> &
  Staged

/** The columns that a new lead is written with. */
export type LeadValues = Omit<
  typeof leads.$inferInsert,
  'workspaceId' | 'id' | 'version' | 'createdAt' | 'updatedAt' | 'createdById' | 'deletedAt'
>

/** Returns a lead's name as it is shown to people. */
export function leadTitle(lead: Pick<LeadRow, 'firstName' | 'lastName' | 'companyName' | 'email' | 'phone'>): string {
  return (
    [lead.firstName, lead.lastName].filter(Boolean).join(' ') || lead.companyName || lead.email || lead.phone || 'Lead'
  )
}

export const leadKind: RecordKind<LeadRow> = {
  entityType: lead.entity,
  noun: lead.noun,
  table: leads,
  rows: rowReader(shownColumns(leads, 'leads'), staged(leads)),
  title: leadTitle,
  filters: { ...filtersOf(lead, leads), ...followUpConditions(leads), ...stageConditions(leads) },
  sortable: sortableOf(lead, leads),
  fieldModules: followUpModules,
  computed: { ...followUpValues(leads), ...rottingValues(leads) },
  customFields: lead.entity,
  timelineKinds: {
    status: 'STATUS_CHANGED',
    stageId: 'STAGE_CHANGED',
    pipelineId: 'STAGE_CHANGED',
    ownerId: 'OWNER_CHANGED',
  },
  followers: ['departmentId', 'score'],
  changeEvents: (_lead, fields) => [
    ...(fields.includes('stageId') || fields.includes('pipelineId') ? ['lead.stage_changed'] : []),
    ...(fields.includes('status') ? ['lead.status_changed'] : []),
  ],
  tellsEvents: true,
}
