import { rowReader, schema } from '@crm/db'
import { documentTemplate } from '@crm/model'
import { type RecordKind } from '../records/owned/kind.ts'
import { shownColumns } from '../records/shown-columns.ts'
import { filtersOf, sortableOf } from './of-kind.ts'

const { documents } = schema

/** A template of documents as it is read. */
export type DocumentRow = Omit<
  typeof documents.$inferSelect,
  'workspaceId' | 'deletedAt' | 'searchText' | 'customFields'
>

export const documentKind: RecordKind<DocumentRow> = {
  entityType: documentTemplate.entity,
  noun: 'document',
  table: documents,
  rows: rowReader(shownColumns(documents, 'documents')),
  title: ({ name }) => name,
  filters: filtersOf(documentTemplate, documents),
  sortable: sortableOf(documentTemplate, documents),
  customFields: null,
  timelineKinds: { ownerId: 'OWNER_CHANGED' },
  followers: ['departmentId'],
  tellsEvents: false,
}
