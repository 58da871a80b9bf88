import { Button, Group, PasswordInput, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { settings } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { describeInstant } from '../../base/moments.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { Facts } from '../../shell/facts.tsx'
import { notify } from '../../shell/notices.tsx'
import { Panel } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { t } from './texts.ts'

type Stream = Awaited<ReturnType<typeof settings.auditStreams.get>>['data']

const streamQuery = queryOptions({
  queryKey: ['audit-stream'],
  queryFn: async ({ signal }) => (await settings.auditStreams.get({ signal })).data,
  refetchInterval: ({ state }) => (state.data?.isActive ? 5_000 : false),
})

/** Where the audit log is sent besides, and how that goes. */
export function AuditStreamPanel() {
  const { data, error, refetch } = useQuery(streamQuery)
  return (
    <Panel
      title={t('Send the log to a program')}
      note={t('Each entry is sent in its order, to a log archive or a security tool for example.')}
    >
      <RefusalAlert error={error} retry={() => void refetch()} />
      {data === undefined && error === null && <LoadingLines lines={3} label={t('Loading where the log is sent')} />}
      {data !== undefined && (
        <Stack>
          {data.url !== null && <StreamState stream={data} />}
          <StreamForm stream={data} />
        </Stack>
      )}
    </Panel>
  )
}

function StreamState({ stream: { isActive, problem, nextAt, sentSeq } }: { readonly stream: Stream }) {
  const hasFailed = isActive && problem !== null
  return (
    <Facts
      facts={[
        [t('Status'), <StatePill key="state" isActive={isActive} hasFailed={hasFailed} />],
        [t('Newest entry sent'), sentSeq === 0 ? t('None yet') : t('Number {sentSeq, number}', { sentSeq })],
        ...(problem === null ? [] : [[t('Last problem'), problem] as const]),
        ...(hasFailed && nextAt !== null ? [[t('Next try'), describeInstant(nextAt)] as const] : []),
      ]}
    />
  )
}

function StatePill({ isActive, hasFailed }: { readonly isActive: boolean; readonly hasFailed: boolean }) {
  if (!isActive) return <Pill tone="neutral">{t('Off')}</Pill>
  return hasFailed ? <Pill tone="amber">{t('Not taken')}</Pill> : <Pill tone="green">{t('On')}</Pill>
}

function StreamForm({ stream }: { readonly stream: Stream }) {
  const client = useQueryClient()
  const [saves, setSaves] = useState(0)
  const save = useMutation({
    mutationFn: ({ url, headerName, headerValue, isActive }: ReturnType<typeof filledIn>) =>
      settings.auditStreams.update({
        body: {
          url,
          headerName,
          isActive,
          // An empty value leaves the stored one as it is; without a header there is none to keep.
          ...(headerName === '' ? { headerValue: null } : headerValue === '' ? {} : { headerValue }),
        },
      }),
    onSuccess: ({ data }) => {
      client.setQueryData(streamQuery.queryKey, data)
      setSaves((number) => number + 1)
      notify(t('Saved'))
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save.mutate(filledIn(new FormData(event.currentTarget)))
  }
  const errors = fieldErrors(save.error)
  return (
    // After a change the form starts afresh from what is stored, without the typed value.
    <form onSubmit={submit} aria-label={t('Send the log to a program')} key={saves}>
      <Stack>
        <TextInput
          name="url"
          type="url"
          label={t('Address')}
          placeholder={t('https://')}
          defaultValue={stream.url ?? ''}
          error={errors['url']}
          maxLength={2_048}
          required
          withAsterisk={false}
          autoComplete="off"
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            name="headerName"
            label={t('Header name')}
            description={t('Such as Authorization, if the program wants one')}
            defaultValue={stream.headerName ?? ''}
            error={errors['headerName']}
            maxLength={100}
            autoComplete="off"
          />
          <PasswordInput
            name="headerValue"
            label={t('Header value')}
            description={stream.hasHeaderValue ? t('Leave empty to keep') : t('It is never shown again')}
            error={errors['headerValue']}
            maxLength={4_000}
            autoComplete="off"
            visibilityToggleButtonProps={{ 'aria-label': t('Show the header value') }}
          />
        </SimpleGrid>
        <Switch
          name="isActive"
          value="yes"
          label={t('Send entries')}
          defaultChecked={stream.url === null || stream.isActive}
        />
        {!isRefusedWith(save.error, 'VALIDATION_ERROR') && <RefusalAlert error={save.error} />}
        <Group>
          <Button type="submit" variant="default" loading={save.isPending}>
            {t('Save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function filledIn(form: FormData) {
  return {
    url: textIn(form, 'url').trim(),
    headerName: textIn(form, 'headerName').trim(),
    headerValue: textIn(form, 'headerValue'),
    isActive: form.get('isActive') === 'yes',
  }
}
