import { MultiSelect, NativeSelect, NumberInput, Switch, TagsInput, Textarea, TextInput } from '@mantine/core'
import type { ChangeEvent, ReactNode } from 'react'
import { t } from '../base/texts.ts'
import { TypedSelect } from './typed-select.tsx'
import type { FieldRule } from './body-rules.built.ts'

/** What the contract does not say of a field: its words. */
interface Words {
  readonly label: string
  readonly description?: string
  readonly placeholder?: string
  /** The unit behind a number. */
  readonly suffix?: string
  /** What can be chosen, in the order in which it is shown. */
  readonly choices?: readonly (string | { readonly value: string; readonly label: string })[]
  /** Whether people type to find a choice. */
  readonly isSearched?: boolean
  /** The height of a long text. */
  readonly rows?: number
  /** Whether the form begins here. */
  readonly isFirst?: boolean
}

interface Form<Name extends string, Values extends Partial<Record<Name, unknown>>> {
  /** What the contract says of the body that takes the values. */
  readonly rules: Readonly<Record<Name, FieldRule>>
  readonly values: Values
  /** The problems of fields by their names. */
  readonly errors: Readonly<Record<string, string>>
  onChange(patch: Partial<Values>): void
}

/** Returns a function that makes the control of a field, of the type and within the limits that the contract gives it. */
export function fieldsOf<Name extends string, Values extends Partial<Record<Name, unknown>>>({
  rules,
  values,
  errors,
  onChange,
}: Form<Name, Values>) {
  return (name: Name & keyof Values, words: Words): ReactNode => {
    const { label, description, placeholder, suffix, choices, isSearched = false, rows, isFirst = false } = words
    const { type, isRequired, isNullable, min, max } = rules[name]
    const value: unknown = values[name]
    const set = (next: unknown) => onChange({ [name]: next } as Partial<Values>)
    const shared = { label, description, error: errors[name] }
    const nothing = isNullable ? null : undefined
    if (type === 'flag')
      return (
        <Switch
          label={label}
          description={description}
          checked={value === true}
          onChange={(event) => set(event.currentTarget.checked)}
        />
      )
    if (type === 'number')
      return (
        <NumberInput
          {...shared}
          suffix={suffix}
          value={typeof value === 'number' ? value : ''}
          min={min}
          max={max}
          allowDecimal={false}
          onChange={(next) => set(typeof next === 'number' ? next : nothing)}
        />
      )
    if (type === 'list') {
      const chosen = value as string[]
      return choices !== undefined ? (
        <MultiSelect {...shared} searchable data={[...choices]} value={[...chosen]} onChange={set} />
      ) : (
        <TagsInput {...shared} value={[...chosen]} onChange={set} />
      )
    }
    const text = typeof value === 'string' ? value : ''
    if (choices !== undefined && isSearched)
      return (
        <TypedSelect
          {...shared}
          searchable
          nothingFoundMessage={t('Nothing found')}
          value={text}
          data={[...choices]}
          onChange={set}
        />
      )
    if (choices !== undefined)
      return (
        <NativeSelect
          {...shared}
          value={text}
          data={[...choices]}
          onChange={(event) => set(event.currentTarget.value)}
        />
      )
    const written = {
      ...shared,
      placeholder,
      value: text,
      maxLength: max,
      required: isRequired,
      withAsterisk: false,
      autoComplete: 'off',
      'data-autofocus': isFirst || undefined,
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        set(event.currentTarget.value || (isRequired ? '' : nothing)),
    }
    return rows === undefined ? <TextInput {...written} /> : <Textarea {...written} rows={rows} />
  }
}
