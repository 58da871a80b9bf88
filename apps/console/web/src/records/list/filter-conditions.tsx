import { Select } from '@mantine/core'
import { t } from '../../base/texts.ts'
import type { Kind } from '../record-kinds.ts'
import { ConditionRow, emptyRow, isComplete, rowOf, wireRow, type Row } from './filter-rows.tsx'
import { membersOf, withMembers, type WireCondition, type WireGroup } from './list-address.ts'

export type Match = 'and' | 'or'

/** Conditions while they are being written. */
export interface Draft {
  readonly id: number
  readonly match: Match
  readonly rows: readonly Row[]
}

/** The most conditions of a filter. */
export const conditionsMax = 20
let lastId = 0

interface ConditionsProps {
  readonly draft: Draft
  readonly kind: Kind
  readonly isStrict: boolean
  readonly problems: ReadonlyMap<number, string>
  /** Whether nothing else of the filter is combined with these conditions. */
  readonly isAlone: boolean
  /** The row whose first empty control is open from the start. */
  readonly openRow?: number | undefined
  onChange(draft: Draft): void
  /** Called when the only condition is removed; without it an empty one takes its place. */
  onEmpty?(): void
}

/** Some conditions, and whether all or any of them must hold. */
export function Conditions({ draft, kind, isStrict, problems, isAlone, openRow, onChange, onEmpty }: ConditionsProps) {
  const { rows, match } = draft
  const set = (next: readonly Row[]) => onChange({ ...draft, rows: next })
  const remove = (row: Row) => {
    set(rows.length === 1 ? [emptyRow()] : rows.filter(({ id }) => id !== row.id))
    if (rows.length === 1) onEmpty?.()
  }
  return (
    <>
      {!isStrict && (rows.length > 1 || !isAlone) && (
        <Select
          label={t('Show records that match')}
          w="16rem"
          data={[
            { value: 'and', label: t('all conditions') },
            { value: 'or', label: t('any condition') },
          ]}
          value={match}
          onChange={(value) => onChange({ ...draft, match: value === 'or' ? 'or' : 'and' })}
        />
      )}
      {rows.map((row, at) => (
        <ConditionRow
          key={row.id}
          row={row}
          kind={kind}
          isStrict={isStrict}
          isFirst={at === 0}
          isOpen={row.id === openRow}
          problem={problems.get(row.id)}
          onChange={(next) => set(rows.map((one) => (one.id === next.id ? next : one)))}
          onRemove={() => remove(row)}
        />
      ))}
    </>
  )
}

/** Returns the conditions of a filter, apart from its groups, in the form in which they are written. */
export function draftOf(group: WireGroup | undefined, kind: Kind): Draft {
  const known = (group ? membersOf(group) : []).flatMap((member) => ('field' in member ? [rowOf(member, kind)] : []))
  const match = group !== undefined && 'or' in group ? 'or' : 'and'
  return { id: ++lastId, match, rows: known.length === 0 ? [emptyRow()] : known }
}

/** Returns a new group: it combines its conditions in the way that the conditions around it do not. */
export function newGroup(around: Match): Draft {
  return { id: ++lastId, match: around === 'and' ? 'or' : 'and', rows: [emptyRow(), emptyRow()] }
}

const isBegun = ({ field }: Row): boolean => field !== undefined

/** Returns what is wrong with the conditions of which only a field was chosen, by the id of their row. */
export function problemsIn(drafts: readonly Draft[]): ReadonlyMap<number, string> {
  const begun = drafts.flatMap(({ rows }) => rows.filter(isBegun))
  return new Map(begun.flatMap((row) => (isComplete(row) ? [] : [[row.id, t('Enter a value.')] as const])))
}

/** Returns the complete conditions as the API takes them. */
export function conditionsIn({ rows }: Draft): readonly WireCondition[] {
  return rows.filter(isComplete).map(wireRow)
}

/** Returns conditions and groups as one filter; undefined without any. */
export function wireOf({ match }: Draft, members: readonly (WireCondition | WireGroup)[]): WireGroup | undefined {
  return withMembers(match === 'and' ? { and: [] } : { or: [] }, members)
}
