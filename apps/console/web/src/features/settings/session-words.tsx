import type { ReactNode } from 'react'
import { acts } from '../../records/acts.ts'
import { describeChanges } from '../../records/timeline-words.ts'
import type { Kind } from '../../records/record-kinds.ts'
import type { SessionOperation } from './agents-queries.ts'
import { kindNames, nameOfChanged } from './proposal-words.ts'

type Change = SessionOperation['changes'][number]

/** A value that an undo leaves as it is; without a field, the whole record. */
export interface Kept {
  readonly entityType: string
  readonly id: string
  readonly field: string | null
  readonly title: string | null
  /** Whether only the undo itself finds out if it stays. */
  readonly mayGo?: true
}

/** Returns what happened to a record as a sentence, such as “created Lead Lovelace”. */
export function sentenceOf(change: Change): ReactNode {
  const act = acts[change.told]
  const name = <b>{nameOfChanged(change)}</b>
  if (act === undefined || change.told.startsWith('PAYMENT_')) {
    return (
      <>
        {kindNames[change.kind]} {name}
      </>
    )
  }
  return <>{act({ it: () => name, open: (text) => text, amount: '' })}</>
}

/** Returns what stays in words, such as “Lead Lovelace: Phone”, record by record. */
export function keptInWords(
  kept: readonly Kept[],
  kinds: readonly Kind[],
): readonly { readonly key: string; readonly text: string }[] {
  return [...Map.groupBy(kept, ({ id }) => id)].map(([id, of]) => {
    const [first] = of as [Kept, ...Kept[]]
    const { entityType } = first
    const name = nameOfChanged(first)
    const kind = kinds.find(({ key }) => key === entityType)
    const fields = of.flatMap(({ field }) => (field === null ? [] : [{ field, from: null, to: null }]))
    const names = describeChanges(fields, { kind, links: [] }).map((field) => field.name)
    return { key: id, text: names.length > 0 ? `${name}: ${names.join(', ')}` : name }
  })
}
