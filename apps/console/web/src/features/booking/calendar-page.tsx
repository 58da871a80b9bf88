import { Button, Checkbox, Code, Group, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { settings } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { describeDay, describeInstant } from '../../base/moments.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { RecordTable, RowButton, RowNote, RowTitle } from '../../records/record-table.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { Age } from '../../shell/age.tsx'
import { useChange } from '../../shell/changes.ts'
import { CopyButton } from '../../shell/copy-button.tsx'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { Icon } from '../../shell/icons.tsx'
import { notify } from '../../shell/notices.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { eventsQuery, feedQuery, subscriptionsQuery, type CalendarEvent, type Subscription } from './booking-queries.ts'
import classes from './booking.module.css'

/** The person's own calendar: the times at which guests cannot book, and its exchange with other programs. */
export function CalendarPage() {
  return (
    <Page title="Calendar" note="Guests can only book times when you are free.">
      <Events />
      <Panel
        title="Calendars of elsewhere"
        note="Their events keep you busy here, too. They are read every 15 minutes."
      >
        <Subscriptions />
      </Panel>
      <Panel title="Your calendar in other programs" note="A secret address that a calendar program can subscribe to.">
        <Feed />
      </Panel>
    </Page>
  )
}

function Events() {
  const [page, setPage] = useState(1)
  const [isAdding, setAdding] = useState(false)
  const events = useQuery(eventsQuery(page))
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: (id: string) => settings.calendarEvents.delete({ params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['calendar-events'] }),
  })
  return (
    <>
      <RefusalAlert error={remove.error} />
      <TablePanel
        title="What is to come"
        add={
          <Button size="xs" leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)}>
            New event
          </Button>
        }
        label="Events"
        reading={events}
        page={page}
        onPage={setPage}
        empty={<EmptyState title="Nothing is to come" />}
        columns={[
          { label: 'Event', cell: ({ title }) => <RowTitle>{title}</RowTitle> },
          { label: 'When', cell: describeTimes },
          {
            label: 'You are',
            isExtra: true,
            cell: ({ busy }) => <Pill tone={busy ? 'amber' : 'green'}>{busy ? 'Busy' : 'Free'}</Pill>,
          },
        ]}
        actions={({ id, title, bookingId, subscriptionId }) =>
          bookingId === null &&
          subscriptionId === null && (
            <RowButton
              verb="Delete"
              name={title}
              isDestructive
              isBusy={remove.isPending && remove.variables === id}
              onClick={() => remove.mutate(id)}
            />
          )
        }
      />
      {isAdding && <EventDialog onClose={() => setAdding(false)} />}
    </>
  )
}

function describeTimes({ allDay, startDate, endDate, startAt, endAt }: CalendarEvent): string {
  if (!allDay || startDate === null || endDate === null)
    return `${describeInstant(startAt)} – ${describeInstant(endAt)}`
  const [first, last] = [startDate, endDate].map((date) => describeDay(`${date}T12:00:00Z`, 'UTC'))
  return first === last ? `${first}` : `${first} – ${last}`
}

function EventDialog({ onClose }: { onClose(): void }) {
  const [allDay, setAllDay] = useState(false)
  const create = useChange(
    (form: FormData) => {
      const [start, end] = [textIn(form, 'start'), textIn(form, 'end')]
      const times = allDay
        ? { allDay, startDate: start, endDate: end }
        : { startAt: new Date(start).toISOString(), endAt: new Date(end).toISOString() }
      return settings.calendarEvents.create({
        body: { title: textIn(form, 'title'), busy: form.get('free') === null, ...times },
      })
    },
    { said: 'The event was created', stale: ['calendar-events'], onDone: onClose },
  )
  const errors = fieldErrors(create.error)
  const type = allDay ? 'date' : 'datetime-local'
  return (
    <FormDialog
      opened
      title="New event"
      submit="Create event"
      isBusy={create.isPending}
      error={create.error}
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <TextInput name="title" label="Title" maxLength={200} required withAsterisk={false} error={errors['title']} />
      <Checkbox label="Whole days" checked={allDay} onChange={(event) => setAllDay(event.currentTarget.checked)} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          key={`start ${type}`}
          type={type}
          name="start"
          label={allDay ? 'First day' : 'Start'}
          required
          withAsterisk={false}
          error={errors['startAt'] ?? errors['startDate']}
        />
        <TextInput
          key={`end ${type}`}
          type={type}
          name="end"
          label={allDay ? 'Last day' : 'End'}
          required
          withAsterisk={false}
          error={errors['endAt'] ?? errors['endDate']}
        />
      </SimpleGrid>
      <Checkbox name="free" label="Guests can book meetings all the same" />
    </FormDialog>
  )
}

