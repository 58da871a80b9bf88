import { Button, Menu, ActionIcon } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useState, type DragEvent, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import type { DashboardRecord, Summary } from '@crm/contract'
import { useSession } from '../../base/session.ts'
import type { AnyRecord } from '../../records/record-calls.ts'
import { CellValue } from '../../records/list/cell-value.tsx'
import { gridColumns } from '../../records/list/columns.ts'
import { useKind, type Kind } from '../../records/record-kinds.ts'
import { Icon } from '../../shell/icons.tsx'
import { later } from '../../shell/later.tsx'
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
import { axisOf, entityTypeOf, figureOf, type Figure, type Row, type Widget } from './questions.ts'
import { useDrillDown, type DrillDown } from './use-drill-down.ts'
import { t } from './texts.ts'
import { inList } from '../../base/texts.ts'

const Chart = later(
  async () => (await import('./charts.tsx')).Chart,
  () => <LoadingLines lines={6} label={t('Loading chart')} />,
)

interface WidgetProps {
  readonly widget: Widget
  readonly period: DashboardRecord['period']
  /** The buttons for editing; absent while the dashboard is only read. */
  readonly editing?: ReactNode
  /** How the mouse arranges it; absent while the dashboard is only read. */
  readonly arranging?: Arranging
}

/** How a widget is dragged to another place and to another size. */
interface Arranging {
  /** Moves the widget with an id to the place of this one. */
  onDropped(id: string): void
  onResize(size: Size): void
}

/** The size of a widget in columns and rows of the grid, or one of the two. */
type Size = Partial<Pick<Widget, 'w' | 'h'>>

/** The drag carries the id of a widget in this format. */
const dragType = 'application/x-crm-widget'
const columnsMax = 12
/** The height of a row of the grid, in pixels. */
const rowHeight = 60
const bounds = { w: { min: 3, max: columnsMax }, h: { min: 2, max: 12 } } as const

