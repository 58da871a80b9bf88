import { useLocalStorage } from '@mantine/hooks'
import { useDirectory } from '../base/people.ts'
import { useSession } from '../base/session.ts'
import { t } from '../base/texts.ts'
import { TypedSelect } from '../shell/typed-select.tsx'
import type { Narrowed, Whose } from './narrowed.ts'

/** Returns whose records a page shows, as this person chose it last in this browser. */
export function useWhose(place: 'home' | 'dashboards'): readonly [Whose, (whose: Whose) => void] {
  const { person } = useSession()
  const [kept, keep] = useLocalStorage<Whose>({
    // Several people may share a browser.
    key: `crm:whose:${place}:${person.id}`,
    defaultValue: place === 'home' ? 'mine' : 'all',
    getInitialValueInEffect: false,
  })
  const isGone = kept === 'team' && person.departmentId === null
  return [isGone ? 'all' : kept, keep]
}

/** Returns the parameters that narrow a list to the chosen people. */
export function useNarrowing(whose: Whose): Narrowed {
  const { person } = useSession()
  if (whose === 'mine') return { ownerId: person.id }
  if (whose === 'team') return person.departmentId === null ? {} : { departmentId: person.departmentId }
  return whose === 'all' ? {} : { ownerId: whose }
}

/** Chooses whose records a page shows: one's own, those of one's team, all, or those of one person. */
export function WhoseChoice({ whose, onChange }: { readonly whose: Whose; onChange(whose: Whose): void }) {
  const { person } = useSession()
  const people = useDirectory().filter(({ id }) => id !== person.id)
  if (people.length === 0) return null
  const wide = [
    { value: 'mine', label: t('Mine') },
    ...(person.departmentId === null ? [] : [{ value: 'team', label: t('My team') }]),
    { value: 'all', label: t('Everyone’s') },
  ]
  return (
    <TypedSelect
      aria-label={t('Whose records')}
      w="12rem"
      searchable
      comboboxProps={{ width: 'max-content', position: 'bottom-end' }}
      data={[
        { group: t('Whose records'), items: wide },
        { group: t('People'), items: people.map(({ id, name }) => ({ value: id, label: name })) },
      ]}
      value={whose}
      onChange={(next) => next !== null && onChange(next)}
    />
  )
}
