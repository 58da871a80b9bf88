import { rowReader, schema } from '@crm/db'
import { equals, type RecordKind } from '../records/owned/kind.ts'
import { shownColumns } from '../records/shown-columns.ts'

const { documents } = schema

/** A template of documents as it is read. */
export type DocumentRow = Omit<
  typeof documents.$inferSelect,
  'workspaceId' | 'deletedAt' | 'searchText' | 'customFields'
>

export const documentKind: RecordKind<DocumentRow> = {
  entityType: 'DOCUMENT',
  noun: 'document',
  table: documents,
  rows: rowReader(shownColumns(documents, 'documents')),
  title: ({ name }) => name,
  filters: { kind: equals(documents.kind) },
  sortable: { updatedAt: documents.updatedAt, name: documents.name, kind: documents.kind },
  customFields: null,
  timelineKinds: { ownerId: 'OWNER_CHANGED' },
  followers: ['departmentId'],
  tellsEvents: false,
}
