import { TextInput } from '@mantine/core'
import { t } from '../base/texts.ts'

interface NameFieldProps {
  /** The record whose name is changed; absent for a new one. */
  readonly row?: { readonly name: string } | undefined
  readonly errors: Readonly<Record<string, string>>
  readonly description?: string
}

/** Asks for a name. */
export function NameField({ row, errors, description }: NameFieldProps) {
  return (
    <TextInput
      name="name"
      label={t('Name')}
      description={description}
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
