import type { ContactRecord } from '@crm/contract'
import { SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { CompanyField } from '../../records/company-field.tsx'
import { changedText, readFields, textOf } from '../../records/form-changes.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { notify } from '../../shell/notices.tsx'
import { contactQuery } from './contact-queries.ts'

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
  // Another person's change while the form is open must not be undone: only what differs from what was shown is sent.
  const [shown] = useState(contact)
  const client = useQueryClient()
  const navigate = useNavigate()
  const save = useMutation({
    mutationFn: (form: FormData) => saveContact(shown, form, contact?.version),
    onSuccess: async ({ data }) => {
      client.setQueryData(contactQuery(data.id).queryKey, data)
      notify(contact ? 'Saved' : 'The contact was created')
      onClose()
      await Promise.all([client.invalidateQueries({ queryKey: ['contacts'] }), client.invalidateQueries({ queryKey: ['record-name', 'CONTACT', data.id] })])
      if (!contact) await navigate({ to: '/contacts/$id', params: { id: data.id } })
    },
    onError: (error) => (isRefusedWith(error, 'VERSION_CONFLICT') ? client.invalidateQueries({ queryKey: ['contacts'] }) : undefined),
  })
  const errors = fieldErrors(save.error)
  const field = (name: (typeof fields)[number]) => ({ name, defaultValue: textOf(contact?.[name]), error: errors[name], autoComplete: 'off' })
  const listField = (name: (typeof lists)[number]) => ({ name, defaultValue: contact?.[name].join(', '), error: errors[name] ?? errorWithin(errors, name), placeholder: 'Separated by commas', autoComplete: 'off' })
  return (
    <FormDialog opened={opened} title={contact ? 'Edit contact' : 'New contact'} submit={contact ? 'Save' : 'Create contact'} size="lg" isBusy={save.isPending} error={save.error} onSubmit={(form) => save.mutate(form)} onClose={onClose}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
        <TextInput label="First name" data-autofocus {...field('firstName')} error={errors['firstName'] ?? errors['']} />
        <TextInput label="Last name" {...field('lastName')} />
        <TextInput label="E-mail" type="email" {...field('email')} />
        <TextInput label="Phone" type="tel" placeholder="+49 30 1234567" {...field('phone')} />
        <TextInput label="Further e-mails" {...listField('emails')} />
        <TextInput label="Further phones" {...listField('phones')} />
        <TextInput label="Job title" {...field('jobTitle')} />
        <CompanyField name="companyId" label="Company" companyId={contact?.companyId ?? null} error={errors['companyId']} />
        <TextInput label="Birthday" type="date" {...field('birthday')} />
      </SimpleGrid>
      <Textarea label="Description" rows={3} {...field('description')} />
    </FormDialog>
  )
}

/** What is wrong with an entry of a list, such as `emails.0`. */
function errorWithin(errors: Readonly<Record<string, string>>, list: string): string | undefined {
  return Object.entries(errors).find(([path]) => path.startsWith(`${list}.`))?.[1]
}

function saveContact(contact: ContactRecord | undefined, form: FormData, version: number | undefined) {
  const changed = { ...changedText(contact ?? {}, readFields(form, fields)), ...changedLists(contact, form) }
  return contact === undefined ? crm.contacts.create({ body: changed }) : crm.contacts.update({ params: { id: contact.id }, body: { ...changed, version } })
}

function changedLists(contact: ContactRecord | undefined, form: FormData): Partial<Record<(typeof lists)[number], string[]>> {
  const sent = lists.map((name) => [name, entriesOf(form.get(name))] as const)
  return Object.fromEntries(sent.filter(([name, entries]) => entries.join() !== (contact?.[name] ?? []).join()))
}

function entriesOf(value: FormDataEntryValue | null): string[] {
  return typeof value === 'string' ? value.split(',').map((entry) => entry.trim()).filter(Boolean) : []
}
