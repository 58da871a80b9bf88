import type { ContactRecord } from '@crm/contract'
import { SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { crm } from '../../base/api.ts'
import { CompanyField } from '../../records/company-field.tsx'
import { changedText, readFields } from '../../records/form-changes.ts'
import { RecordForm } from '../../records/record-form.tsx'

const fields = ['firstName', 'lastName', 'email', 'phone', 'jobTitle', 'companyId', 'birthday', 'description'] as const
const lists = ['emails', 'phones'] as const

interface ContactDialogProps {
  /** The contact to change; a new one without it. */
  readonly contact?: ContactRecord
  readonly opened: boolean
  onClose(): void
}

/** Asks for a new contact, or for changes of one. */
export function ContactDialog({ contact, opened, onClose }: ContactDialogProps) {
  const navigate = useNavigate()
  const listField = (name: (typeof lists)[number], errors: Readonly<Record<string, string>>) => ({
    name,
    defaultValue: contact?.[name].join(', '),
    error: errors[name] ?? errorWithin(errors, name),
    placeholder: 'Separated by commas',
    autoComplete: 'off',
  })
  return (
    <RecordForm
      entityType="CONTACT"
      record={contact}
      size="lg"
      opened={opened}
      save={saveContact}
      open={(id) => navigate({ to: '/contacts/$id', params: { id } })}
      onClose={onClose}
    >
      {({ errors, field }) => (
        <>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
            <TextInput
              label="First name"
              data-autofocus
              {...field('firstName')}
              error={errors['firstName'] ?? errors['']}
            />
            <TextInput label="Last name" {...field('lastName')} />
            <TextInput label="E-mail" type="email" {...field('email')} />
            <TextInput label="Phone" type="tel" placeholder="+49 30 1234567" {...field('phone')} />
            <TextInput label="Further e-mails" {...listField('emails', errors)} />
            <TextInput label="Further phones" {...listField('phones', errors)} />
            <TextInput label="Job title" {...field('jobTitle')} />
            <CompanyField
              name="companyId"
              label="Company"
              companyId={contact?.companyId ?? null}
              error={errors['companyId']}
            />
            <TextInput label="Birthday" type="date" {...field('birthday')} />
          </SimpleGrid>
          <Textarea label="Description" rows={3} {...field('description')} />
        </>
      )}
    </RecordForm>
  )
}

/** What is wrong with an entry of a list, such as `emails.0`. */
function errorWithin(errors: Readonly<Record<string, string>>, list: string): string | undefined {
  return Object.entries(errors).find(([path]) => path.startsWith(`${list}.`))?.[1]
}

function saveContact(form: FormData, contact: ContactRecord | undefined) {
  const changed = { ...changedText(contact ?? {}, readFields(form, fields)), ...changedLists(contact, form) }
  return contact === undefined
    ? crm.contacts.create({ body: changed })
    : crm.contacts.update({ params: { id: contact.id }, body: { ...changed, version: contact.version } })
}

function changedLists(
  contact: ContactRecord | undefined,
  form: FormData,
): Partial<Record<(typeof lists)[number], string[]>> {
  const sent = lists.map((name) => [name, entriesOf(form.get(name))] as const)
  return Object.fromEntries(sent.filter(([name, entries]) => entries.join() !== (contact?.[name] ?? []).join()))
}

function entriesOf(value: FormDataEntryValue | null): string[] {
  return typeof value === 'string'
    ? value
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean)
    : []
}
