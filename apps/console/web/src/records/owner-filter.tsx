import { useDirectory } from '../base/people.ts'
import { ChoiceFilter } from './choice-filter.tsx'
import { t } from '../base/texts.ts'

/** Narrows a list to the records of one person. */
export function OwnerFilter({
  ownerId,
  onChange,
}: {
  readonly ownerId: string | undefined
  onChange(ownerId: string): void
}) {
  const people = useDirectory()
  if (people.length === 0) return null
  return (
    <ChoiceFilter
      label={t('common.owner')}
      value={ownerId}
      choices={people.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={onChange}
    />
  )
}
