import { temperatures } from '@crm/contract'
import { NativeSelect, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { fieldName, inWords } from '../../records/field-words.ts'
import type { DraftField, LeadDraft } from './lead-draft.ts'

interface LeadFieldsProps {
  readonly draft: LeadDraft
  readonly errors: Readonly<Record<string, string>>
  onChange(draft: LeadDraft): void
}

/** The fields of a lead's form. */
export function LeadFields({ draft, errors, onChange }: LeadFieldsProps) {
  const field = (name: DraftField) => ({
    name,
    label: fieldName(name),
    value: draft[name],
    error: errors[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...draft, [name]: event.currentTarget.value }),
  })
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
        <TextInput {...field('firstName')} autoComplete="off" data-autofocus />
        <TextInput {...field('lastName')} autoComplete="off" />
        <TextInput {...field('companyName')} autoComplete="off" />
        <TextInput {...field('jobTitle')} autoComplete="off" />
        <TextInput {...field('email')} type="email" autoComplete="off" />
        <TextInput {...field('phone')} type="tel" autoComplete="off" placeholder="+49 30 1234567" />
        <TextInput {...field('website')} inputMode="url" autoComplete="off" />
        <NativeSelect
          {...field('temperature')}
          data={[{ value: '', label: 'Not known' }, ...temperatures.map((value) => ({ value, label: inWords(value) }))]}
        />
      </SimpleGrid>
      <Textarea {...field('description')} rows={3} />
    </Stack>
  )
}
