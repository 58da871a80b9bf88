import { rowReader, schema } from '@crm/db'
import { project } from '@crm/model'
import { type RecordKind } from '../records/owned/kind.ts'
import { shownColumns } from '../records/shown-columns.ts'
import { filtersOf, sortableOf } from './of-kind.ts'

const { projects } = schema

/** A project as it is read. */
export type ProjectRow = Omit<typeof projects.$inferSelect, 'workspaceId' | 'deletedAt' | 'searchText' | 'customFields'>

/** The columns that a new project is written with. */
export type ProjectValues = Omit<
  typeof projects.$inferInsert,
  'workspaceId' | 'id' | 'version' | 'createdAt' | 'updatedAt' | 'createdById' | 'deletedAt'
>

export const projectKind: RecordKind<ProjectRow> = {
  entityType: project.entity,
  noun: project.noun,
  table: projects,
  rows: rowReader(shownColumns(projects, 'projects')),
  title: ({ name }) => name,
  filters: filtersOf(project, projects),
  sortable: sortableOf(project, projects),
  customFields: null,
  timelineKinds: { status: 'STATUS_CHANGED', ownerId: 'OWNER_CHANGED' },
  followers: ['departmentId'],
  tellsEvents: true,
}
