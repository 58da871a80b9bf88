import { weekStarts } from '@crm/contract'
import { Button, Fieldset, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { crm, settings } from '../../base/api.ts'
import { addCurrency, currencyChoices, knownCurrenciesQuery } from '../../base/currencies.ts'
import { languageChoices } from '../../base/language.ts'
import { weekdayNames } from '../../base/months.ts'
import { useSession } from '../../base/session.ts'
import { timeZones } from '../../base/time-zones.ts'
import { textIn } from '../../base/form-text.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { AddressInputs } from '../../shell/address-inputs.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { TypedSelect } from '../../shell/typed-select.tsx'
import { t } from '../../base/texts.ts'

const workspaceQuery = queryOptions({
  queryKey: ['workspace'],
  queryFn: async ({ signal }) => (await settings.workspace.get({ signal })).data,
})

type Workspace = Awaited<ReturnType<typeof settings.workspace.get>>['data']

/** The first page of a new workspace: who its administrator is, how it is set up, and the company behind it. */
export function WelcomePage() {
  const { data, error, refetch } = useQuery(workspaceQuery)
  return (
    <Page
      title={t('Welcome')}
      note={t('Set up your workspace. You can change all of this later under Settings.')}
      narrow
    >
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && (
        <Panel>
          {data === undefined ? <LoadingLines label={t('Loading workspace')} /> : <Setup workspace={data} />}
        </Panel>
      )}
    </Page>
  )
}

const addressParts = ['line1', 'postalCode', 'city', 'country'] as const

/** Reads the company of the form; what is left empty is left as it is. */
function companyOf(text: (name: string) => string) {
  const address = Object.fromEntries(
    addressParts.flatMap((part) => (text(part) === '' ? [] : [[part, text(part)] as const])),
  )
  return {
    ...(text('company') === '' ? {} : { name: text('company') }),
    ...(Object.keys(address).length === 0 ? {} : { address }),
  }
}

function useSetup(workspace: Workspace) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { person } = useSession()
  return useMutation({
    mutationFn: async (form: FormData) => {
      const text = (name: string) => textIn(form, name).trim()
      const currency = text('currency')
      if (currency !== workspace.currency) await addCurrency(currency)
      const [firstName, lastName] = [text('firstName'), text('lastName')]
      if (firstName !== (person.firstName ?? '') || lastName !== (person.lastName ?? ''))
        await settings.users.update({
          params: { id: person.id },
          body: { firstName: firstName || null, lastName: lastName || null },
        })
      const company = companyOf(text)
      if (Object.keys(company).length > 0) await crm.organization.update({ body: company })
      return settings.workspace.update({
        body: {
          name: text('name'),
          locale: text('locale'),
          timezone: text('timezone'),
          currency,
          timeFormat: text('timeFormat') === '12h' ? '12h' : '24h',
          weekStart: weekStarts.find((day) => day === text('weekStart')),
        },
      })
    },
    onSuccess: async ({ data }) => {
      client.setQueryData(workspaceQuery.queryKey, data)
      await Promise.all(
        [['session'], ['people'], ['organization']].map((queryKey) => client.invalidateQueries({ queryKey })),
      )
      await navigate({ to: '/' })
    },
  })
}

