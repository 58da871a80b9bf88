import { Checkbox, Group, NativeSelect, TextInput } from '@mantine/core'
import type { EntityField } from './entity-queries.ts'
import { inputName, plainText } from './field-values.ts'

interface FieldInputProps {
  readonly field: EntityField
  readonly value: unknown
  readonly error: string | undefined
}

const inputTypes: Partial<Record<EntityField['type'], string>> = {
  NUMBER: 'number',
  PERCENTAGE: 'number',
  RATING: 'number',
  DATE: 'date',
  DATETIME: 'datetime-local',
}

/** The input for a field of a custom entity, as its type asks for. */
export function FieldInput({ field, value, error }: FieldInputProps) {
  const { label, type, options, isRequired } = field
  const shared = { name: inputName(field), label, error, required: isRequired }
  if (type === 'MULTI_SELECT') {
    return (
      <Checkbox.Group
        label={label}
        error={error}
        withAsterisk={isRequired}
        defaultValue={Array.isArray(value) ? value.map(String) : []}
      >
        <Group gap="sm" mt="xs">
          {options.map((option) => (
            <Checkbox key={option.value} name={shared.name} value={option.value} label={option.label} />
          ))}
        </Group>
      </Checkbox.Group>
    )
  }
  if (type === 'SELECT')
    return (
      <NativeSelect
        {...shared}
        defaultValue={plainText(value)}
        data={[{ value: '', label: '–' }, ...options.map((option) => ({ ...option }))]}
      />
    )
  if (type === 'BOOLEAN')
    return (
      <NativeSelect
        {...shared}
        defaultValue={plainText(value)}
        data={[
          { value: '', label: '–' },
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]}
      />
    )
  const inputType = inputTypes[type]
  return (
    <TextInput
      {...shared}
      type={inputType}
      step={inputType === 'number' ? 'any' : undefined}
      inputMode={type === 'CURRENCY' ? 'decimal' : undefined}
      defaultValue={type === 'DATETIME' ? localTime(value) : plainText(value)}
      autoComplete="off"
    />
  )
}

function localTime(value: unknown): string {
  if (typeof value !== 'string') return ''
  const at = new Date(value)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
