import { kindTables, schema } from '@crm/db'
import { referencesTo, lead } from '@crm/model'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { ReferringColumn } from '../records/owned/purge.ts'
import type { RecordKind } from '../records/owned/kind.ts'
import { recordKinds, type KnownEntity } from './kinds.ts'

const { bookings, documentRecords } = schema

/** A column with the ids of records of a kind. */
interface ReferringField extends ReferringColumn {
  /** Whether it holds several ids. */
  readonly isList: boolean
  /** The kind of record that has the column, and the field that it is; undefined for what is no record. */
  readonly of?: { readonly kind: RecordKind; readonly field: string }
}

/** The columns outside of records that refer to them. */
const others: readonly (ReferringField & { readonly to: KnownEntity })[] = [
  { to: 'CONTACT', table: bookings, column: bookings.contactId, isList: false },
  { to: lead.entity, table: bookings, column: bookings.leadId, isList: false },
  {
    to: 'DOCUMENT',
    table: documentRecords,
    column: documentRecords.documentId,
    isList: false,
    // No document is made from a deleted template, unless both happen at once.
    keptBy: documentRecords.documentId,
  },
]

/** Returns the columns that refer to records of a kind: those of other records, by the model, and of bookings and made documents. */
export function referringColumns(entityType: KnownEntity): readonly ReferringField[] {
  const ofRecords = referencesTo(entityType).map(({ from, name, isList, keeps }): ReferringField => {
    const table = kindTables[from]
    const columns = table as typeof table & Readonly<Record<string, PgColumn>>
    const number = columns['number']
    const of = { kind: recordKinds[from] as RecordKind, field: name }
    return { table, column: columns[name] as PgColumn, isList, of, ...(keeps && number && { keptBy: number }) }
  })
  return [...ofRecords, ...others.filter(({ to }) => to === entityType)]
}
