import FullCalendar, { type CalendarRef, type EventChangeInfo, type EventInput } from '@fullcalendar/react'
import dayGrid from '@fullcalendar/react/daygrid'
import interaction from '@fullcalendar/react/interaction'
import listView from '@fullcalendar/react/list'
import '@fullcalendar/react/skeleton.css'
import classicTheme from '@fullcalendar/react/themes/classic'
import '@fullcalendar/react/themes/classic/palette.css'
import '@fullcalendar/react/themes/classic/theme.css'
import timeGrid from '@fullcalendar/react/timegrid'
import { useEffect, useRef } from 'react'
import { localTimeOf } from '../../base/moments.ts'
import type { WeekStart } from '../../base/months.ts'
import { dateLocale, t } from '../../base/texts.ts'
import classes from './calendar.module.css'
import type { CalendarView } from './calendar-search.ts'
import type { Entry } from '../../domain/calendar/entries.ts'
import type { EventTimes } from './event-dialog.tsx'

interface AgendaProps {
  readonly view: CalendarView
  /** A day of the shown span. */
  readonly date: string
  readonly entries: readonly Entry[]
  readonly weekStart: WeekStart
  readonly is12h: boolean
  /** Is told of the shown span: its days, the last one excluded, and its name. */
  onSpan(span: { readonly from: string; readonly to: string; readonly title: string }): void
  onOpen(entry: Entry): void
  onCreate(times: EventTimes): void
  /** Is told of an entry that was moved; `revert` takes it back. */
  onMove(entry: Entry, times: EventTimes, revert: () => void): void
}

const plugins = [classicTheme, dayGrid, timeGrid, listView, interaction]
const viewNames = { month: 'dayGridMonth', week: 'timeGridWeek', day: 'timeGridDay', list: 'listWeek' } as const
const firstDays = { SUNDAY: 0, MONDAY: 1, SATURDAY: 6 } as const

/** The grid of a calendar. Its times are those of the account's zone: it calculates with them as if there were one zone alone. */
export function Agenda({ view, date, entries, weekStart, is12h, onSpan, onOpen, onCreate, onMove }: AgendaProps) {
  const calendar = useRef<CalendarRef>(null)
  useEffect(() => {
    // The calendar keeps its view by itself, so that the address has to tell it.
    queueMicrotask(() => calendar.current?.getApi().changeView(viewNames[view], date))
  }, [view, date])
  const entryOf = (id: string) => entries.find((entry) => entry.id === id)
  const moved = ({ event, revert }: EventChangeInfo) => {
    const entry = entryOf(event.id)
    if (entry) onMove(entry, timesOf({ allDay: event.allDay, start: event.startStr, end: event.endStr }), revert)
  }
  return (
    <div className={classes.agenda} data-view={view} role="region" aria-label={t('Agenda')}>
      <FullCalendar
        ref={calendar}
        plugins={plugins}
        initialView={viewNames[view]}
        initialDate={date}
        headerToolbar={false}
        timeZone="UTC"
        now={() => localTimeOf(new Date().toISOString())}
        nowIndicator
        locale={dateLocale}
        firstDay={firstDays[weekStart]}
        height="auto"
        scrollTime="08:00"
        slotMinTime="06:00"
        slotMaxTime="22:00"
        eventTimeFormat={{ hour: '2-digit', minute: '2-digit', hour12: is12h }}
        slotHeaderFormat={{ hour: '2-digit', minute: '2-digit', hour12: is12h }}
        dayMaxEvents={4}
        moreLinkContent={({ num }) => t('+{count} more', { count: num })}
        noEventsContent={t('Nothing planned')}
        allDayText={t('All day')}
        timedText={t('At a time')}
        eventInteractive
        selectable
        events={entries.map(inputOf)}
        datesSet={({ startStr, endStr, view: { title } }) =>
          onSpan({ from: startStr.slice(0, 10), to: endStr.slice(0, 10), title })
        }
        eventClick={({ event, jsEvent }) => {
          jsEvent.preventDefault()
          const entry = entryOf(event.id)
          if (entry) onOpen(entry)
        }}
        select={({ allDay, startStr, endStr }) => onCreate(timesOf({ allDay, start: startStr, end: endStr }))}
        eventDrop={moved}
        eventResize={moved}
      />
    </div>
  )
}

function inputOf({ id, kind, title, allDay, start, end, isOwn }: Entry): EventInput {
  return {
    id,
    title,
    allDay,
    start,
    ...(end === undefined ? {} : { end }),
    editable: isOwn,
    className: classes[kind],
    extendedProps: { kind },
  }
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Returns the times of a span: the last day is included, and an entry without an end lasts an hour. */
function timesOf({ allDay, start, end }: EventTimes): EventTimes {
  if (!allDay) {
    const from = start.slice(0, 16)
    return { allDay, start: from, end: end === '' ? shifted(from, hourMs) : end.slice(0, 16) }
  }
  const from = start.slice(0, 10)
  const last = end === '' ? from : shifted(`${end.slice(0, 10)}T00:00`, -dayMs).slice(0, 10)
  return { allDay, start: from, end: last < from ? from : last }
}

function shifted(local: string, byMs: number): string {
  return new Date(Date.parse(`${local}Z`) + byMs).toISOString().slice(0, 16)
}
