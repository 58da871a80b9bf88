import type { RecordChange } from '@crm/contract'
import { capitalized } from '../../base/texts.ts'
import { nounOf } from '../../records/record-place.ts'
import type { Kind } from '../../records/record-kinds.ts'
import { describeChanges, type ChangeInWords } from '../../records/timeline-words.ts'
import type { Proposal } from './proposals-queries.ts'
import { t } from './texts.ts'

/** The words for what happens to a record. */
export const kindNames = {
  CREATE: t('New'),
  UPDATE: t('Change'),
  DELETE: t('Deletion'),
} as const

/** Returns a record in words, such as “Lead Lovelace”. */
export function nameOfChanged({ entityType, title }: Pick<RecordChange, 'entityType' | 'title'>): string {
  return [capitalized(nounOf(entityType)), title].filter((word) => word !== null && word !== '').join(' ')
}

/** Returns the fields of a change in words; names of records that only their ids tell say nothing. */
export function fieldsInWords(
  { entityType, kind, fields }: RecordChange,
  kinds: readonly Kind[],
): readonly ChangeInWords[] {
  // What is deleted was there before; its title says which.
  if (kind === 'DELETE') return []
  const changes = Object.entries(fields).map(([field, [from = null, to = null]]) => ({ field, from, to }))
  const known = kinds.find(({ key }) => key === entityType)
  const words = describeChanges(changes, { kind: known, links: [], currency: fields['currency']?.[1] })
  return words.filter(({ from, to }) => to !== undefined && ![from, to].includes(t('(not visible)')) && from !== to)
}

/** Proposals about one record, which are decided together. */
export interface ProposalGroup {
  readonly key: string
  /** The record in words; null for what concerns none that is there. */
  readonly name: string | null
  readonly proposals: readonly Proposal[]
}

/** Returns proposals by the record that they are about first of all, the newest first. */
export function byRecord(proposals: readonly Proposal[]): readonly ProposalGroup[] {
  const groups = Map.groupBy(proposals, ({ id, entityId }) => entityId ?? id)
  return [...groups].map(([key, of]) => {
    const [first] = of.flatMap(({ changes }) => changes)
    return { key, name: first ? nameOfChanged(first) : null, proposals: of }
  })
}
