import { TextInput } from '@mantine/core'
import type { ReferenceFieldsProps } from './reference-panel.tsx'

/** Asks for a name. */
export function NameField({ row, errors }: ReferenceFieldsProps<{ readonly name: string }>) {
  return (
    <TextInput
      name="name"
      label="Name"
      defaultValue={row?.name}
      error={errors['name']}
      maxLength={100}
      required
      withAsterisk={false}
      autoComplete="off"
      data-autofocus
    />
  )
}
