import { Button, Menu, ActionIcon } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useState, type DragEvent, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import type { DashboardRecord, Summary } from '@crm/contract'
import { describeInstant } from '../../base/moments.ts'
import type { AnyRecord } from '../../records/record-calls.ts'
import { useKind, type Kind } from '../../records/record-kinds.ts'
import { addressOf } from '../../records/record-place.ts'
import { Icon } from '../../shell/icons.tsx'
import { Panel } from '../../shell/page.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { colorOf } from './chart-colors.ts'
import { answerQuery } from './dashboard-queries.ts'
import classes from './dashboards.module.css'
import {
  describeBriefly,
  describeFigure,
  describeMeasure,
  describeWhole,
  namedRows,
  pointsOf,
  type Series,
} from './points.ts'
import { drillDown, entityTypeOf, figureOf, type Row, type Widget } from './questions.ts'
import { t } from '../../base/texts.ts'

const Chart = lazy(async () => ({ default: (await import('./charts.tsx')).Chart }))

interface WidgetProps {
  readonly widget: Widget
  readonly period: DashboardRecord['period']
  /** The buttons for editing; absent while the dashboard is only read. */
  readonly editing?: ReactNode
  /** How the mouse arranges it; absent while the dashboard is only read. */
  readonly arranging?: Arranging
}

/** How a widget is dragged to another place and to another width. */
interface Arranging {
  /** Moves the widget with an id to the place of this one. */
  onDropped(id: string): void
  onResize(width: number): void
}

/** The drag carries the id of a widget in this format. */
const dragType = 'application/x-crm-widget'
const columnsMin = 3
const columnsMax = 12

/** A question of a dashboard with its answer, as a chart or as a table. */
export function WidgetPanel({ widget, period, editing, arranging }: WidgetProps) {
  const [isOver, setOver] = useState(false)
  const [isTable, setTable] = useState(widget.type === 'TABLE')
  const { data, error, refetch } = useQuery({ ...answerQuery(widget, period), enabled: widget.isAvailable })
  const canSwitch = widget.type !== 'TABLE' && widget.type !== 'LIST' && widget.type !== 'NUMBER'
  return (
    <div
      className={classes.widget}
      style={{ gridColumn: `span ${widget.w}` }}
      data-over={isOver}
      {...(arranging ? dragged(widget.id, arranging, setOver) : {})}
    >
      <Panel
        title={widget.title}
        actions={
          editing ??
          (canSwitch && widget.isAvailable && (
            <Button variant="subtle" size="compact-sm" onClick={() => setTable(!isTable)}>
              {isTable ? t('dashboards.showAsChart') : t('dashboards.showAsTable')}
            </Button>
          ))
        }
      >
        {!widget.isAvailable && (
          <EmptyState title={t('dashboards.notAvailable')}>{t('dashboards.youDoNotHaveAccess')}</EmptyState>
        )}
        <RefusalAlert error={error} retry={() => void refetch()} />
        {widget.isAvailable && data === undefined && error === null && (
          <LoadingLines lines={6} label={t('dashboards.loadingTitle', { title: widget.title })} />
        )}
        {data && 'records' in data && <Records widget={widget} records={data.records} />}
        {data && 'summary' in data && <Summed widget={widget} summary={data.summary} isTable={isTable} />}
      </Panel>
      {arranging && <Resizer widget={widget} onResize={arranging.onResize} />}
    </div>
  )
}

/** Returns the properties of an element that is dragged as a widget, and that takes others before it. */
function dragged(id: string, { onDropped }: Arranging, setOver: (isOver: boolean) => void) {
  const isWidget = (event: DragEvent) => event.dataTransfer.types.includes(dragType)
  return {
    draggable: true,
    onDragStart: (event: DragEvent) => event.dataTransfer.setData(dragType, id),
    onDragOver: (event: DragEvent) => {
      if (!isWidget(event)) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false)
      if (!isWidget(event)) return
      event.preventDefault()
      onDropped(event.dataTransfer.getData(dragType))
    },
  }
}

function widthWithin(columns: number): number {
  return Math.min(Math.max(Math.round(columns), columnsMin), columnsMax)
}

/** The edge by which a widget becomes wider or narrower, column by column; arrow keys do the same. */
function Resizer({ widget: { title, w }, onResize }: { readonly widget: Widget; onResize(width: number): void }) {
  const byKeys = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    onResize(widthWithin(w + step))
  }
  const drag = (event: PointerEvent<HTMLElement>) => {
    const handle = event.currentTarget
    const from = event.clientX
    const column = (handle.closest('[data-widgets]')?.clientWidth ?? 0) / columnsMax
    handle.setPointerCapture(event.pointerId)
    const end = ({ clientX }: globalThis.PointerEvent) => {
      handle.removeEventListener('pointerup', end)
      if (column > 0 && clientX !== from) onResize(widthWithin(w + (clientX - from) / column))
    }
    handle.addEventListener('pointerup', end)
  }
  return (
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={t('dashboards.widthOfTitle', { title })}
      aria-valuenow={w}
      aria-valuemin={columnsMin}
      aria-valuemax={columnsMax}
      tabIndex={0}
      className={classes.resizer}
      onKeyDown={byKeys}
      onPointerDown={drag}
      // The widget around it is not to be dragged meanwhile.
      onMouseDown={(event) => event.preventDefault()}
    />
  )
}

