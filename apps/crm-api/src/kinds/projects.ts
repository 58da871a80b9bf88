import { rowReader, schema } from '@crm/db'
import { atLeast, atMost, contains, equals, type RecordKind } from '../records/owned/kind.ts'
import { shownColumns } from '../records/shown-columns.ts'

const { projects, recordCounts } = schema

/** A project as it is read. */
export type ProjectRow = Omit<typeof projects.$inferSelect, 'workspaceId' | 'deletedAt' | 'searchText' | 'customFields'>

/** The columns that a new project is written with. */
export type ProjectValues = Omit<
  typeof projects.$inferInsert,
  'workspaceId' | 'id' | 'version' | 'createdAt' | 'updatedAt' | 'createdById' | 'deletedAt'
>

export const projectKind: RecordKind<ProjectRow> = {
  entityType: 'PROJECT',
  noun: 'project',
  table: projects,
  rows: rowReader(shownColumns(projects, 'projects')),
  title: ({ name }) => name,
  filters: {
    status: equals(projects.status, recordCounts.status),
    companyId: equals(projects.companyId),
    dealId: equals(projects.dealId),
    memberId: contains(projects.memberIds),
    currency: equals(projects.currency),
    startFrom: atLeast(projects.startDate),
    startTo: atMost(projects.startDate),
    endFrom: atLeast(projects.endDate),
    endTo: atMost(projects.endDate),
  },
  sortable: {
    updatedAt: projects.updatedAt,
    number: projects.number,
    name: projects.name,
    status: projects.status,
    startDate: projects.startDate,
    endDate: projects.endDate,
    budget: projects.budget,
  },
  customFields: null,
  timelineKinds: { status: 'STATUS_CHANGED', ownerId: 'OWNER_CHANGED' },
  followers: ['departmentId'],
  tellsEvents: true,
}
