import { NativeSelect } from '@mantine/core'
import { useDirectory } from '../base/people.ts'

/** Narrows a list to the records of one person. */
export function OwnerFilter({ ownerId, onChange }: { readonly ownerId: string | undefined; onChange(ownerId: string): void }) {
  const people = useDirectory()
  if (people.length === 0) return null
  return (
    <NativeSelect
      aria-label="Owner"
      value={ownerId ?? ''}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[{ value: '', label: 'Any owner' }, ...people.map(({ id, name }) => ({ value: id, label: name }))]}
    />
  )
}
