import { ActionIcon, Button, Select } from '@mantine/core'
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type DragEvent, type KeyboardEvent } from 'react'
import { Icon } from '../../shell/icons.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { bodyOf, valueOf } from '../field-values.ts'
import { callsOf, titleOf, type AnyRecord } from '../record-calls.ts'
import type { Field, Kind } from '../record-kinds.ts'
import { addressOf, collectionOf } from '../record-place.ts'
import { offerUndo } from '../undoing.ts'
import { calendarFields } from './arrangements.ts'
import { withCondition } from './list-address.ts'
import { pageQueryOf, type ListState } from './list-state.ts'
import classes from './calendar.module.css'
import { useSession } from '../../base/session.ts'
import { daysOfMonth, monthAfter, weekdayNames } from '../../base/months.ts'
import { dayAfter, dayOf, instantOf, localTimeOf, today } from '../../base/moments.ts'
import { dateLocale, t } from '../../base/texts.ts'

interface CalendarProps {
  readonly kind: Kind
  readonly state: ListState
  onBy(by: string): void
}

/** The most records of a month; they are read page by page. */
const recordsMax = 500
const pageSize = 100
const dragType = 'application/x-crm-event'

/** The records of a list in a month, by one of their dates. A record moves to another day by dragging. */
export function Calendar({ kind, state, onBy }: CalendarProps) {
  const fields = calendarFields(kind)
  const field = fields.find(({ key }) => key === state.by) ?? fields[0]
  const [month, setMonth] = useState(() => today().slice(0, 7))
  const { person } = useSession()
  const { weekStart } = person.workspace
  const days = daysOfMonth(month, weekStart)
  const first = days[0] as string
  const last = days.at(-1) as string
  const group = withCondition(state.group, { field: field?.key ?? '', op: 'between', value: [first, last] })
  const query = pageQueryOf(kind.key, { ...state, group, columns: [], page: 1, pageSize })
  const { data, error, refetch } = useQuery({ ...monthQuery(kind.key, query), enabled: field !== undefined })
  const client = useQueryClient()
  const collection = collectionOf(kind.key)
  const move = useMutation({
    mutationFn: ({ record, day }: { readonly record: AnyRecord; readonly day: string }) =>
      callsOf(kind.key).update(record.id, {
        ...bodyOf(kind, { [field?.key ?? '']: field ? movedTo(valueOf(record, field), day) : null }),
        version: record.version,
      }),
    onSuccess: ({ undoId }) => {
      offerUndo(client, t('Date changed'), undoId)
      return client.invalidateQueries({ queryKey: [collection] })
    },
  })
  const [moved, setMoved] = useState<string | null>(null)
  if (field === undefined) return null
  const byDay = Map.groupBy(data?.items ?? [], (record) => dayOfValue(valueOf(record, field), field))
  const isMovable = kind.may.update && !field.readOnly
  return (
    <div className={classes.calendar}>
      <div className={classes.head}>
        <h2 className={classes.month} aria-live="polite">
          {new Intl.DateTimeFormat(dateLocale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
            new Date(`${month}-01`),
          )}
        </h2>
        <ActionIcon aria-label={t('Previous month')} onClick={() => setMonth(monthAfter(month, -1))}>
          <Icon name="left" size={16} />
        </ActionIcon>
        <ActionIcon aria-label={t('Next month')} onClick={() => setMonth(monthAfter(month, 1))}>
          <Icon name="right" size={16} />
        </ActionIcon>
        <Button variant="default" size="xs" onClick={() => setMonth(today().slice(0, 7))}>
          {t('Today')}
        </Button>
        <Select
          aria-label={t('Date')}
          size="xs"
          w="11rem"
          data={fields.map(({ key, label }) => ({ value: key, label }))}
          value={field.key}
          onChange={(key) => key && onBy(key)}
        />
        {data !== undefined && data.total > recordsMax && (
          <span className={classes.note}>
            {t('The first {recordsMax} of {total, number}', { recordsMax, total: data.total })}
          </span>
        )}
      </div>
      <RefusalAlert error={error ?? move.error} retry={() => void refetch()} />
      {data === undefined && error === null && <LoadingLines label={t('Loading month')} />}
      <ul className={classes.days} aria-label={t('Days')}>
        {weekdayNames(weekStart).map((name) => (
          <li key={name} className={classes.weekday} aria-hidden="true">
            {name}
          </li>
        ))}
        {days.map((day) => (
          <Day
            key={day}
            day={day}
            isOther={!day.startsWith(month)}
            records={byDay.get(day) ?? []}
            kind={kind}
            isMovable={isMovable}
            focused={moved}
            onMove={(id, to) => {
              const record = data?.items.find((one) => one.id === id)
              if (record === undefined || move.isPending) return
              setMoved(id)
              move.mutate({ record, day: to })
            }}
          />
        ))}
      </ul>
    </div>
  )
}

