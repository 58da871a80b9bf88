import { Button, Code, Group, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { settings } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { describeDay } from '../../base/moments.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { t } from '../../base/texts.ts'
import { RecordTable, RowButton, RowNote, RowTitle } from '../../records/record-table.tsx'
import { Age } from '../../shell/age.tsx'
import { CopyButton } from '../../shell/copy-button.tsx'
import { notify } from '../../shell/notices.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { feedQuery, subscriptionsQuery, type Subscription } from '../../domain/calendar/agenda-queries.ts'
import classes from './calendar.module.css'

/** The exchange of the person's own calendar with other programs. */
export function ConnectedCalendarsPage() {
  return (
    <Page title={t('Calendars')} narrow>
      <Panel
        title={t('Connected calendars')}
        note={t('Events in these calendars block your booking times. Updated every 15 minutes.')}
      >
        <Subscriptions />
      </Panel>
      <Panel
        title={t('Calendar feed')}
        note={t('Add this private link to Google Calendar, Outlook or Apple Calendar.')}
      >
        <Feed />
      </Panel>
    </Page>
  )
}

const tones = { WAITING: 'neutral', READ: 'green', FAILING: 'amber' } as const
const stateNames = {
  WAITING: t('Syncing'),
  READ: t('Synced'),
  FAILING: t('Sync failed'),
} as const

function Subscriptions() {
  const { data, error, refetch } = useQuery(subscriptionsQuery)
  if (data === undefined)
    return error === null ? (
      <LoadingLines lines={2} label={t('Loading calendars')} />
    ) : (
      <RefusalAlert error={error} retry={() => void refetch()} />
    )
  return (
    <Stack>
      {data.length > 0 && (
        <RecordTable
          label={t('Connected calendars')}
          rows={data}
          columns={[
            {
              label: t('Calendar'),
              cell: ({ name, url }) => <RowTitle note={new URL(url).hostname}>{name}</RowTitle>,
            },
            {
              label: t('Last synced'),
              isExtra: true,
              cell: ({ fetchedAt, state, eventCount }) => (
                <>
                  {fetchedAt === null ? t('Never') : <Age at={fetchedAt} />}
                  {state === 'READ' && <RowNote>{t('{eventCount} events', { eventCount })}</RowNote>}
                </>
              ),
            },
            {
              label: t('Status'),
              cell: ({ state, problem }) => (
                <>
                  <Pill tone={tones[state]}>{stateNames[state]}</Pill>
                  {problem !== null && <RowNote>{problem}</RowNote>}
                </>
              ),
            },
          ]}
          actions={(subscription) => <SubscriptionActions subscription={subscription} />}
        />
      )}
      <SubscribeForm />
    </Stack>
  )
}

function SubscriptionActions({ subscription: { id, name } }: { readonly subscription: Subscription }) {
  const client = useQueryClient()
  const refreshed = () =>
    Promise.all(
      [['calendar-subscriptions'], ['calendar-events']].map((queryKey) => client.invalidateQueries({ queryKey })),
    )
  const remove = useMutation({
    mutationFn: () => settings.calendarSubscriptions.delete({ params: { id } }),
    onSuccess: refreshed,
  })
  const refresh = useMutation({
    mutationFn: () => settings.calendarSubscriptions.refresh({ params: { id } }),
    onSuccess: () => (notify(t('Calendar connected. Events appear within a minute.')), refreshed()),
  })
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={t('Sync now: {name}', { name })}
        loading={refresh.isPending}
        onClick={() => refresh.mutate()}
      >
        {t('Sync now')}
      </Button>
      <RowButton
        verb={t('Remove')}
        name={name}
        isDestructive
        isBusy={remove.isPending}
        onClick={() => remove.mutate()}
      />
    </>
  )
}

function SubscribeForm() {
  const client = useQueryClient()
  const subscribe = useMutation({
    mutationFn: ({ name, url }: { name: string; url: string; form: HTMLFormElement }) =>
      settings.calendarSubscriptions.create({ body: { name, url } }),
    onSuccess: (_reply, { form }) => {
      form.reset()
      notify(t('Calendar connected. Events appear within a minute.'))
      return client.invalidateQueries({ queryKey: subscriptionsQuery.queryKey })
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const filled = new FormData(form)
    subscribe.mutate({ name: textIn(filled, 'name'), url: textIn(filled, 'url'), form })
  }
  const errors = fieldErrors(subscribe.error)
  return (
    <form onSubmit={submit} aria-label={t('Connect a calendar')}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          name="name"
          label={t('Calendar name')}
          maxLength={200}
          required
          withAsterisk={false}
          error={errors['name']}
        />
        <TextInput
          name="url"
          label={t('Calendar link (iCal)')}
          placeholder="https://…/basic.ics"
          maxLength={2048}
          required
          withAsterisk={false}
          error={errors['url']}
        />
      </SimpleGrid>
      {!isRefusedWith(subscribe.error, 'VALIDATION_ERROR') && <RefusalAlert error={subscribe.error} />}
      <Button type="submit" variant="default" mt="sm" loading={subscribe.isPending}>
        {t('Connect')}
      </Button>
    </form>
  )
}

function Feed() {
  const { data, error, refetch } = useQuery(feedQuery)
  const client = useQueryClient()
  const [url, setUrl] = useState<string | null>(null)
  const changed = () => client.invalidateQueries({ queryKey: feedQuery.queryKey })
  const create = useMutation({
    mutationFn: () => settings.calendarFeed.create(),
    onSuccess: ({ data: made }) => (setUrl(made.url), changed()),
  })
  const remove = useMutation({
    mutationFn: () => settings.calendarFeed.delete(),
    onSuccess: () => (setUrl(null), changed()),
  })
  if (data === undefined)
    return error === null ? (
      <LoadingLines lines={1} label={t('Loading link')} />
    ) : (
      <RefusalAlert error={error} retry={() => void refetch()} />
    )
  return (
    <Stack gap="sm">
      {url !== null && (
        <div role="status">
          <div>{t('Copy it now; it is shown only once. Anyone with this link can see your calendar.')}</div>
          <Code block className={classes.code} aria-label={t('Calendar feed link')}>
            {url}
          </Code>
        </div>
      )}
      {url === null && data.createdAt !== null && (
        <div>{t('Link created {createdAt}.', { createdAt: describeDay(data.createdAt) })}</div>
      )}
      <RefusalAlert error={create.error ?? remove.error} />
      <Group>
        {url !== null && <CopyButton text={url} label={t('Copy link')} />}
        <Button variant="default" loading={create.isPending} onClick={() => create.mutate()}>
          {data.createdAt === null ? t('Create link') : t('Replace link')}
        </Button>
        {data.createdAt !== null && (
          <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
            {t('Remove link')}
          </Button>
        )}
      </Group>
    </Stack>
  )
}
