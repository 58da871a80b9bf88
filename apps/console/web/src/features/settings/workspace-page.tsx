import { Button, Group, NativeSelect, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core'
import { weekStarts } from '@crm/contract'
import { quotaEntities, storageQuota } from '@crm/permissions'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { settings } from '../../base/api.ts'
import { describeSize } from '../../base/file-size.ts'
import { textIn } from '../../base/form-text.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { pluralOfKnown } from '../../records/kind-words.ts'
import { Facts } from '../../shell/facts.tsx'
import { notify } from '../../shell/notices.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { timeZones } from '../../base/time-zones.ts'
import { capitalized, inDigits } from '../../base/texts.ts'
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
const usageQuery = queryOptions({
  queryKey: ['usage'],
  queryFn: async ({ signal }) => (await settings.usage.get({ signal })).data,
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
      <Panel title={t('settings.usage')}>
        <Usage />
      </Panel>
    </Page>
  )
}

function WorkspaceForm({ workspace }: { readonly workspace: Workspace }) {
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: (body: NonNullable<Parameters<typeof settings.workspace.update>[0]>['body']) =>
      settings.workspace.update({ body }),
    onSuccess: ({ data }) => {
      client.setQueryData(workspaceQuery.queryKey, data)
      notify(t('common.saved'))
      return client.invalidateQueries({ queryKey: ['session'] })
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => textIn(form, name).trim()
    save.mutate({
      name: text('name'),
      locale: text('locale'),
      timezone: text('timezone'),
      weekStart: weekStarts.find((day) => day === text('weekStart')),
      currency: text('currency').toUpperCase(),
      timeFormat: text('timeFormat') === '12h' ? '12h' : '24h',
      mergeExactDuplicates: form.get('mergeExactDuplicates') !== null,
    })
  }
  const errors = fieldErrors(save.error)
  const field = (name: 'name' | 'locale' | 'timezone' | 'weekStart' | 'currency' | 'timeFormat') => ({
    name,
    defaultValue: workspace[name],
    error: errors[name],
  })
  return (
    <form onSubmit={submit} aria-label={t('settings.general')}>
      <Stack>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label={t('common.name')} {...field('name')} required withAsterisk={false} />
          <TextInput
            label={t('settings.language')}
            {...field('locale')}
            placeholder={t('settings.en')}
            required
            withAsterisk={false}
          />
          <NativeSelect label={t('common.timeZone')} {...field('timezone')} data={timeZones(workspace.timezone)} />
          <NativeSelect
            label={t('settings.weeksBeginOn')}
            {...field('weekStart')}
            data={weekStarts.map((day) => ({ value: day, label: `${day.charAt(0)}${day.slice(1).toLowerCase()}` }))}
          />
          <TextInput label={t('common.currency')} {...field('currency')} maxLength={3} required withAsterisk={false} />
          <NativeSelect
            label={t('settings.time')}
            {...field('timeFormat')}
            data={[
              { value: '24h', label: '14:30' },
              { value: '12h', label: '2:30 pm' },
            ]}
          />
        </SimpleGrid>
        <Switch
          name="mergeExactDuplicates"
          defaultChecked={workspace.mergeExactDuplicates}
          label={t('settings.mergeExactDuplicates')}
          description={t('settings.aNewLeadWithA')}
        />
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

function quotaName(quota: string): string {
  const entity = Object.entries(quotaEntities).find(([name]) => name === quota)?.[1]
  return (entity && pluralOfKnown(entity)) ?? (quota === storageQuota ? t('settings.storage') : capitalized(quota))
}

function Usage() {
  const { data, error, refetch } = useQuery(usageQuery)
  if (data === undefined)
    return error === null ? (
      <LoadingLines lines={2} label={t('settings.loadingTheUseOfThe')} />
    ) : (
      <RefusalAlert error={error} retry={() => void refetch()} />
    )
  const words = (quota: string, count: number): string =>
    quota === storageQuota ? describeSize(count) : inDigits(count)
  return (
    <Facts
      facts={data.map(({ quota, used, limit }) => [
        quotaName(quota),
        limit === null
          ? t('settings.quotaWithoutALimit', { quota: words(quota, used) })
          : t('settings.quotaOfQuota2', { quota: words(quota, used), quota2: words(quota, limit) }),
      ])}
    />
  )
}
