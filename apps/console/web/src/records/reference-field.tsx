import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useContext, useState, type ReactNode } from 'react'
import { CreatingHere } from './creating-here.ts'
import { useMayNotSee } from './may-not-see.ts'
import { isSearched, useChoices, withinReach, WithPeopleWhoLeft, type Choice } from './reference-choices.ts'
import { useKinds, type Field, type Kind } from './record-kinds.ts'
import { useReferenceNames } from './use-reference-names.ts'
import { TypedSelect } from '../shell/typed-select.tsx'
import { t } from '../base/texts.ts'

/** The value of the choice that makes a record from the typed text. */
const newValue = ' new'

/** The properties of every control of a field besides its value. */
export interface ControlProps {
  readonly label: ReactNode
  readonly error?: ReactNode
  readonly withAsterisk?: boolean
  readonly autoFocus?: boolean
  readonly 'data-autofocus'?: boolean
}

interface ReferenceFieldProps {
  readonly field: Field
  readonly kind: Kind
  readonly pipelineId: string | null
  readonly control: ControlProps
  readonly isOpen?: boolean
}

interface OneProps extends ReferenceFieldProps {
  readonly value: string | null
  onChange(value: string | null): void
}

/** Chooses the target of a field by a part of its name; a missing target can be made on the way. */
export function ReferenceField({ value, onChange, control, isOpen = false, ...asked }: OneProps) {
  const { field } = asked
  const [text, setText] = useState('')
  const { choices, remember, creation, isAnswered } = useOffered(asked, value === null ? [] : [value], text)
  const warning = useBlindReceivers(asked, value === null ? [] : [value])
  const isFixed = field.references === 'STAGE' || field.references === 'PIPELINE'
  const choose = (chosen: string | null) => {
    if (chosen !== newValue) return onChange(chosen)
    creation?.((created) => {
      remember(created)
      onChange(created.value)
    })
  }
  return (
    <TypedSelect
      {...control}
      {...(warning !== undefined && { description: warning })}
      value={value}
      data={[...choices]}
      searchable
      isAnswered={isAnswered}
      clearable={!isFixed && !field.required}
      onSearchChange={setText}
      // What is typed takes the place of the chosen name.
      onFocus={({ currentTarget }) => currentTarget.select()}
      onChange={choose}
      defaultDropdownOpened={isOpen}
      nothingFoundMessage={t('Nothing found')}
      clearButtonProps={{ 'aria-label': t('Clear {label}', { label: field.label }), tabIndex: 0 }}
      {...(isSearched(field) ? { filter: ({ options }) => options } : {})}
    />
  )
}

interface SeveralProps extends ReferenceFieldProps {
  readonly value: readonly string[]
  onChange(value: string[]): void
}

/** Chooses several targets in the same way. */
export function ReferenceListField({ value, onChange, control, isOpen = false, ...asked }: SeveralProps) {
  const [text, setText] = useState('')
  const { choices } = useOffered(asked, value, text)
  const warning = useBlindReceivers(asked, value)
  return (
    <MultiSelect
      {...control}
      {...(warning !== undefined && { description: warning })}
      value={[...value]}
      data={choices.filter(({ value: id }) => id !== newValue)}
      searchable
      onSearchChange={setText}
      onChange={onChange}
      defaultDropdownOpened={isOpen}
      nothingFoundMessage={t('Nothing found')}
      {...(isSearched(asked.field) ? { filter: ({ options }) => options } : {})}
    />
  )
}

/** Warns of people who are given a record that they may not see; a filter gives nobody anything. */
function useBlindReceivers({ field, kind }: Pick<ReferenceFieldProps, 'field' | 'kind'>, chosen: readonly string[]) {
  const isFilter = useContext(WithPeopleWhoLeft)
  return useMayNotSee(kind, field.references === 'EMPLOYEE' && !isFilter ? chosen : [], field.key === 'ownerId')
}

/** Returns the choices: the found ones, the chosen ones, and the one that would be made from the text. */
function useOffered(
  { field, kind, pipelineId }: Omit<ReferenceFieldProps, 'control'>,
  chosen: readonly string[],
  text: string,
) {
  const [made, setMade] = useState<readonly Choice[]>([])
  const [settled] = useDebouncedValue(text.trim(), 200)
  const create = useContext(CreatingHere)
  const target = useKinds().find(({ key }) => key === field.references)
  const names = useReferenceNames(field, kind, chosen)
  const isName = (one: string) => [...names.values(), ...made.map(({ label }) => label)].includes(one)
  // A field that was left shows the chosen name as its text, and that is no search.
  const typed = text.trim()
  const answered = useChoices({
    references: field.references ?? '',
    kind,
    search: isName(settled) ? '' : settled,
    pipelineId,
  })
  const found = typed === settled || isName(typed) ? answered : withinReach(answered, typed)
  const choices = new Map(found.map((choice) => [choice.value, choice.label]))
  for (const { value, label } of made) choices.set(value, label)
  for (const id of chosen) if (!choices.has(id)) choices.set(id, names.get(id) ?? '…')
  const isNew = typed !== '' && ![...choices.values()].some((label) => label.toLowerCase() === typed.toLowerCase())
  if (isNew && create && target?.may.create) choices.set(newValue, t('Create “{title}”', { title: typed }))
  return {
    choices: [...choices].map(([value, label]) => ({ value, label })),
    // Enter makes nothing new before somebody has seen that there is nothing like it.
    isAnswered: found.length > 0,
    remember: (choice: Choice) => setMade((known) => [...known, choice]),
    creation: create && target ? (done: (choice: Choice) => void) => create(target.key, typed, done) : undefined,
  }
}
