import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { settings } from '../../base/api.ts'
import { addCurrency, currencyChoices, knownCurrenciesQuery } from '../../base/currencies.ts'
import { languageChoices } from '../../base/language.ts'
import { timeZones } from '../../base/time-zones.ts'
import { textIn } from '../../base/form-text.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { Page, Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { t } from '../../base/texts.ts'

const workspaceQuery = queryOptions({
  queryKey: ['workspace'],
  queryFn: async ({ signal }) => (await settings.workspace.get({ signal })).data,
})

type Workspace = Awaited<ReturnType<typeof settings.workspace.get>>['data']

/** The first page of a new workspace: its name, language, zone and currency. */
export function WelcomePage() {
  const { data, error, refetch } = useQuery(workspaceQuery)
  return (
    <Page title={t('home.welcome')} note={t('home.setUpYourWorkspaceYou')} narrow>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && (
        <Panel>
          {data === undefined ? <LoadingLines label={t('home.loadingTheWorkspace')} /> : <Setup workspace={data} />}
        </Panel>
      )}
    </Page>
  )
}

function Setup({ workspace }: { readonly workspace: Workspace }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { data: known = [] } = useQuery(knownCurrenciesQuery)
  const save = useMutation({
    mutationFn: async (body: { name: string; locale: string; timezone: string; currency: string }) => {
      if (body.currency !== workspace.currency) await addCurrency(body.currency)
      return settings.workspace.update({ body })
    },
    onSuccess: async ({ data }) => {
      client.setQueryData(workspaceQuery.queryKey, data)
      await client.invalidateQueries({ queryKey: ['session'] })
      await navigate({ to: '/' })
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => textIn(form, name).trim()
    if (save.isPending) return
    save.mutate({
      name: text('name'),
      locale: text('locale'),
      timezone: text('timezone'),
      currency: text('currency'),
    })
  }
  const errors = fieldErrors(save.error)
  const pick = { searchable: true, allowDeselect: false, nothingFoundMessage: t('common.nothingFound') }
  return (
    <form onSubmit={submit} aria-label={t('home.welcome')}>
      <Stack>
        <TextInput
          label={t('home.workspaceName')}
          name="name"
          required
          maxLength={200}
          defaultValue={workspace.name}
          error={errors['name']}
        />
        <Select
          label={t('home.language')}
          name="locale"
          {...pick}
          defaultValue={workspace.locale}
          error={errors['locale']}
          data={languageChoices(workspace.locale)}
        />
        <Select
          label={t('common.timeZone')}
          name="timezone"
          {...pick}
          defaultValue={workspace.timezone}
          error={errors['timezone']}
          data={timeZones(workspace.timezone)}
        />
        <Select
          label={t('common.currency')}
          name="currency"
          {...pick}
          defaultValue={workspace.currency}
          error={errors['currency']}
          data={currencyChoices(known, workspace.currency)}
        />
        {!isRefusedWith(save.error, 'VALIDATION_ERROR') && <RefusalAlert error={save.error} />}
        <Group>
          <Button type="submit" loading={save.isPending}>
            {t('home.continue')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
