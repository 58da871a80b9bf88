import { Button, Checkbox, Code, Group, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { settings } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { describeDay, describeInstant, foreignZone, instantOf } from '../../base/moments.ts'
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
import { notifyUndoable } from '../../shell/undo.ts'
import { eventsQuery, feedQuery, subscriptionsQuery, type CalendarEvent, type Subscription } from './booking-queries.ts'
import classes from './booking.module.css'
import { t } from '../../base/texts.ts'

/** The person's own calendar: the times at which guests cannot book, and its exchange with other programs. */
export function CalendarPage() {
  return (
    <Page title={t('common.calendar')} note={t('booking.guestsCanOnlyBookTimes')}>
      <Events />
      <Panel title={t('booking.connectedCalendars')} note={t('booking.eventsInTheseCalendarsBlock')}>
        <Subscriptions />
      </Panel>
      <Panel title={t('booking.calendarFeed')} note={t('booking.addThisPrivateLinkTo')}>
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
  const refresh = () => client.invalidateQueries({ queryKey: ['calendar-events'] })
  const remove = useMutation({
    mutationFn: ({ id }: CalendarEvent) => settings.calendarEvents.delete({ params: { id } }),
    onSuccess: (_answer, event) => {
      notifyUndoable(t('booking.eventDeleted'), async () => {
        await settings.calendarEvents.create({ body: bodyOfEvent(event) })
        await refresh()
      })
      return refresh()
    },
  })
  return (
    <>
      <RefusalAlert error={remove.error} />
      <TablePanel
        title={t('booking.upcoming')}
        add={
          <Button size="xs" leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)}>
            {t('booking.newEvent')}
          </Button>
        }
        label={t('booking.events')}
        reading={events}
        page={page}
        onPage={setPage}
        empty={<EmptyState title={t('booking.noUpcomingEvents')} />}
        columns={[
          { label: t('booking.event'), cell: ({ title }) => <RowTitle>{title}</RowTitle> },
          { label: t('common.when'), cell: describeTimes },
          {
            label: t('booking.availability'),
            isExtra: true,
            cell: ({ busy }) => (
              <Pill tone={busy ? 'amber' : 'green'}>{busy ? t('booking.busy') : t('booking.free')}</Pill>
            ),
          },
        ]}
        actions={(event) =>
          event.bookingId === null &&
          event.subscriptionId === null && (
            <RowButton
              verb={t('common.delete')}
              name={event.title}
              isDestructive
              isBusy={remove.isPending && remove.variables.id === event.id}
              onClick={() => remove.mutate(event)}
            />
          )
        }
      />
      {isAdding && <EventDialog onClose={() => setAdding(false)} />}
    </>
  )
}

/** Returns what an event is made of, to make the same one again. */
function bodyOfEvent({ title, busy, allDay, startDate, endDate, startAt, endAt }: CalendarEvent) {
  const isWhole = allDay && startDate !== null && endDate !== null
  return { title, busy, ...(isWhole ? { allDay, startDate, endDate } : { startAt, endAt }) }
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
        : { startAt: instantOf(start), endAt: instantOf(end) }
      return settings.calendarEvents.create({
        body: { title: textIn(form, 'title'), busy: form.get('free') === null, ...times },
      })
    },
    { said: t('booking.theEventWasCreated'), stale: ['calendar-events'], onDone: onClose },
  )
  const errors = fieldErrors(create.error)
  const type = allDay ? 'date' : 'datetime-local'
  return (
    <FormDialog
      opened
      title={t('booking.newEvent')}
      submit={t('booking.createEvent')}
      isBusy={create.isPending}
      error={create.error}
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <TextInput
        name="title"
        label={t('common.title')}
        maxLength={200}
        required
        withAsterisk={false}
        error={errors['title']}
      />
      <Checkbox
        label={t('booking.allDay')}
        checked={allDay}
        onChange={(event) => setAllDay(event.currentTarget.checked)}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          key={`start ${type}`}
          type={type}
          name="start"
          label={allDay ? t('booking.firstDay') : t('common.start')}
          description={allDay ? undefined : foreignZone()}
          required
          withAsterisk={false}
          error={errors['startAt'] ?? errors['startDate']}
        />
        <TextInput
          key={`end ${type}`}
          type={type}
          name="end"
          label={allDay ? t('booking.lastDay') : t('common.end')}
          description={allDay ? undefined : foreignZone()}
          required
          withAsterisk={false}
          error={errors['endAt'] ?? errors['endDate']}
        />
      </SimpleGrid>
      <Checkbox name="free" label={t('booking.showMeAsFree')} />
    </FormDialog>
  )
}