const tones = { WAITING: 'neutral', READ: 'green', FAILING: 'amber' } as const
const stateNames = { WAITING: 'Being read', READ: 'Read', FAILING: 'Failing' } as const

function Subscriptions() {
  const { data, error, refetch } = useQuery(subscriptionsQuery)
  if (data === undefined)
    return error === null ? (
      <LoadingLines lines={2} label="Loading the calendars" />
    ) : (
      <RefusalAlert error={error} retry={() => void refetch()} />
    )
  return (
    <Stack>
      {data.length > 0 && (
        <RecordTable
          label="Calendars of elsewhere"
          rows={data}
          columns={[
            { label: 'Calendar', cell: ({ name, url }) => <RowTitle note={new URL(url).hostname}>{name}</RowTitle> },
            {
              label: 'Last read',
              isExtra: true,
              cell: ({ fetchedAt, state, eventCount }) => (
                <>
                  {fetchedAt === null ? 'Never' : <Age at={fetchedAt} />}
                  {state === 'READ' && <RowNote>{`${eventCount} events`}</RowNote>}
                </>
              ),
            },
            {
              label: 'State',
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
    onSuccess: () => (notify('The calendar is read within a minute'), refreshed()),
  })
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={`Read now: ${name}`}
        loading={refresh.isPending}
        onClick={() => refresh.mutate()}
      >
        Read now
      </Button>
      <RowButton verb="Remove" name={name} isDestructive isBusy={remove.isPending} onClick={() => remove.mutate()} />
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
      notify('The calendar is read within a minute')
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
    <form onSubmit={submit} aria-label="Subscribe to a calendar">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          name="name"
          label="Name of the calendar"
          maxLength={200}
          required
          withAsterisk={false}
          error={errors['name']}
        />
        <TextInput
          name="url"
          label="iCal address"
          placeholder="https://…/basic.ics"
          maxLength={2048}
          required
          withAsterisk={false}
          error={errors['url']}
        />
      </SimpleGrid>
      {!isRefusedWith(subscribe.error, 'VALIDATION_ERROR') && <RefusalAlert error={subscribe.error} />}
      <Button type="submit" variant="default" mt="sm" loading={subscribe.isPending}>
        Subscribe
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
      <LoadingLines lines={1} label="Loading the address" />
    ) : (
      <RefusalAlert error={error} retry={() => void refetch()} />
    )
  return (
    <Stack gap="sm">
      {url !== null && (
        <div role="status">
          <div>Copy it now: it is shown only this once. Whoever knows it can read your calendar.</div>
          <Code block className={classes.code} aria-label="Address of your calendar">
            {url}
          </Code>
        </div>
      )}
      {url === null && data.createdAt !== null && (
        <div>{`There is an address since ${describeDay(data.createdAt)}.`}</div>
      )}
      <RefusalAlert error={create.error ?? remove.error} />
      <Group>
        {url !== null && <CopyButton text={url} label="Copy the address" />}
        <Button variant="default" loading={create.isPending} onClick={() => create.mutate()}>
          {data.createdAt === null ? 'Make an address' : 'Make another address'}
        </Button>
        {data.createdAt !== null && (
          <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
            Take it back
          </Button>
        )}
      </Group>
    </Stack>
  )
}
