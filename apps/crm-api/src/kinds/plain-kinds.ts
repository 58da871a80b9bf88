import { kindTables, rowReader } from '@crm/db'
import { resourceName, tableOfPlainKinds, type PlainEntity, type PlainKind } from '@crm/model'
import type { OwnedTable, RecordKind } from '../records/owned/kind.ts'
import { shownColumns } from '../records/shown-columns.ts'
import { filtersOf, sortableOf } from './of-kind.ts'

const tables: Readonly<Record<string, OwnedTable>> = kindTables

/** The kinds of record of which nothing is special, by entity type. */
export const plainRecordKinds = tableOfPlainKinds<{ readonly [Entity in PlainEntity]: RecordKind }>((kind) => [
  kind.entity,
  recordKindOf(kind),
])

/** Returns the kind of record of which nothing is special. */
export function plainRecordKind({ entity }: PlainKind): RecordKind {
  return (plainRecordKinds as Readonly<Record<string, RecordKind>>)[entity] as RecordKind
}

function recordKindOf(kind: PlainKind): RecordKind {
  const table = tables[kind.entity] as OwnedTable
  return {
    entityType: kind.entity,
    noun: kind.noun,
    table,
    rows: rowReader(shownColumns(table, resourceName(kind.stem) as never)) as RecordKind['rows'],
    title: (row) =>
      kind.title.flatMap((name) => (row as unknown as Readonly<Record<string, string | null>>)[name] ?? []).join(' '),
    filters: filtersOf(kind, table),
    sortable: sortableOf(kind, table),
    customFields: null,
    timelineKinds: { ...('status' in kind.fields && { status: 'STATUS_CHANGED' }), ownerId: 'OWNER_CHANGED' },
    followers: ['departmentId'],
    tellsEvents: true,
  }
}