interface SummedProps {
  readonly widget: Widget
  readonly summary: Summary
  readonly isTable: boolean
}

function Summed({ widget, summary, isTable }: SummedProps) {
  const { source, type } = widget
  const measures = source.measures && source.measures.length > 0 ? source.measures : ['count']
  const [measure = 'count'] = measures
  if (type === 'NUMBER') return <Number widget={widget} summary={summary} measure={measure} />
  const rows = namedRows(summary, source)
  if (rows.length === 0) return <EmptyState title={t('dashboards.nothingToShowYet')} />
  if (isTable || type === 'TABLE') return <AsTable widget={widget} rows={rows} measures={measures} />
  const currency = rows.find(({ figures }) => figures[0]?.currency)?.figures[0]?.currency ?? null
  if (type === 'FUNNEL') return <Funnel widget={widget} rows={rows} measures={measures} />
  return <Drawn widget={widget} rows={rows} currency={currency} type={type as 'BAR' | 'LINE' | 'DONUT'} />
}

function Number({
  widget,
  summary,
  measure,
}: {
  readonly widget: Widget
  readonly summary: Summary
  readonly measure: string
}) {
  const figure = figureOf(summary.totals, measure, widget.source.convertTo)
  const place = drillDown({ ...widget.source, groupBy: [] }, [])
  const text = describeWhole(figure)
  return (
    <p className={classes.number}>
      {place === undefined ? text : <Link to={place as never}>{text}</Link>}
      {measure !== 'count' && (
        <span className={classes.beside}>{t('dashboards.countInAll', { count: summary.totals.count })}</span>
      )}
    </p>
  )
}

interface DrawnProps {
  readonly widget: Widget
  readonly rows: readonly Row[]
  readonly currency: string | null
  readonly type: 'BAR' | 'LINE' | 'DONUT'
}

