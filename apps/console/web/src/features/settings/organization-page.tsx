import { postalLines } from '@crm/postal'
import { Button, Group, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { addressParts } from '../../base/address-parts.ts'
import { crm } from '../../base/api.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { organizationQuery } from '../../domain/finance/finance-queries.ts'
import { changedText, readFields, textOf } from '../../records/form-changes.ts'
import { useChange } from '../../shell/changes.ts'
import { Facts } from '../../shell/facts.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { AddressInputs } from '../../shell/address-inputs.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { language } from '../../base/texts.ts'
import { t } from './texts.ts'

type Organization = Awaited<ReturnType<typeof crm.organization.get>>['data']

const fields = [
  'name',
  'legalName',
  'taxId',
  'registrationNumber',
  'email',
  'phone',
  'website',
  'bankDetails',
  'logo',
  'primaryColor',
] as const

const names: Readonly<Record<(typeof fields)[number], string>> = {
  name: t('Name'),
  legalName: t('Legal name'),
  taxId: t('Tax ID'),
  registrationNumber: t('Registration number'),
  email: t('Email'),
  phone: t('Phone'),
  website: t('Website'),
  bankDetails: t('Bank details'),
  logo: t('Logo'),
  primaryColor: t('Color'),
}

/** The company behind the workspace, as quotes, invoices and booking pages name it. */
export function OrganizationPage() {
  const { may } = useSession()
  const { data, error, refetch } = useQuery(organizationQuery)
  return (
    <Page title={t('Company details')} note={t('As quotes, invoices, letters and booking pages name it.')} narrow>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {data === undefined && error === null && (
        <Panel>
          <LoadingLines lines={8} label={t('Loading company')} />
        </Panel>
      )}
      {data !== undefined &&
        (may('MANAGE_WORKSPACE') ? (
          <OrganizationForm key={data.updatedAt} organization={data} />
        ) : (
          <Panel>
            <OrganizationFacts organization={data} />
          </Panel>
        ))}
    </Page>
  )
}

function OrganizationFacts({ organization }: { readonly organization: Organization }) {
  const address = postalLines(organization.address, language).join(', ')
  return (
    <Facts
      facts={[
        ...fields.filter((name) => name !== 'logo').map((name) => [names[name], organization[name]] as const),
        [t('Address'), address || null],
      ]}
    />
  )
}

function OrganizationForm({ organization }: { readonly organization: Organization }) {
  const save = useChange((form: FormData) => crm.organization.update({ body: bodyOf(organization, form) }), {
    said: t('Saved'),
    stale: ['organization', 'workspace'],
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save.mutate(new FormData(event.currentTarget))
  }
  const errors = fieldErrors(save.error)
  const field = (name: (typeof fields)[number]) => ({
    name,
    label: names[name],
    defaultValue: textOf(organization[name]),
    error: errors[name],
    autoComplete: 'off',
  })
  return (
    <form onSubmit={submit} aria-label={t('Company')}>
      <Stack>
        <Panel title={t('Company details')}>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput {...field('name')} required withAsterisk={false} />
            <TextInput {...field('legalName')} />
            <TextInput {...field('taxId')} />
            <TextInput {...field('registrationNumber')} />
            <TextInput {...field('email')} type="email" />
            <TextInput {...field('phone')} type="tel" />
            <TextInput {...field('website')} />
          </SimpleGrid>
        </Panel>
        <Panel title={t('Address')}>
          <AddressInputs
            propsOf={(name) => ({
              name,
              defaultValue: organization.address?.[name] ?? '',
              error: errors[`address.${name}`],
            })}
          />
        </Panel>
        <Panel title={t('On documents and booking pages')}>
          <Stack>
            <Textarea {...field('bankDetails')} description={t('Shown on invoices and payment pages.')} rows={4} />
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <TextInput
                {...field('logo')}
                description={t(
                  'The address of a PNG or JPEG picture. On PDFs and the pages of invoices only one among the files here is shown: /api/files/…/content',
                )}
              />
              <TextInput {...field('primaryColor')} description={t('For example #1f6feb')} maxLength={7} />
            </SimpleGrid>
          </Stack>
        </Panel>
        {!isRefusedWith(save.error, 'VALIDATION_ERROR') && <RefusalAlert error={save.error} />}
        <Group>
          <Button type="submit" loading={save.isPending}>
            {t('Save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function bodyOf(organization: Organization, form: FormData) {
  const { name, ...changed } = changedText(organization, readFields(form, fields))
  const address = readFields(form, addressParts)
  const isMoved = addressParts.some((part) => address[part] !== (organization.address?.[part] ?? ''))
  const isEmpty = addressParts.every((part) => address[part] === '')
  return { ...changed, ...(name ? { name } : {}), ...(isMoved ? { address: isEmpty ? null : address } : {}) }
}
