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
    <Page title={t('settings.general')} narrow>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && (
        <Panel title={t('settings.general')}>
          {data === undefined ? (
            <LoadingLines label={t('settings.loadingTheWorkspace')} />
          ) : (
            <WorkspaceForm key={data.updatedAt} workspace={data} />
          )}
        </Panel>
      )}
      <Panel title={t('settings.modules')} note={t('settings.turnedOffModulesAreHidden')}>
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
      notify(t('common.saved'))
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
    <form onSubmit={submit} aria-label={t('settings.general')}>
      <Stack>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          {field('name', { label: t('common.name') })}
          {field('locale', {
            label: t('settings.language'),
            choices: languageChoices(workspace.locale),
            isSearched: true,
          })}
          {field('timezone', {
            label: t('common.timeZone'),
            choices: timeZones(workspace.timezone),
            isSearched: true,
          })}
          {field('weekStart', {
            label: t('settings.weeksBeginOn'),
            choices: weekStarts.map((day) => ({ value: day, label: weekdayNames(day, 'long')[0] ?? day })),
          })}
          {field('currency', {
            label: t('common.currency'),
            choices: currencyChoices(known, workspace.currency),
            isSearched: true,
          })}
          {field('timeFormat', { label: t('settings.time'), choices: timeFormats })}
        </SimpleGrid>
        {field('mergeExactDuplicates', {
          label: t('settings.mergeExactDuplicates'),
          description: t('settings.aNewLeadWithA'),
        })}
        {!isRefusedWith(save.error, 'VALIDATION_ERROR') && <RefusalAlert error={save.error} />}
        <Group>
          <Button type="submit" loading={save.isPending}>
            {t('common.save')}
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
  SALES: t('settings.salesLeadsContactsCompaniesDeals'),
  PROJECTS: t('settings.projectsAndTasks'),
  CATALOG: t('settings.catalogueProductsAndPriceLists'),
  FINANCE: t('settings.financeQuotesOrdersInvoices'),
  FILES: t('settings.filesAndDocuments'),
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
      <LoadingLines label={t('settings.loadingTheModules')} />
    ) : (
      <RefusalAlert error={error} retry={() => void refetch()} />
    )
  return (
    <Stack gap="sm">
      {data.map(({ key, enabled, reason }) => (
        <Switch
          key={key}
          label={moduleNames[key]}
          description={reason === 'plan' ? t('settings.notInYourPlan') : undefined}
          checked={enabled}
          disabled={reason === 'plan' || toggle.isPending}
          onChange={(event) => toggle.mutate({ key, enabled: event.currentTarget.checked })}
        />
      ))}
      <RefusalAlert error={toggle.error} />
    </Stack>
  )
}
