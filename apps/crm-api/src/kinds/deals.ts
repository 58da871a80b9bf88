import { rowReader, schema } from '@crm/db'
import { deal } from '@crm/model'
import { sql } from 'drizzle-orm'
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

const { deals, stages } = schema

/** A deal as it is read. */
export type DealRow = Omit<typeof deals.$inferSelect, 'workspaceId' | 'deletedAt' | 'searchText'> & Staged

/** The columns that a new deal is written with. */
export type DealValues = Omit<
  typeof deals.$inferInsert,
  'workspaceId' | 'id' | 'version' | 'createdAt' | 'updatedAt' | 'createdById' | 'deletedAt'
>

function closingEvents({ status }: Pick<DealRow, 'status'>): readonly string[] {
  return status === 'OPEN' ? [] : [`deal.${status.toLowerCase()}`]
}

export const dealKind: RecordKind<DealRow> = {
  entityType: deal.entity,
  noun: deal.noun,
  table: deals,
  rows: rowReader(shownColumns(deals, 'deals'), staged(deals)),
  title: ({ name }) => name,
  filters: { ...filtersOf(deal, deals), ...followUpConditions(deals), ...stageConditions(deals) },
  sortable: sortableOf(deal, deals),
  fieldModules: followUpModules,
  // A deal without a probability of its own has the probability of its stage.
  computed: {
    ...followUpValues(deals),
    ...rottingValues(deals),
    weighted: ({ workspaceId }) =>
      sql`(${deals.amount} * coalesce(${deals.probability}, (SELECT probability FROM ${stages} WHERE ${stages.workspaceId} = ${workspaceId} AND ${stages.id} = ${deals.stageId})) / 100)`,
  },
  customFields: 'DEAL',
  timelineKinds: {
    status: 'STATUS_CHANGED',
    stageId: 'STAGE_CHANGED',
    pipelineId: 'STAGE_CHANGED',
    ownerId: 'OWNER_CHANGED',
  },
  followers: ['departmentId', 'closedAt', 'stageChangedAt'],
  birthEvents: closingEvents,
  changeEvents: (deal, fields) => [
    ...(fields.includes('stageId') || fields.includes('pipelineId') ? ['deal.stage_changed'] : []),
    ...(fields.includes('status') ? closingEvents(deal) : []),
  ],
  tellsEvents: true,
}
