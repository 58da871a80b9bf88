import { rowReader, schema } from '@crm/db'
import { sql } from 'drizzle-orm'
import { atLeast, atMost, equals, type RecordKind } from '../records/owned/kind.ts'
import { shownColumns } from '../records/shown-columns.ts'
import {
  followUpConditions,
  followUpModules,
  followUpOrders,
  followUpValues,
  rottingValues,
  stageConditions,
  staged,
  type Staged,
} from './follow-ups.ts'

const { deals, stages, recordCounts } = schema

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
  entityType: 'DEAL',
  noun: 'deal',
  table: deals,
  rows: rowReader(shownColumns(deals, 'deals'), staged(deals)),
  title: ({ name }) => name,
  filters: {
    status: equals(deals.status, recordCounts.status),
    stageId: equals(deals.stageId, recordCounts.stageId),
    pipelineId: equals(deals.pipelineId, recordCounts.pipelineId),
    contactId: equals(deals.contactId),
    companyId: equals(deals.companyId),
    leadId: equals(deals.leadId),
    currency: equals(deals.currency),
    amountMin: atLeast(deals.amount),
    amountMax: atMost(deals.amount),
    expectedCloseFrom: atLeast(deals.expectedCloseDate),
    expectedCloseTo: atMost(deals.expectedCloseDate),
    ...followUpConditions(deals),
    ...stageConditions(deals),
    closedFrom: atLeast(deals.closedAt),
    closedTo: atMost(deals.closedAt),
  },
  sortable: {
    updatedAt: deals.updatedAt,
    name: deals.name,
    status: deals.status,
    stageId: deals.stageId,
    amount: deals.amount,
    expectedCloseDate: deals.expectedCloseDate,
    stageChangedAt: deals.stageChangedAt,
    ...followUpOrders(deals),
  },
  fieldModules: followUpModules,
  // A deal without a probability of its own has the probability of its stage.
  computed: {
    ...followUpValues(deals),
    ...rottingValues(deals),
    weighted: () =>
      sql`(${deals.amount} * coalesce(${deals.probability}, (SELECT probability FROM ${stages} WHERE ${stages.workspaceId} = ${deals.workspaceId} AND ${stages.id} = ${deals.stageId})) / 100)`,
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
