import { ActionIcon, Button, Group, SegmentedControl } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { dayAfter, instantOf, today } from '../../base/moments.ts'
import { useSession } from '../../base/session.ts'
import { t } from '../../base/texts.ts'
import { usePageCommand } from '../../records/page-commands.ts'
import { Icon } from '../../shell/icons.tsx'
import { notifyRefusal } from '../../shell/notices.tsx'
import { notifyUndoable } from '../../shell/undo.ts'
import { usePhone } from '../../shell/use-phone.ts'
import { Page, Panel } from '../../shell/page.tsx'
import { later } from '../../shell/later.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { agendaQuery } from '../../domain/calendar/agenda-queries.ts'
import { calendarViews, type CalendarView } from './calendar-search.ts'
import classes from './calendar.module.css'
import { entriesOf, type Entry, type EntryKind } from '../../domain/calendar/entries.ts'
import { EntryDialog } from './entry-dialog.tsx'
import { EventDialog, timesOf, wireTimes, type EventTimes } from './event-dialog.tsx'

const Agenda = later(
  async () => (await import('./agenda.tsx')).Agenda,
  () => <LoadingLines lines={12} label={t('Loading calendar')} />,
)

const route = getRouteApi('/console/calendar')

const viewNames: Readonly<Record<CalendarView, string>> = {
  month: t('Month'),
  week: t('Week'),
  day: t('Day'),
  list: t('List'),
}
const steps: Readonly<Record<CalendarView, number>> = { month: 0, week: 7, day: 1, list: 7 }
const kinds: readonly EntryKind[] = ['event', 'free', 'meeting', 'connected', 'activity', 'task']

const kindNames: Readonly<Record<EntryKind, string>> = {
  event: t('Event'),
  free: t('Event, free'),
  connected: t('Connected calendar'),
  meeting: t('Meeting'),
  activity: t('Planned activity'),
  task: t('Task'),
}

type Opened = { readonly entry: Entry } | { readonly times: EventTimes | undefined } | null

/** The person's own time: events, meetings that guests have booked, connected calendars, planned activities and due tasks. */
export function CalendarPage() {
  const { person, may } = useSession()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { history } = useRouter()
  const isPhone = usePhone()
  const view = search.view ?? (isPhone ? 'list' : 'week')
  const date = search.date ?? today()
  const [span, setSpan] = useState<{ readonly from: string; readonly to: string; readonly title: string } | null>(null)
  const [opened, setOpened] = useState<Opened>(null)
  const { data, error, refetch } = useQuery({
    ...agendaQuery({
      // An event of the first moment may have begun the day before.
      from: instantOf(span?.from ?? date),
      to: instantOf(span?.to ?? dayAfter(date, 1)),
      personId: person.id,
      may,
    }),
    enabled: span !== null,
  })
  const move = useMove()
  const go = (next: Partial<typeof search>) => void navigate({ search: { ...search, ...next } })
  const shift = (by: -1 | 1) =>
    go({ date: view === 'month' ? monthAround(date, by) : dayAfter(date, by * steps[view]) })
  const create = () => setOpened({ times: undefined })
  usePageCommand('create', create)
  const entries = data ? entriesOf(data) : []
  const { timeFormat, workspace } = person
  return (
    <Page
      title={t('Calendar')}
      note={t('Guests can only book times when you are free.')}
      wide
      actions={
        <>
          <Button variant="default" renderRoot={(props: object) => <Link to="/settings/calendars" {...props} />}>
            {t('Connected calendars')}
          </Button>
          <Button leftSection={<Icon name="plus" size={16} />} aria-keyshortcuts="c" onClick={create}>
            {t('New event')}
          </Button>
        </>
      }
    >
      <Toolbar title={span?.title} view={view} onChange={go} onShift={shift} />
      <RefusalAlert error={error} retry={() => void refetch()} />
      {data?.isCut && <p className={classes.cut}>{t('There is more than the calendar can show.')}</p>}
      <Panel flush>
        <Agenda
          view={view}
          date={date}
          entries={entries}
          weekStart={workspace.weekStart}
          is12h={(timeFormat ?? workspace.timeFormat) === '12h'}
          onSpan={(next) => setSpan((now) => (now?.from === next.from && now.to === next.to ? now : next))}
          onOpen={(entry) => (entry.path === undefined ? setOpened({ entry }) : history.push(entry.path))}
          onCreate={(times) => setOpened({ times })}
          onMove={(entry, times, revert) => move.mutate({ entry, times, revert })}
        />
      </Panel>
      <Legend entries={entries} />
      {opened && 'entry' in opened && <EntryDialog entry={opened.entry} onClose={() => setOpened(null)} />}
      {opened && 'times' in opened && (
        <EventDialog {...(opened.times ? { times: opened.times } : {})} onClose={() => setOpened(null)} />
      )}
    </Page>
  )
}

interface ToolbarProps {
  /** The span that is shown, in words. */
  readonly title: string | undefined
  readonly view: CalendarView
  onChange(next: { readonly view?: CalendarView; readonly date?: string | undefined }): void
  onShift(by: -1 | 1): void
}

/** Goes to other days, and to another view. */
function Toolbar({ title, view, onChange, onShift }: ToolbarProps) {
  return (
    <div className={classes.toolbar}>
      <Group gap="xs">
        <Button variant="default" size="xs" onClick={() => onChange({ date: undefined })}>
          {t('Today')}
        </Button>
        <ActionIcon aria-label={t('Previous')} onClick={() => onShift(-1)}>
          <Icon name="left" size={16} />
        </ActionIcon>
        <ActionIcon aria-label={t('Next')} onClick={() => onShift(1)}>
          <Icon name="right" size={16} />
        </ActionIcon>
        <h2 className={classes.span} aria-live="polite">
          {title}
        </h2>
      </Group>
      <SegmentedControl
        aria-label={t('View')}
        size="xs"
        data={calendarViews.map((value) => ({ value, label: viewNames[value] }))}
        value={view}
        onChange={(next) => onChange({ view: next })}
      />
    </div>
  )
}

/** The colours of the kinds of entries that are shown. */
function Legend({ entries }: { readonly entries: readonly Entry[] }) {
  const shown = kinds.filter((kind) => entries.some((entry) => entry.kind === kind))
  if (shown.length === 0) return null
  return (
    <ul className={classes.legend} aria-label={t('Type')}>
      {shown.map((kind) => (
        <li key={kind}>
          <span className={`${classes.swatch} ${classes[kind]}`} aria-hidden="true" />
          {kindNames[kind]}
        </li>
      ))}
    </ul>
  )
}

/** Moves an event of the person; a refusal takes it back. */
function useMove() {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: ['calendar-events'] })
  const change = (id: string, times: EventTimes) =>
    settings.calendarEvents.update({ params: { id }, body: wireTimes(times) })
  return useMutation({
    mutationFn: ({ entry, times }: { readonly entry: Entry; readonly times: EventTimes; revert(): void }) =>
      change(entry.id, times),
    onSuccess: (_answer, { entry: { id, event } }) => {
      if (event) notifyUndoable(t('Event moved'), async () => (await change(id, timesOf(event)), refresh()))
      return refresh()
    },
    onError: (error, { revert }) => {
      revert()
      notifyRefusal(error)
    },
  })
}

/** Returns the first day of the month before or after the month of a day. */
function monthAround(day: string, by: -1 | 1): string {
  const [year = 0, month = 1] = day.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 + by, 1)).toISOString().slice(0, 10)
}
