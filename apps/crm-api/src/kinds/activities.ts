import { rowReader, schema } from '@crm/db'
import { linkFilters } from '../records/link-filters.ts'
import { atLeast, atMost, equals, type RecordKind } from '../records/owned/kind.ts'
import { shownColumns } from '../records/shown-columns.ts'

const { activities, recordCounts } = schema

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
  entityType: 'ACTIVITY',
  noun: 'activity',
  table: activities,
  rows: rowReader(shownColumns(activities, 'activities')),
  title: ({ subject, type }) => subject ?? `${type.charAt(0)}${type.slice(1).toLowerCase()}`,
  filters: {
    type: equals(activities.type),
    status: equals(activities.status, recordCounts.status),
    direction: equals(activities.direction),
    startFrom: atLeast(activities.startAt),
    startTo: atMost(activities.startAt),
    ...linkFilters('ACTIVITY', activities),
  },
  sortable: {
    updatedAt: activities.updatedAt,
    subject: activities.subject,
    status: activities.status,
    startAt: activities.startAt,
  },
  customFields: null,
  timelineKinds: { status: 'STATUS_CHANGED', ownerId: 'OWNER_CHANGED' },
  followers: ['departmentId'],
  tellsEvents: true,
}
