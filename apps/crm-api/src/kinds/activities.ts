import { rowReader, schema } from '@crm/db'
import { activity } from '@crm/model'
import { linkFilters } from '../records/link-filters.ts'
import { type RecordKind } from '../records/owned/kind.ts'
import { shownColumns } from '../records/shown-columns.ts'
import { filtersOf, sortableOf } from './of-kind.ts'

const { activities } = schema

/** An activity as it is read. */
export type ActivityRow = Omit<
  typeof activities.$inferSelect,
  'workspaceId' | 'deletedAt' | 'searchText' | 'customFields' | 'happenedAt'
>

/** The columns that a new activity is written with. */
export type ActivityValues = Omit<
  typeof activities.$inferInsert,
  'workspaceId' | 'id' | 'version' | 'createdAt' | 'updatedAt' | 'createdById' | 'deletedAt'
>

export const activityKind: RecordKind<ActivityRow> = {
  entityType: activity.entity,
  noun: activity.noun,
  table: activities,
  rows: rowReader(shownColumns(activities, 'activities')),
  title: ({ subject, type }) => subject ?? `${type.charAt(0)}${type.slice(1).toLowerCase()}`,
  filters: { ...filtersOf(activity, activities), ...linkFilters('ACTIVITY', activities) },
  sortable: sortableOf(activity, activities),
  customFields: null,
  timelineKinds: { status: 'STATUS_CHANGED', ownerId: 'OWNER_CHANGED' },
  followers: ['departmentId'],
  tellsEvents: true,
}
