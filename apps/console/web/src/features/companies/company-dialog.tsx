import type { CompanyRecord } from '@crm/contract'
import { NativeSelect, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { crm } from '../../base/api.ts'
import { CompanyField } from '../../records/company-field.tsx'
import { changedText, readFields } from '../../records/form-changes.ts'
import { RecordForm } from '../../records/record-form.tsx'
import { useIndustries } from './company-queries.ts'

const fields = [
  'name',
  'domain',
  'phone',
  'email',
  'website',
  'industryId',
  'size',
  'taxId',
  'parentId',
  'description',
] as const

interface CompanyDialogProps {
  /** The company to change; a new one without it. */
  readonly company?: CompanyRecord
  readonly opened: boolean
  onClose(): void
}

/** Asks for a new company, or for changes of one. */
export function CompanyDialog({ company, opened, onClose }: CompanyDialogProps) {
  const navigate = useNavigate()
  const industries = useIndustries()
  return (
    <RecordForm
      entityType="COMPANY"
      record={company}
      size="lg"
      opened={opened}
      save={saveCompany}
      open={(id) => navigate({ to: '/companies/$id', params: { id } })}
      onClose={onClose}
    >
      {({ errors, field }) => (
        <>
          <TextInput label="Name" required data-autofocus {...field('name')} />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
            <TextInput label="Domain" placeholder="example.com" {...field('domain')} />
            <TextInput label="Website" inputMode="url" {...field('website')} />
            <TextInput label="E-mail" type="email" {...field('email')} />
            <TextInput label="Phone" type="tel" placeholder="+49 30 1234567" {...field('phone')} />
            <NativeSelect
              label="Industry"
              {...field('industryId')}
              data={[{ value: '', label: 'Not known' }, ...withPresent(industries, company)]}
            />
            <TextInput label="Size" placeholder="11-50" {...field('size')} />
            <TextInput label="Tax id" {...field('taxId')} />
            <CompanyField
              name="parentId"
              label="Belongs to"
              companyId={company?.parentId ?? null}
              withoutId={company?.id}
              error={errors['parentId']}
            />
          </SimpleGrid>
          <Textarea label="Description" rows={3} {...field('description')} />
        </>
      )}
    </RecordForm>
  )
}

/** The industry that a company has stays a choice for people who may not see the others. */
function withPresent(
  industries: readonly { readonly id: string; readonly name: string }[],
  company: CompanyRecord | undefined,
) {
  const known = industries.map(({ id, name }) => ({ value: id, label: name }))
  const present = company?.industryId
  return present && !industries.some(({ id }) => id === present)
    ? [...known, { value: present, label: 'As it is' }]
    : known
}

function saveCompany(form: FormData, company: CompanyRecord | undefined) {
  const { name, ...changed } = changedText(company ?? {}, readFields(form, fields))
  if (company === undefined) return crm.companies.create({ body: { ...changed, name: name ?? '' } })
  return crm.companies.update({
    params: { id: company.id },
    body: { ...changed, ...(name === undefined ? {} : { name: name ?? '' }), version: company.version },
  })
}