/** A question of a dashboard with its answer, as a chart or as a table. */
export function WidgetPanel({ widget, period, editing, arranging }: WidgetProps) {
  const [isOver, setOver] = useState(false)
  const [isTable, setTable] = useState(widget.type === 'TABLE')
  const { data, error, refetch } = useQuery({ ...answerQuery(widget, period), enabled: widget.isAvailable })
  const drill = useDrillDown(widget, period)
  const canSwitch = widget.type !== 'TABLE' && widget.type !== 'LIST' && widget.type !== 'NUMBER'
  return (
    <div
      className={classes.widget}
      style={{ gridColumn: `span ${widget.w}`, ['--widget-height' as string]: `${widget.h * rowHeight}px` }}
      data-over={isOver}
      {...(arranging ? dragged(widget.id, arranging, setOver) : {})}
    >
      <Panel
        title={widget.title}
        actions={
          editing ??
          (canSwitch && widget.isAvailable && (
            <Button variant="subtle" size="compact-sm" onClick={() => setTable(!isTable)}>
              {isTable ? t('Show as chart') : t('Show as table')}
            </Button>
          ))
        }
      >
        {!widget.isAvailable && (
          <EmptyState title={t('Not available')}>
            {t('You do not have access to these records, or a field is gone.')}
          </EmptyState>
        )}
        <RefusalAlert error={error} retry={() => void refetch()} />
        {widget.isAvailable && data === undefined && error === null && (
          <LoadingLines lines={6} label={t('Loading {title}', { title: widget.title })} />
        )}
        {data && 'records' in data && <Records widget={widget} records={data.records} />}
        {data && 'summary' in data && <Summed widget={widget} summary={data.summary} isTable={isTable} drill={drill} />}
      </Panel>
      {arranging && <Resizer widget={widget} side="w" onResize={arranging.onResize} />}
      {arranging && widget.type !== 'NUMBER' && <Resizer widget={widget} side="h" onResize={arranging.onResize} />}
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

interface ResizerProps {
  readonly widget: Widget
  /** The width or the height. */
  readonly side: 'w' | 'h'
  onResize(size: Size): void
}

/** The edge by which a widget becomes larger or smaller, step by step; arrow keys do the same. */
function Resizer({ widget, side, onResize }: ResizerProps) {
  const { min, max } = bounds[side]
  const resize = (steps: number) => onResize({ [side]: Math.min(Math.max(Math.round(widget[side] + steps), min), max) })
  const isWidth = side === 'w'
  const byKeys = (event: KeyboardEvent) => {
    const keys: Readonly<Record<string, number>> = isWidth
      ? { ArrowLeft: -1, ArrowRight: 1 }
      : { ArrowUp: -1, ArrowDown: 1 }
    const step = keys[event.key]
    if (step === undefined) return
    event.preventDefault()
    resize(step)
  }
  const drag = (event: PointerEvent<HTMLElement>) => {
    const handle = event.currentTarget
    const from = isWidth ? event.clientX : event.clientY
    const column = (handle.closest('[data-widgets]')?.clientWidth ?? 0) / columnsMax
    const step = isWidth ? column : rowHeight
    handle.setPointerCapture(event.pointerId)
    const end = ({ clientX, clientY }: globalThis.PointerEvent) => {
      handle.removeEventListener('pointerup', end)
      const moved = (isWidth ? clientX : clientY) - from
      if (step > 0 && moved !== 0) resize(moved / step)
    }
    handle.addEventListener('pointerup', end)
  }
  return (
    <span
      role="separator"
      aria-orientation={isWidth ? 'vertical' : 'horizontal'}
      aria-label={t(isWidth ? 'Width of {title}' : 'Height of {title}', { title: widget.title })}
      aria-valuenow={widget[side]}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      className={classes.resizer}
      data-side={side}
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
  readonly drill: DrillDown
}

function Summed({ widget, summary, isTable, drill }: SummedProps) {
  const { source, type } = widget
  const measures = source.measures && source.measures.length > 0 ? source.measures : ['count']
  const [measure = 'count'] = measures
  if (type === 'NUMBER') return <Number widget={widget} summary={summary} measure={measure} drill={drill} />
  const rows = namedRows(summary, source)
  if (rows.length === 0) return <EmptyState title={t('Nothing to show yet')} />
  if (isTable || type === 'TABLE') return <AsTable widget={widget} rows={rows} measures={measures} drill={drill} />
  const whole = wholeOf(summary, measure, rows)
  return (
    <>
      {type === 'FUNNEL' ? (
        <Funnel widget={widget} rows={rows} measures={measures} drill={drill} />
      ) : (
        <Drawn widget={widget} rows={rows} whole={whole} type={type as 'BAR' | 'LINE' | 'DONUT'} drill={drill} />
      )}
      <NotDrawn whole={whole} />
    </>
  )
}

/** Returns the number of all groups together, in the currency in which they are drawn. */
function wholeOf({ totals }: Summary, measure: string, rows: readonly Row[]): Figure {
  const axis = rows.find(({ figures }) => figures[0]?.currency)?.figures[0]?.currency ?? null
  return figureOf(totals, measure, axis)
}

/** Says which amounts a chart does not draw, because they are in other currencies and have no exchange rate. */
function NotDrawn({ whole: { besides = [] } }: { readonly whole: Figure }) {
  const { may } = useSession()
  if (besides.length === 0) return null
  const amounts = inList(besides.map(([currency, amount]) => describeFigure(amount, currency)))
  return (
    <p className={classes.beside}>
      {t('Not drawn, for lack of an exchange rate: {amounts}.', { amounts })}
      {may('MANAGE_WORKSPACE') && (
        <>
          {' '}
          <Link to="/settings/taxes">{t('Set exchange rates')}</Link>
        </>
      )}
    </p>
  )
}

interface NumberProps {
  readonly widget: Widget
  readonly summary: Summary
  readonly measure: string
  readonly drill: DrillDown
}

function Number({ widget, summary, measure, drill }: NumberProps) {
  const figure = figureOf(summary.totals, measure, axisOf([summary.totals], measure, widget.source.convertTo))
  const place = drill?.([])
  const text = describeWhole(figure)
  return (
    <p className={classes.number}>
      {place === undefined ? text : <Link to={place as never}>{text}</Link>}
      {measure !== 'count' && (
        <span className={classes.beside}>{t('{count, number} in all', { count: summary.totals.count })}</span>
      )}
    </p>
  )
}

interface DrawnProps {
  readonly widget: Widget
  readonly rows: readonly Row[]
  readonly whole: Figure
  readonly type: 'BAR' | 'LINE' | 'DONUT'
  readonly drill: DrillDown
}

function Drawn({ widget, rows, whole, type, drill }: DrawnProps) {
  const { currency } = whole
  const { history } = useRouter()
  const dimensions = widget.source.groupBy?.length ?? 0
  const { points, series } = pointsOf(rows, widget.source.groupBy ?? [])
  const open = (key: string, name: string) => {
    const row = rows.find(
      ({ values }) => String(values?.[0]) === key && (dimensions < 2 || String(values?.[1]) === name),
    )
    const place = row?.values && drill?.(row.values)
    if (place !== undefined) history.push(place)
  }
  const legend: readonly Series[] =
    type === 'DONUT' ? points.map(({ key, label }) => ({ key, label })) : dimensions > 1 ? series : []
  return (
    <div className={classes.drawn} data-type={type}>
      <div
        className={classes.chart}
        role="img"
        aria-label={t('Chart: {value}', {
          value: rows.map(({ label, figures }) => `${label} ${figures[0] ? describeWhole(figures[0]) : 0}`).join(', '),
        })}
      >
        <Chart
          type={type}
          points={points}
          series={series}
          format={(value) => describeFigure(value, currency)}
          formatAxis={(value) => describeBriefly(value, currency)}
          onOpen={open}
        />
        {type === 'DONUT' && (
          <span className={classes.total}>
            {t.rich('<b>{total}</b>in all', {
              total: describeBriefly(whole.value, currency),
              b: (text) => <b>{text}</b>,
            })}
          </span>
        )}
      </div>
      {legend.length > 0 && (
        <ul className={classes.legend} aria-label={t('Legend')}>
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
  readonly drill: DrillDown
}

/** Stages one below the other; each bar leads to its records. */
function Funnel({ widget, rows, measures, drill }: FunnelProps) {
  const most = Math.max(...rows.map(({ figures }) => figures[0]?.value ?? 0), 1)
  const counts = measures.indexOf('count')
  return (
    <ul className={classes.funnel} aria-label={widget.title}>
      {rows.map(({ key, label, values, figures }) => {
        const place = values && drill?.(values)
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
  readonly drill: DrillDown
}

function AsTable({ widget, rows, measures, drill }: AsTableProps) {
  const kind = useKind(entityTypeOf(widget.source.resource))
  const groups = widget.source.groupBy ?? []
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={widget.title}>
        <thead>
          <tr>
            <th scope="col">{groups.map((field) => labelIn(kind, field)).join(' · ') || t('All')}</th>
            {measures.map((measure) => (
              <th key={measure} scope="col" className={classes.figure}>
                {describeMeasure(measure, (field) => labelIn(kind, field))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, label, values, figures }) => {
            const place = values && drill?.(values)
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
  if (records.length === 0) return <EmptyState title={t('Nothing to show yet')} />
  if (kind === undefined) return null
  const columns = gridColumns(
    (widget.source.columns ?? []).map((key) => ({ key })),
    kind,
  )
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={widget.title}>
        <thead>
          <tr>
            {columns.map(({ key, label }) => (
              <th key={key} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <tr key={record.id}>
              {columns.map((column) => (
                <td key={column.key}>
                  <CellValue kind={kind} column={column} record={record} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
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
  [t('Third'), 4],
  [t('Half'), 6],
  [t('Full width'), 12],
] as const

/** The buttons that arrange a widget, for the mouse and the keyboard. */
export function WidgetEditing({ title, isFirst, isLast, onMove, onResize, onEdit, onRemove }: EditingProps) {
  return (
    <div className={classes.editing}>
      <ActionIcon aria-label={t('Move {title} back', { title })} disabled={isFirst} onClick={() => onMove(-1)}>
        <Icon name="left" size={16} />
      </ActionIcon>
      <ActionIcon aria-label={t('Move {title} on', { title })} disabled={isLast} onClick={() => onMove(1)}>
        <Icon name="right" size={16} />
      </ActionIcon>
      <Menu position="bottom-end" withinPortal={false}>
        <Menu.Target>
          <ActionIcon aria-label={t('Actions: {title}', { title })}>
            <Icon name="dots" size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={onEdit}>{t('Edit')}</Menu.Item>
          {widths.map(([label, width]) => (
            <Menu.Item key={width} onClick={() => onResize(width)}>
              {label}
            </Menu.Item>
          ))}
          <Menu.Item c="var(--mantine-color-error)" onClick={onRemove}>
            {t('Remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
