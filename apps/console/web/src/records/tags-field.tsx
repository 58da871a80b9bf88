import { Autocomplete, TagsInput, type AutocompleteProps, type TagsInputProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { asInUse } from './field-values.ts'
import { summaryQuery } from './list/list-queries.ts'
import type { Kind } from './record-kinds.ts'

const offeredMost = 100

interface TagsFieldProps extends Omit<TagsInputProps, 'data' | 'onChange'> {
  readonly kind: Kind
  onChange(tags: string[]): void
}

/** The tags of a record. The ones in use are offered, and a typed one that is in use takes its spelling: VIP and vip are one tag. */
export function TagsField({ kind, onChange, ...props }: TagsFieldProps) {
  const { tags, onFocus } = useTagsInUse(kind)
  return (
    <TagsInput {...props} data={[...tags]} onFocus={onFocus} onChange={(texts) => onChange(asInUse(texts, tags))} />
  )
}

interface TagFieldProps extends Omit<AutocompleteProps, 'data'> {
  readonly kind: Kind
}

/** One tag, such as that of a filter; the ones in use are offered. */
export function TagField({ kind, ...props }: TagFieldProps) {
  const { tags, onFocus } = useTagsInUse(kind)
  return <Autocomplete {...props} data={[...tags]} onFocus={onFocus} />
}

/** Returns the tags of a kind, each by its usual spelling, once somebody comes to choose one. */
function useTagsInUse(kind: Kind) {
  const [isChosen, setChosen] = useState(false)
  const { data } = useQuery({ ...summaryQuery(kind.key, { groupBy: 'tags', top: offeredMost }), enabled: isChosen })
  const tags = data?.groups.flatMap(({ by }) => (typeof by[0]?.value === 'string' ? [by[0].value] : [])) ?? []
  return { tags, onFocus: () => setChosen(true) }
}