interface DayProps {
  readonly day: string
  readonly isOther: boolean
  readonly records: readonly AnyRecord[]
  readonly kind: Kind
  readonly isMovable: boolean
  /** The record that was moved last; its link keeps the focus. */
  readonly focused: string | null
  /** Moves a record to a day. */
  onMove(id: string, day: string): void
}

/** Reads the records of a month, page by page. */
function monthQuery(entityType: string, query: ReturnType<typeof pageQueryOf>) {
  return queryOptions({
    queryKey: [collectionOf(entityType), 'month', query],
    queryFn: async ({ signal }) => {
      const items: AnyRecord[] = []
      for (let page = 1; ; page += 1) {
        const { items: some, total } = await callsOf(entityType).list({ ...query, page }, signal)
        items.push(...some)
        if (some.length === 0 || items.length >= Math.min(total, recordsMax)) return { items, total }
      }
    },
    placeholderData: keepPreviousData,
  })
}

/** How far the arrow keys move a record, in days. */
const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

function Day({ day, isOther, records, kind, isMovable, focused, onMove }: DayProps) {
  const [isOver, setOver] = useState(false)
  const isRecord = (event: DragEvent) => event.dataTransfer.types.includes(dragType)
  const spoken = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    new Date(day),
  )
  return (
    <li
      className={classes.day}
      data-other={isOther}
      data-over={isOver}
      data-today={day === today()}
      data-empty={records.length === 0}
      onDragOver={(event) => {
        if (!isRecord(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const id = event.dataTransfer.getData(dragType)
        if (id !== '') onMove(id, day)
      }}
    >
      <time dateTime={day} className={classes.number} aria-label={spoken}>
        {Number(day.slice(8))}
      </time>
      {records.map((record) => (
        <Link
          key={record.id}
          {...addressOf({ entityType: kind.key, entityId: record.id })}
          className={classes.event}
          draggable={isMovable}
          title={titleOf(kind, record)}
          onDragStart={(event) => event.dataTransfer.setData(dragType, record.id)}
          ref={(link) => {
            if (record.id === focused && document.activeElement === document.body) link?.focus()
          }}
          {...(isMovable
            ? {
                'aria-keyshortcuts': 'Shift+ArrowLeft Shift+ArrowRight Shift+ArrowUp Shift+ArrowDown',
                onKeyDown: (event: KeyboardEvent) => {
                  const step = event.shiftKey ? steps[event.key] : undefined
                  if (step === undefined) return
                  event.preventDefault()
                  onMove(record.id, dayAfter(day, step))
                },
              }
            : {})}
        >
          <bdi>{titleOf(kind, record)}</bdi>
        </Link>
      ))}
    </li>
  )
}

/** Returns the day of a value; a moment is on its day in the zone of the account. */
function dayOfValue(value: unknown, { type }: Field): string {
  return type === 'DATE' ? String(value).slice(0, 10) : dayOf(String(value))
}

/** Returns a value on another day, at the same time. */
function movedTo(value: unknown, day: string): string {
  if (typeof value !== 'string' || !value.includes('T')) return day
  return instantOf(`${day}T${localTimeOf(value).slice(11)}`)
}