function Setup({ workspace }: { readonly workspace: Workspace }) {
  const save = useSetup(workspace)
  const errors = fieldErrors(save.error)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!save.isPending) save.mutate(new FormData(event.currentTarget))
  }
  return (
    <form onSubmit={submit} aria-label={t('Welcome')}>
      <Stack>
        <AboutYou errors={errors} />
        <AboutWorkspace workspace={workspace} errors={errors} />
        <AboutCompany workspace={workspace} errors={errors} />
        {!isRefusedWith(save.error, 'VALIDATION_ERROR') && <RefusalAlert error={save.error} />}
        <Group>
          <Button type="submit" loading={save.isPending}>
            {t('Continue')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface PartProps {
  readonly errors: Readonly<Record<string, string>>
}

function AboutYou({ errors }: PartProps) {
  const { person } = useSession()
  return (
    <Fieldset legend={t('You')}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={t('First name')}
          name="firstName"
          maxLength={100}
          autoComplete="given-name"
          defaultValue={person.firstName ?? ''}
          error={errors['firstName']}
          data-autofocus
        />
        <TextInput
          label={t('Last name')}
          name="lastName"
          maxLength={100}
          autoComplete="family-name"
          defaultValue={person.lastName ?? ''}
          error={errors['lastName']}
        />
      </SimpleGrid>
    </Fieldset>
  )
}

/** A new workspace keeps time like the browser of whoever sets it up, as long as nobody has chosen. */
function presetZone({ timezone }: Workspace): string {
  return timezone === 'UTC' ? Intl.DateTimeFormat().resolvedOptions().timeZone : timezone
}

const pick = { searchable: true, nothingFoundMessage: t('Nothing found') }
const example = { date: new Date(Date.UTC(2026, 11, 31)), number: 1234.5 }

function AboutWorkspace({ workspace, errors }: PartProps & { readonly workspace: Workspace }) {
  const { data: known = [] } = useQuery(knownCurrenciesQuery)
  const [locale, setLocale] = useState(workspace.locale)
  const zone = presetZone(workspace)
  const field = (name: 'locale' | 'timezone' | 'currency' | 'weekStart' | 'timeFormat') => ({
    name,
    error: errors[name],
  })
  return (
    <Fieldset legend={t('Your workspace')}>
      <Stack>
        <TextInput
          label={t('Workspace name')}
          name="name"
          required
          maxLength={200}
          defaultValue={workspace.name}
          error={errors['name']}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TypedSelect
            label={t('Language')}
            {...field('locale')}
            {...pick}
            value={locale}
            onChange={(chosen) => setLocale(chosen ?? workspace.locale)}
            data={languageChoices(workspace.locale)}
          />
          <TypedSelect
            label={t('Time zone')}
            {...field('timezone')}
            {...pick}
            defaultValue={zone}
            data={timeZones(zone)}
          />
          <TypedSelect
            label={t('Currency')}
            {...field('currency')}
            {...pick}
            defaultValue={workspace.currency}
            data={currencyChoices(known, workspace.currency)}
          />
          <NativeSelect
            label={t('Time format')}
            {...field('timeFormat')}
            defaultValue={workspace.timeFormat}
            data={[
              { value: '24h', label: '14:30' },
              { value: '12h', label: '2:30 pm' },
            ]}
          />
          <NativeSelect
            label={t('Weeks begin on')}
            {...field('weekStart')}
            defaultValue={workspace.weekStart}
            data={weekStarts.map((day) => ({ value: day, label: weekdayNames(day, 'long')[0] ?? day }))}
          />
        </SimpleGrid>
        <Text size="xs" c="dimmed">
          {t('Dates and numbers look like this: {date}, {number}', {
            date: example.date.toLocaleDateString(locale, { dateStyle: 'medium', timeZone: 'UTC' }),
            number: example.number.toLocaleString(locale, { minimumFractionDigits: 2 }),
          })}
        </Text>
      </Stack>
    </Fieldset>
  )
}

function AboutCompany({ workspace, errors }: PartProps & { readonly workspace: Workspace }) {
  return (
    <Fieldset legend={t('Your company')}>
      <Stack>
        <Text size="xs" c="dimmed">
          {t('Stands on quotes, invoices and booking pages. You can add it later.')}
        </Text>
        <TextInput
          label={t('Company name')}
          name="company"
          maxLength={200}
          autoComplete="organization"
          defaultValue={workspace.brand.companyName ?? ''}
        />
        <AddressInputs parts={addressParts} propsOf={(name) => ({ name, error: errors[`address.${name}`] })} />
      </Stack>
    </Fieldset>
  )
}
