import { Button, Group, NativeSelect, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core'
import { weekStarts } from '@crm/contract'
import { storageQuota } from '@crm/permissions'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { settings } from '../../base/api.ts'
import { describeSize } from '../../base/file-size.ts'
import { textIn } from '../../base/form-text.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { Facts } from '../../shell/facts.tsx'
import { notify } from '../../shell/notices.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { timeZones } from './time-zones.ts'

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
    <Page title="General" narrow>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && (
        <Panel title="General">
          {data === undefined ? (
            <LoadingLines label="Loading the workspace" />
          ) : (
            <WorkspaceForm key={data.updatedAt} workspace={data} />
          )}
        </Panel>
      )}
      <Panel title="Modules" note="A module that is off answers nothing, in the console and in the API.">
        <Modules />
      </Panel>
      <Panel title="Use of the plan">
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
      notify('Saved')
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
    <form onSubmit={submit} aria-label="General">
      <Stack>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label="Name" {...field('name')} required withAsterisk={false} />
          <TextInput label="Language" {...field('locale')} placeholder="en" required withAsterisk={false} />
          <NativeSelect label="Time zone" {...field('timezone')} data={timeZones(workspace.timezone)} />
          <NativeSelect
            label="Weeks begin on"
            {...field('weekStart')}
            data={weekStarts.map((day) => ({ value: day, label: `${day.charAt(0)}${day.slice(1).toLowerCase()}` }))}
          />
          <TextInput label="Currency" {...field('currency')} maxLength={3} required withAsterisk={false} />
          <NativeSelect
            label="Time"
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
          label="Merge exact duplicates"
          description="A new lead with a known e-mail, phone or messenger completes the lead that is there already."
        />
        {!isRefusedWith(save.error, 'VALIDATION_ERROR') && <RefusalAlert error={save.error} />}
        <Group>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const moduleNames = {
  SALES: 'Sales: leads, contacts, companies, deals, booking',
  PROJECTS: 'Projects and tasks',
  CATALOG: 'Catalogue: products and price lists',
  FINANCE: 'Finance: quotes, orders, invoices',
  FILES: 'Files and documents',
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
      <LoadingLines label="Loading the modules" />
    ) : (
      <RefusalAlert error={error} retry={() => void refetch()} />
    )
  return (
    <Stack gap="sm">
      {data.map(({ key, enabled, reason }) => (
        <Switch
          key={key}
          label={moduleNames[key]}
          description={reason === 'plan' ? 'Not part of the plan' : undefined}
          checked={enabled}
          disabled={reason === 'plan' || toggle.isPending}
          onChange={(event) => toggle.mutate({ key, enabled: event.currentTarget.checked })}
        />
      ))}
      <RefusalAlert error={toggle.error} />
    </Stack>
  )
}

function Usage() {
  const { data, error, refetch } = useQuery(usageQuery)
  if (data === undefined)
    return error === null ? (
      <LoadingLines lines={2} label="Loading the use of the plan" />
    ) : (
      <RefusalAlert error={error} retry={() => void refetch()} />
    )
  const words = (quota: string, count: number): string =>
    quota === storageQuota ? describeSize(count) : count.toLocaleString('en')
  return (
    <Facts
      facts={data.map(({ quota, used, limit }) => [
        quota.charAt(0).toUpperCase() + quota.slice(1),
        limit === null ? `${words(quota, used)}, without a limit` : `${words(quota, used)} of ${words(quota, limit)}`,
      ])}
    />
  )
}
