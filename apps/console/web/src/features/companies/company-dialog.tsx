import type { CompanyRecord } from '@crm/contract'
import { NativeSelect, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { CompanyField } from '../../records/company-field.tsx'
import { changedText, readFields, textOf } from '../../records/form-changes.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { notify } from '../../shell/notices.tsx'
import { companyQuery, useIndustries } from './company-queries.ts'

const fields = ['name', 'domain', 'phone', 'email', 'website', 'industryId', 'size', 'taxId', 'parentId', 'description'] as const

interface CompanyDialogProps {
  /** The company to change; a new one without it. */
  readonly company?: CompanyRecord
  readonly opened: boolean
  onClose(): void
}

/** Asks for a new company, or for changes of one. */
export function CompanyDialog({ company, opened, onClose }: CompanyDialogProps) {
  // Another person's change while the form is open must not be undone: only what differs from what was shown is sent.
  const [shown] = useState(company)
  const client = useQueryClient()
  const navigate = useNavigate()
  const industries = useIndustries()
  const save = useMutation({
    mutationFn: (form: FormData) => saveCompany(shown, form, company?.version),
    onSuccess: async ({ data }) => {
      client.setQueryData(companyQuery(data.id).queryKey, data)
      notify(company ? 'Saved' : 'The company was created')
      onClose()
      await Promise.all([client.invalidateQueries({ queryKey: ['companies'] }), client.invalidateQueries({ queryKey: ['record-name', 'COMPANY', data.id] })])
      if (!company) await navigate({ to: '/companies/$id', params: { id: data.id } })
    },
    onError: (error) => (isRefusedWith(error, 'VERSION_CONFLICT') ? client.invalidateQueries({ queryKey: ['companies'] }) : undefined),
  })
  const errors = fieldErrors(save.error)
  const field = (name: (typeof fields)[number]) => ({ name, defaultValue: textOf(company?.[name]), error: errors[name], autoComplete: 'off' })
  return (
    <FormDialog opened={opened} title={company ? 'Edit company' : 'New company'} submit={company ? 'Save' : 'Create company'} size="lg" isBusy={save.isPending} error={save.error} onSubmit={(form) => save.mutate(form)} onClose={onClose}>
      <TextInput label="Name" required data-autofocus {...field('name')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
        <TextInput label="Domain" placeholder="example.com" {...field('domain')} />
        <TextInput label="Website" inputMode="url" {...field('website')} />
        <TextInput label="E-mail" type="email" {...field('email')} />
        <TextInput label="Phone" type="tel" placeholder="+49 30 1234567" {...field('phone')} />
        <NativeSelect label="Industry" {...field('industryId')} data={[{ value: '', label: 'Not known' }, ...withPresent(industries, company)]} />
        <TextInput label="Size" placeholder="11-50" {...field('size')} />
        <TextInput label="Tax id" {...field('taxId')} />
        <CompanyField name="parentId" label="Belongs to" companyId={company?.parentId ?? null} withoutId={company?.id} error={errors['parentId']} />
      </SimpleGrid>
      <Textarea label="Description" rows={3} {...field('description')} />
    </FormDialog>
  )
}

/** The industry that a company has stays a choice for people who may not see the others. */
function withPresent(industries: readonly { readonly id: string; readonly name: string }[], company: CompanyRecord | undefined) {
  const known = industries.map(({ id, name }) => ({ value: id, label: name }))
  const present = company?.industryId
  return present && !industries.some(({ id }) => id === present) ? [...known, { value: present, label: 'As it is' }] : known
}

function saveCompany(company: CompanyRecord | undefined, form: FormData, version: number | undefined) {
  const { name, ...changed } = changedText(company ?? {}, readFields(form, fields))
  if (company === undefined) return crm.companies.create({ body: { ...changed, name: name ?? '' } })
  return crm.companies.update({ params: { id: company.id }, body: { ...changed, ...(name === undefined ? {} : { name: name ?? '' }), version } })
}
