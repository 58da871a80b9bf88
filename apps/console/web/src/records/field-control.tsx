import { Fieldset, MultiSelect, TagsInput, Textarea, TextInput } from '@mantine/core'
import type { ChangeEvent } from 'react'
import { foreignZone } from '../base/moments.ts'
import type { Draft } from './field-values.ts'
import { numberTypes, type Field, type Kind } from './record-kinds.ts'
import { ReferenceField, ReferenceListField, type ControlProps } from './reference-field.tsx'
import { DayInput } from '../shell/day-input.tsx'
import { DecimalInput } from '../shell/decimal-input.tsx'
import { AddressInputs } from '../shell/address-inputs.tsx'
import { TagField, TagsField } from './tags-field.tsx'
import { TypedSelect } from '../shell/typed-select.tsx'
import { t } from '../base/texts.ts'

interface FieldControlProps {
  readonly field: Field
  readonly kind: Kind
  readonly draft: Draft
  /** The pipeline whose stages can be chosen. */
  readonly pipelineId?: string | null
  readonly error?: string | undefined
  readonly isRequired?: boolean
  readonly autoFocus?: boolean
  /** Whether its choices are open from the start. */
  readonly isOpen?: boolean
  onChange(draft: Draft): void
}

const inputTypes: Partial<Record<Field['type'], string>> = {
  EMAIL: 'email',
  PHONE: 'tel',
}
const listMax = 50

/** The control for the type of a field; its name is the label of the field. */
export function FieldControl({
  field,
  kind,
  draft,
  pipelineId = null,
  error,
  isRequired = false,
  autoFocus = false,
  isOpen = false,
  onChange,
}: FieldControlProps) {
  const control: ControlProps = {
    label: field.label,
    error,
    withAsterisk: isRequired,
    autoFocus,
    'data-autofocus': autoFocus || undefined,
  }
  const text = typeof draft === 'string' ? draft : ''
  const texts = Array.isArray(draft) ? [...(draft as readonly string[])] : []
  const shared = { field, kind, pipelineId, control, isOpen }
  const choices = {
    ...control,
    searchable: true,
    defaultDropdownOpened: isOpen,
    nothingFoundMessage: t('Nothing found'),
  }
  const choice = {
    ...choices,
    value: text === '' ? null : text,
    data: optionsOf(field),
    clearable: isClearable(field),
    clearButtonProps: { 'aria-label': t('Clear {label}', { label: field.label }) },
  }
  if (field.type === 'REFERENCE')
    return <ReferenceField {...shared} value={text === '' ? null : text} onChange={onChange} />
  if (field.type === 'REFERENCE_LIST') return <ReferenceListField {...shared} value={texts} onChange={onChange} />
  if (field.type === 'SELECT' || field.type === 'BOOLEAN') return <TypedSelect {...choice} onChange={onChange} />
  if (field.type === 'MULTI_SELECT')
    return <MultiSelect {...choices} value={texts} data={optionsOf(field)} onChange={onChange} />
  if (field.type === 'TAGS' || field.type === 'TEXT_LIST') {
    const list = {
      ...control,
      value: texts,
      maxTags: listMax,
      acceptValueOnBlur: true,
      placeholder: texts.length === 0 ? t('Type and press Enter') : undefined,
      onChange,
    }
    return field.key === 'tags' ? <TagsField {...list} kind={kind} /> : <TagsInput {...list} />
  }
  if (field.key === 'tags') return <TagField {...control} kind={kind} value={text} onChange={onChange} />
  if (field.type === 'ADDRESS') return <AddressControl field={field} draft={draft} error={error} onChange={onChange} />
  if (field.type === 'LONG_TEXT')
    return <Textarea {...control} value={text} minRows={3} rows={3} onChange={textChange(onChange)} />
  if (numberTypes.includes(field.type)) return <DecimalInput {...control} value={text} onChange={onChange} />
  if (field.type === 'DATE' || field.type === 'DATETIME')
    return (
      <DayInput
        {...control}
        usualTime={field.type === 'DATE' ? undefined : isDue(field) ? '17:00' : '09:00'}
        description={field.type === 'DATETIME' ? foreignZone() : undefined}
        value={text}
        onChange={onChange}
      />
    )
  return (
    <TextInput
      {...control}
      type={inputTypes[field.type] ?? 'text'}
      placeholder={field.type === 'PHONE' ? '+49 30 1234567' : undefined}
      maxLength={field.maxLength ?? undefined}
      autoComplete="off"
      value={text}
      onChange={textChange(onChange)}
    />
  )
}

/** What is due on a day is due at its end. */
const isDue = ({ key }: Field) => key === 'dueAt' || key === 'endAt'

function textChange(onChange: (text: string) => void) {
  return (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange(event.currentTarget.value)
}

const yesOrNo = [
  { value: 'true', label: t('Yes') },
  { value: 'false', label: t('No') },
]

function optionsOf({ type, options }: Field) {
  return type === 'BOOLEAN' ? yesOrNo : options.map((option) => ({ ...option }))
}

/** Whether a field can be emptied; the API always has a value for some fields. */
function isClearable({ required, default: beginning, group, type }: Field): boolean {
  return !required && beginning === null && !(type === 'BOOLEAN' && group !== 'CUSTOM')
}

function AddressControl({
  field,
  draft,
  error,
  onChange,
}: Pick<FieldControlProps, 'field' | 'draft' | 'error' | 'onChange'>) {
  const parts = (draft ?? {}) as Readonly<Record<string, string>>
  return (
    <Fieldset legend={field.label}>
      <AddressInputs
        propsOf={(part) => ({
          value: parts[part] ?? '',
          error: part === 'line1' ? error : undefined,
          onText: (text) => onChange({ ...parts, [part]: text }),
        })}
      />
    </Fieldset>
  )
}
