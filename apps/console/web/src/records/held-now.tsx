import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { inDigits, inList, t } from '../base/texts.ts'
import type { BulkTarget } from './bulk-changes.ts'
import { countsOf, valueOf, type Held } from './field-values.ts'
import { summaryQuery } from './list/list-queries.ts'
import type { Field, Kind } from './record-kinds.ts'
import { useReferenceNames } from './use-reference-names.ts'
import { textOfValue } from './value-words.ts'

interface HeldNowProps {
  readonly kind: Kind
  readonly field: Field
  readonly target: BulkTarget
}

const shownMost = 5
const references: readonly Field['type'][] = ['REFERENCE', 'REFERENCE_LIST']
/** The fields by whose values the API counts records. */
const counted: readonly Field['type'][] = ['SELECT', 'MULTI_SELECT', 'BOOLEAN', 'TAGS', 'REFERENCE']

/** Says which values the chosen records have of a field, before they get another one. */
export function HeldNow({ kind, field, target }: HeldNowProps) {
  const held = useHeld({ kind, field, target })
  const shown = held.slice(0, shownMost)
  const isReference = references.includes(field.type)
  const ids = isReference ? shown.flatMap(([value]) => (typeof value === 'string' ? [value] : [])) : []
  const names = useReferenceNames(field, kind, ids)
  if (shown.length === 0) return null
  const nameOf = (value: string | boolean | null) => {
    if (value === null) return t('empty')
    if (isReference) return names.get(String(value)) ?? '…'
    return textOfValue(field.type === 'TAGS' ? { ...field, type: 'TEXT' } : field, value, {})
  }
  const values = shown.map(([value, count]) => `${nameOf(value)} (${inDigits(count)})`)
  const more = held.length - shown.length
  return (
    <Text size="sm" c="dimmed">
      {t('Now: {values}', {
        values: inList(more > 0 ? [...values, t('{count, number} more', { count: more })] : values),
      })}
    </Text>
  )
}

/** Returns the values of the chosen records, the most frequent first. */
function useHeld({ kind, field, target }: HeldNowProps): readonly Held[] {
  const isRead = 'query' in target && counted.includes(field.type)
  const { data } = useQuery({
    ...summaryQuery(kind.key, { ...('query' in target ? target.query : {}), groupBy: field.key }),
    enabled: isRead,
  })
  if ('rows' in target) return countsOf(target.rows.map((row) => valueOf(row, field)))
  return isRead && data ? data.groups.map(({ by, count }) => [by[0]?.value ?? null, count] as const) : []
}