function Drawn({ widget, rows, currency, type }: DrawnProps) {
  const { history } = useRouter()
  const dimensions = widget.source.groupBy?.length ?? 0
  const { points, series } = pointsOf(rows, widget.source.groupBy ?? [])
  const open = (key: string, name: string) => {
    const row = rows.find(({ values }) => String(values[0]) === key && (dimensions < 2 || String(values[1]) === name))
    const place = row && drillDown(widget.source, row.values)
    if (place !== undefined) history.push(place)
  }
  const legend: readonly Series[] =
    type === 'DONUT' ? points.map(({ key, label }) => ({ key, label })) : dimensions > 1 ? series : []
  const total = rows.reduce((sum, { figures }) => sum + (figures[0]?.value ?? 0), 0)
  const isPartial = rows.some(({ figures }) => figures[0]?.besides)
  return (
    <div className={classes.drawn} data-type={type}>
      <div
        className={classes.chart}
        role="img"
        aria-label={t('dashboards.chartValue', {
          value: rows.map(({ label, figures }) => `${label} ${figures[0] ? describeWhole(figures[0]) : 0}`).join(', '),
        })}
      >
        <Suspense fallback={<LoadingLines lines={6} label={t('dashboards.loadingTheChart')} />}>
          <Chart
            type={type}
            points={points}
            series={series}
            format={(value) => describeFigure(value, currency)}
            formatAxis={(value) => describeBriefly(value, currency)}
            onOpen={open}
          />
        </Suspense>
        {type === 'DONUT' && (
          <span className={classes.total}>
            {t.rich('dashboards.totalInAll', { total: describeBriefly(total, currency), b: (text) => <b>{text}</b> })}
          </span>
        )}
      </div>
      {isPartial && <p className={classes.beside}>{t('dashboards.amountsInOtherCurrenciesAre')}</p>}
      {legend.length > 0 && (
        <ul className={classes.legend} aria-label={t('dashboards.legend')}>
          {legend.map(({ key, label }, at) => (
            <li key={key}>
              <span className={classes.swatch} style={{ background: colorOf(key, at) }} aria-hidden="true" />
              <span className={classes.legendName} title={label}>
                {label}
              </span>
              {type === 'DONUT' && (
                <span className={classes.figure}>{describeFigure(points[at]?.values['value'] ?? 0, currency)}</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

interface FunnelProps {
  readonly widget: Widget
  readonly rows: readonly Row[]
  readonly measures: readonly string[]
}

/** Stages one below the other; each bar leads to its records. */
function Funnel({ widget, rows, measures }: FunnelProps) {
  const most = Math.max(...rows.map(({ figures }) => figures[0]?.value ?? 0), 1)
  const counts = measures.indexOf('count')
  return (
    <ul className={classes.funnel} aria-label={widget.title}>
      {rows.map(({ key, label, values, figures }) => {
        const place = drillDown(widget.source, values)
        const value = figures[0]?.value ?? 0
        const count = counts > 0 ? `${figures[counts]?.value ?? 0} · ` : ''
        return (
          <li key={key}>
            <span className={classes.stage}>
              {place === undefined ? label : <Link to={place as never}>{label}</Link>}
              <span className={classes.figure}>{`${count}${figures[0] ? describeWhole(figures[0]) : ''}`}</span>
            </span>
            <span className={classes.track} aria-hidden="true">
              <span className={classes.bar} style={{ width: `${Math.max(1, (value / most) * 100)}%` }} />
            </span>
          </li>
        )
      })}
    </ul>
  )
}

function labelIn(kind: Kind | undefined, field: string): string {
  const [key] = field.split(':')
  return kind?.fields.find((one) => one.key === key)?.label ?? key ?? field
}

interface AsTableProps {
  readonly widget: Widget
  readonly rows: readonly Row[]
  readonly measures: readonly string[]
}

function AsTable({ widget, rows, measures }: AsTableProps) {
  const kind = useKind(entityTypeOf(widget.source.resource))
  const groups = widget.source.groupBy ?? []
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={widget.title}>
        <thead>
          <tr>
            <th scope="col">{groups.map((field) => labelIn(kind, field)).join(' · ') || t('dashboards.all')}</th>
            {measures.map((measure) => (
              <th key={measure} scope="col" className={classes.figure}>
                {describeMeasure(measure, (field) => labelIn(kind, field))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, label, values, figures }) => {
            const place = drillDown(widget.source, values)
            return (
              <tr key={key}>
                <th scope="row">{place === undefined ? label : <Link to={place as never}>{label}</Link>}</th>
                {figures.map((figure, at) => (
                  <td key={measures[at]} className={classes.figure}>
                    {describeWhole(figure)}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function Records({ widget, records }: { readonly widget: Widget; readonly records: readonly AnyRecord[] }) {
  const entityType = entityTypeOf(widget.source.resource)
  const kind = useKind(entityType)
  const [, ...columns] = widget.source.columns ?? []
  if (records.length === 0) return <EmptyState title={t('dashboards.nothingToShowYet')} />
  const titleOf = (record: AnyRecord) =>
    (kind?.titleFields ?? [])
      .map((field) => record[field])
      .filter((part) => typeof part === 'string' && part !== '')
      .join(' ') || t('dashboards.untitled')
  const shown = columns.filter((field) => records.some((record) => typeof record[field] === 'string'))
  return (
    <ul className={classes.funnel} aria-label={widget.title}>
      {records.map((record) => (
        <li key={record.id} className={classes.stage}>
          <Link {...addressOf({ entityType, entityId: record.id })}>{titleOf(record)}</Link>
          <span className={classes.figure}>
            {shown
              .map((field) => describeField(record[field]))
              .filter(Boolean)
              .join(' · ')}
          </span>
        </li>
      ))}
    </ul>
  )
}

function describeField(value: unknown): string {
  if (typeof value !== 'string') return ''
  return /^\d{4}-\d\d-\d\dT/.test(value)
    ? describeInstant(value)
    : /^[A-Z_]+$/.test(value)
      ? value.charAt(0) + value.slice(1).toLowerCase().replaceAll('_', ' ')
      : value
}

interface EditingProps {
  readonly title: string
  readonly isFirst: boolean
  readonly isLast: boolean
  onMove(by: -1 | 1): void
  onResize(width: number): void
  onEdit(): void
  onRemove(): void
}

const widths = [
  [t('dashboards.third'), 4],
  [t('dashboards.half'), 6],
  [t('dashboards.fullWidth'), 12],
] as const

/** The buttons that arrange a widget, for the mouse and the keyboard. */
export function WidgetEditing({ title, isFirst, isLast, onMove, onResize, onEdit, onRemove }: EditingProps) {
  return (
    <div className={classes.editing}>
      <ActionIcon aria-label={t('dashboards.moveTitleBack', { title })} disabled={isFirst} onClick={() => onMove(-1)}>
        <Icon name="left" size={16} />
      </ActionIcon>
      <ActionIcon aria-label={t('dashboards.moveTitleOn', { title })} disabled={isLast} onClick={() => onMove(1)}>
        <Icon name="right" size={16} />
      </ActionIcon>
      <Menu position="bottom-end" withinPortal={false}>
        <Menu.Target>
          <ActionIcon aria-label={t('dashboards.actionsTitle', { title })}>
            <Icon name="dots" size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={onEdit}>{t('common.edit')}</Menu.Item>
          {widths.map(([label, width]) => (
            <Menu.Item key={width} onClick={() => onResize(width)}>
              {label}
            </Menu.Item>
          ))}
          <Menu.Item c="var(--mantine-color-error)" onClick={onRemove}>
            {t('common.remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
