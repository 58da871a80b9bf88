import { bulkEditable } from './bulk-fields.ts'
import { titleOf, type AnyRecord } from './record-calls.ts'
import type { Kind } from './record-kinds.ts'
import type { Choice } from './record-table.tsx'
import type { Selection } from './selection.ts'

/** Lets the rows of a list be chosen if there is an action for many of them. */
export function choiceOf<Row extends { readonly id: string }>(
  kind: Kind,
  selection: Selection,
  rows: readonly Row[],
): Choice<Row> | undefined {
  const { may } = kind
  if (bulkEditable(kind).length === 0 || !(may.update || may.delete)) return undefined
  // Every record that can be chosen is of a known kind, whatever else its list contains.
  const records = rows as unknown as readonly AnyRecord[]
  return {
    has: ({ id }) => selection.has(id),
    nameOf: (row) => titleOf(kind, row as unknown as AnyRecord),
    toggle: (row, isRange) => selection.toggle(row as unknown as AnyRecord, records, isRange),
    togglePage: () => selection.togglePage(records),
  }
}