const tones = { WAITING: 'neutral', READ: 'green', FAILING: 'amber' } as const
const stateNames = { WAITING: t('booking.syncing'), READ: t('booking.read'), FAILING: t('booking.syncFailed') } as const

function Subscriptions() {
  const { data, error, refetch } = useQuery(subscriptionsQuery)
  if (data === undefined)
    return error === null ? (
      <LoadingLines lines={2} label={t('booking.loadingTheCalendars')} />
    ) : (
      <RefusalAlert error={error} retry={() => void refetch()} />
    )
  return (
    <Stack>
      {data.length > 0 && (
        <RecordTable
          label={t('booking.connectedCalendars')}
          rows={data}
          columns={[
            {
              label: t('common.calendar'),
              cell: ({ name, url }) => <RowTitle note={new URL(url).hostname}>{name}</RowTitle>,
            },
            {
              label: t('booking.lastSynced'),
              isExtra: true,
              cell: ({ fetchedAt, state, eventCount }) => (
                <>
                  {fetchedAt === null ? t('booking.never') : <Age at={fetchedAt} />}
                  {state === 'READ' && <RowNote>{t('booking.eventcountEvents', { eventCount })}</RowNote>}
                </>
              ),
            },
            {
              label: t('common.status'),
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
    onSuccess: () => (notify(t('booking.calendarConnectedEventsAppearWithin')), refreshed()),
  })
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={t('booking.syncNowName', { name })}
        loading={refresh.isPending}
        onClick={() => refresh.mutate()}
      >
        {t('booking.syncNow')}
      </Button>
      <RowButton
        verb={t('common.remove')}
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
      notify(t('booking.calendarConnectedEventsAppearWithin'))
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
    <form onSubmit={submit} aria-label={t('booking.connectACalendar')}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          name="name"
          label={t('booking.calendarName')}
          maxLength={200}
          required
          withAsterisk={false}
          error={errors['name']}
        />
        <TextInput
          name="url"
          label={t('booking.calendarLinkIcal')}
          placeholder="https://…/basic.ics"
          maxLength={2048}
          required
          withAsterisk={false}
          error={errors['url']}
        />
      </SimpleGrid>
      {!isRefusedWith(subscribe.error, 'VALIDATION_ERROR') && <RefusalAlert error={subscribe.error} />}
      <Button type="submit" variant="default" mt="sm" loading={subscribe.isPending}>
        {t('booking.connect')}
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
      <LoadingLines lines={1} label={t('booking.loadingTheAddress')} />
    ) : (
      <RefusalAlert error={error} retry={() => void refetch()} />
    )
  return (
    <Stack gap="sm">
      {url !== null && (
        <div role="status">
          <div>{t('booking.copyItNowItIs')}</div>
          <Code block className={classes.code} aria-label={t('booking.calendarFeedLink')}>
            {url}
          </Code>
        </div>
      )}
      {url === null && data.createdAt !== null && (
        <div>{t('booking.thereIsAnAddressSince', { createdAt: describeDay(data.createdAt) })}</div>
      )}
      <RefusalAlert error={create.error ?? remove.error} />
      <Group>
        {url !== null && <CopyButton text={url} label={t('common.copyLink')} />}
        <Button variant="default" loading={create.isPending} onClick={() => create.mutate()}>
          {data.createdAt === null ? t('booking.createLink') : t('booking.replaceLink')}
        </Button>
        {data.createdAt !== null && (
          <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
            {t('booking.removeLink')}
          </Button>
        )}
      </Group>
    </Stack>
  )
}
