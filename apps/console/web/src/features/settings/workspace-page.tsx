import { Button, Group, SimpleGrid, Stack, Switch } from '@mantine/core'
import { weekStarts } from '@crm/contract'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { settings } from '../../base/api.ts'
import { addCurrency, currencyChoices, knownCurrenciesQuery } from '../../base/currencies.ts'
import { languageChoices } from '../../base/language.ts'
import { weekdayNames } from '../../base/months.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { fieldsOf } from '../../shell/body-fields.tsx'
import { bodyRules } from '../../shell/body-rules.built.ts'
import { notify } from '../../shell/notices.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { timeZones } from '../../base/time-zones.ts'
import { t } from './texts.ts'

type Workspace = Awaited<ReturnType<typeof settings.workspace.get>>['data']
const workspaceQuery = queryOptions({
  queryKey: ['workspace'],
  queryFn: async ({ signal }) => (await settings.workspace.get({ signal })).data,
})
const modulesQuery = queryOptions({
  queryKey: ['modules'],
  queryFn: async ({ signal }) => (await settings.workspaceModules.list({ signal })).data,
})
/** The settings of the whole workspace. */
export function WorkspacePage() {
  const { data, error, refetch } = useQuery(workspaceQuery)
  return (
    <Page title={t('General')} narrow>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && (
        <Panel title={t('General')}>
          {data === undefined ? (
            <LoadingLines label={t('Loading workspace')} />
          ) : (
            <WorkspaceForm key={data.updatedAt} workspace={data} />
          )}
        </Panel>
      )}
      <Panel title={t('Modules')} note={t('Turned-off modules are hidden in the console and the API.')}>
        <Modules />
      </Panel>
    </Page>
  )
}

function WorkspaceForm({ workspace }: { readonly workspace: Workspace }) {
  const client = useQueryClient()
  const { data: known = [] } = useQuery(knownCurrenciesQuery)
  const [changed, setChanged] = useState<Partial<Workspace>>({})
  const save = useMutation({
    mutationFn: async () => {
      if (changed.currency !== undefined && changed.currency !== workspace.currency) await addCurrency(changed.currency)
      return settings.workspace.update({ body: changed })
    },
    onSuccess: ({ data }) => {
      client.setQueryData(workspaceQuery.queryKey, data)
      notify(t('Saved'))
      return Promise.all([['session'], ['currencies']].map((queryKey) => client.invalidateQueries({ queryKey })))
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save.mutate()
  }
  const field = fieldsOf({
    rules: bodyRules.workspace,
    values: { ...workspace, ...changed },
    errors: fieldErrors(save.error),
    onChange: (patch) => setChanged({ ...changed, ...patch }),
  })
  return (
    <form onSubmit={submit} aria-label={t('General')}>
      <Stack>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          {field('name', { label: t('Name') })}
          {field('locale', {
            label: t('Language'),
            choices: languageChoices(workspace.locale),
            isSearched: true,
          })}
          {field('timezone', {
            label: t('Time zone'),
            choices: timeZones(workspace.timezone),
            isSearched: true,
          })}
          {field('weekStart', {
            label: t('Week starts on'),
            choices: weekStarts.map((day) => ({ value: day, label: weekdayNames(day, 'long')[0] ?? day })),
          })}
          {field('currency', {
            label: t('Currency'),
            choices: currencyChoices(known, workspace.currency),
            isSearched: true,
          })}
          {field('timeFormat', { label: t('Time'), choices: timeFormats })}
        </SimpleGrid>
        {field('mergeExactDuplicates', {
          label: t('Merge exact duplicates'),
          description: t('A new lead with a known email, phone or messenger completes the lead that is there already.'),
        })}
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

const timeFormats = [
  { value: '24h', label: '14:30' },
  { value: '12h', label: '2:30 pm' },
]

const moduleNames = {
  SALES: t('Sales: leads, contacts, companies, deals, booking'),
  PROJECTS: t('Projects and tasks'),
  CATALOG: t('Catalog: products and price lists'),
  FINANCE: t('Finance: quotes, orders, invoices'),
  FILES: t('Files and documents'),
} as const

function Modules() {
  const { data, error, refetch } = useQuery(modulesQuery)
  const client = useQueryClient()
  const toggle = useMutation({
    mutationFn: ({ key, enabled }: { key: keyof typeof moduleNames; enabled: boolean }) =>
      settings.workspaceModules.update({ params: { key }, body: { enabled } }),
    onSuccess: () =>
      Promise.all([['modules'], ['session'], ['leads']].map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
  if (data === undefined)
    return error === null ? (
      <LoadingLines label={t('Loading modules')} />
    ) : (
      <RefusalAlert error={error} retry={() => void refetch()} />
    )
  return (
    <Stack gap="sm">
      {data.map(({ key, enabled, reason }) => (
        <Switch
          key={key}
          label={moduleNames[key]}
          description={reason === 'plan' ? t('Not in your plan') : undefined}
          checked={enabled}
          disabled={reason === 'plan' || toggle.isPending}
          onChange={(event) => toggle.mutate({ key, enabled: event.currentTarget.checked })}
        />
      ))}
      <RefusalAlert error={toggle.error} />
    </Stack>
  )
}
