import { ActionIcon, Checkbox, Menu } from '@mantine/core'
import { useElementScrollRestoration } from '@tanstack/react-router'
import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type DragEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { Icon } from '../../shell/icons.tsx'
import { later } from '../../shell/later.tsx'
import { typeAhead } from '../../shell/type-ahead.ts'
import { hasValue } from '../field-value.tsx'
import { valueOf } from '../field-values.ts'
import { titleOf, type AnyRecord } from '../record-calls.ts'
import type { Choice } from '../record-table.tsx'
import type { Kind } from '../record-kinds.ts'
import { usePageCommand } from '../page-commands.ts'
import { CellValue } from './cell-value.tsx'
import { widthsOf, type GridColumn } from './columns.ts'
import type { WireCondition } from './list-address.ts'
import { widthWithin, type ListState } from './list-state.ts'
import { Totals } from './totals.tsx'
import type { KnownRows } from './use-list-rows.ts'
import { useBeginning, useWindow } from './use-window.ts'
import { piecesOf, type Span } from './window.ts'
import classes from './grid.module.css'
import { t } from '../../base/texts.ts'
import { copyText } from '../../base/without-https.ts'

const CellEditor = later(async () => (await import('./cell-editor.tsx')).CellEditor)

interface GridProps {
  readonly label: string
  readonly kind: Kind
  readonly state: ListState
  readonly columns: readonly GridColumn[]
  /** The rows that are known, by their places in the list. */
  readonly rows: KnownRows
  readonly total: number
  readonly isStale: boolean
  /** The list with its order and conditions: another one is shown from its beginning. */
  readonly of: string
  /** The row that is shown first, where nothing says how far somebody had scrolled. */
  readonly beginsAt: number
  /** Is told which rows are drawn. */
  onShow(span: Span): void
  readonly choice: Choice<AnyRecord> | undefined
  /** Returns what stands before the name of a record. */
  readonly lead: ((record: AnyRecord) => ReactNode) | undefined
  /** The record that is shown beside the list. */
  readonly peeked: string | undefined
  /** Shows a record beside the list. */
  onPeek(id: string): void
  /** Sorts by a column, or by it as well. */
  onSort(key: string, isFurther: boolean): void
  onWidth(key: string, width: number): void
  onOrder(key: string, before: string): void
  onFilter(condition: WireCondition): void
  onSums(sums: Readonly<Record<string, string>>): void
}

/** A cell by its row and column. */
interface Place {
  readonly id: string
  readonly key: string
}

/** Which cell has the focus, which one is edited, and the keys that lead from one to another. */
function useCells(
  { kind, columns, rows, total, choice, onPeek }: GridProps,
  table: RefObject<HTMLTableElement | null>,
  { span, reveal }: ReturnType<typeof useWindow>,
) {
  const back = useRef<Place | null>(null)
  /** The row that the focus goes to as soon as it is drawn. */
  const wanted = useRef<{ readonly at: number; readonly key: string } | null>(null)
  const [focused, setFocused] = useState<Place | null>(null)
  const [editing, setEditing] = useState<Place | null>(null)
  const indexOf = (place: Place | null) => [...rows].find(([, { id }]) => id === place?.id)?.[0]
  const firstAt = [...rows.keys()].find((at) => at >= span.first && at < span.last)
  const stop =
    focused !== null && indexOf(focused) !== undefined ? focused : placeOf(rows.get(firstAt ?? 0), columns[0]?.key)
  // A row in which somebody types or stands is drawn wherever the list is scrolled to.
  const pinned = [indexOf(focused), indexOf(editing)].flatMap((at) => at ?? [])
  const mayEdit = ({ field }: GridColumn) =>
    kind.may.update && field !== undefined && !field.readOnly && field.type !== 'OTHER'
  const focusOn = ({ id, key }: Place) =>
    table.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"][data-key="${CSS.escape(key)}"]`)?.focus()
  const enter = () => stop && focusOn(stop)
  usePageCommand('nextRow', enter)
  usePageCommand('previousRow', enter)
  const edit = (place: Place): boolean => {
    const column = columns.find(({ key }) => key === place.key)
    if (column === undefined || !mayEdit(column)) return false
    typeAhead()
    setEditing(place)
    return true
  }
  const next = ({ id, key }: Place) => {
    const after = columns.slice(columns.findIndex((column) => column.key === key) + 1).find(mayEdit)
    if (after) setEditing({ id, key: after.key })
    else leave({ id, key })
  }
  const leave = (place: Place) => {
    back.current = place
    setEditing(null)
  }
  // The focus returns to the cell once its editor is gone.
  useLayoutEffect(() => {
    const place = editing === null ? back.current : null
    if (place === null) return
    back.current = null
    focusOn(place)
  })
  const goTo = (at: number, key: string) => {
    const row = rows.get(at)
    wanted.current = row === undefined || !isDrawn(table.current, row.id) ? { at, key } : null
    reveal(at)
    if (row && wanted.current === null) focusOn({ id: row.id, key })
  }
  useLayoutEffect(() => {
    const row = wanted.current && rows.get(wanted.current.at)
    if (!wanted.current || !row || !isDrawn(table.current, row.id)) return
    focusOn({ id: row.id, key: wanted.current.key })
    wanted.current = null
  })
  const byKeys = (event: KeyboardEvent<HTMLElement>) => {
    const cell = event.target as HTMLElement
    const { row: id, key } = cell.dataset
    if (id === undefined || key === undefined) return
    const isWithControl = event.ctrlKey || event.metaKey
    const step = isWithControl ? undefined : steps[event.key]
    const at = indexOf({ id, key })
    if (at === undefined) return
    if (step) {
      const column = columns[columns.findIndex((one) => one.key === key) + step[1]]
      const next = at + step[0]
      event.preventDefault()
      if (column && next >= 0 && next < total) goTo(next, column.key)
    } else if (['Enter', 'e', 'F2'].includes(event.key) && !isWithControl) {
      if (edit({ id, key })) event.preventDefault()
      else if (event.key === 'Enter') cell.querySelector('a')?.click()
    } else if (event.key === ' ' && !isWithControl) {
      event.preventDefault()
      onPeek(id)
    } else if (event.key.toLowerCase() === 'x' && !isWithControl && choice) {
      const row = rows.get(at)
      if (row) choice.toggle(row, event.shiftKey)
    } else if (event.key === 'a' && isWithControl && choice) {
      event.preventDefault()
      choice.togglePage()
    }
  }
  return { stop, editing, pinned, mayEdit, setFocused, edit, leave, next, byKeys }
}

const isDrawn = (table: HTMLTableElement | null, id: string) =>
  table?.querySelector(`[data-row="${CSS.escape(id)}"]`) !== null

type Cells = ReturnType<typeof useCells>

/** The width of the boxes before the rows, in pixels. */
const choiceWidth = 40

/** Records as a grid: cells are reached by the arrow keys and edited in place. */
export function Grid(props: GridProps) {
  const { label, kind, state, columns, rows, total, isStale, choice, of, onShow, onSums } = props
  const table = useRef<HTMLTableElement>(null)
  const drawn = useWindow(table, total)
  const cells = useCells(props, table, drawn)
  const [menu, setMenu] = useState<MenuPlace | null>(null)
  const { span, rowHeight } = drawn
  const widths = widthsOf(columns, choice ? choiceWidth : 0)
  const chosen = choice ? [...rows.values()].filter((row) => choice.has(row)).length : 0
  useBeginning(table, of)
  useScrollPlace(props, drawn.reveal)
  useEffect(() => onShow({ first: span.first, last: span.last }))
  return (
    <div className={classes.scroller} data-scroll-restoration-id={`list ${kind.key}`}>
      <table
        ref={table}
        role="grid"
        className={classes.grid}
        aria-label={label}
        aria-rowcount={total}
        aria-colcount={columns.length}
        aria-busy={isStale}
        data-stale={isStale}
        data-choosing={chosen > 0}
        onKeyDown={cells.byKeys}
      >
        <colgroup>
          {choice && <col style={{ width: choiceWidth }} />}
          {columns.map(({ key }, at) => (
            <col key={key} style={{ width: widths[at] }} />
          ))}
        </colgroup>
        <thead role="rowgroup">
          <tr role="row">
            {choice && (
              <th role="columnheader" scope="col" className={classes.choice} data-label={t('Select all')}>
                <Checkbox
                  size="xs"
                  aria-label={t('Select all rows')}
                  checked={chosen === rows.size && rows.size > 0}
                  indeterminate={chosen > 0 && chosen < rows.size}
                  onChange={choice.togglePage}
                />
              </th>
            )}
            {columns.map((column) => (
              <Heading key={column.key} column={column} {...props} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {piecesOf(span, total, cells.pinned).map((piece) =>
            'skipped' in piece ? (
              <tr key={`from ${piece.from}`} aria-hidden="true" style={{ height: piece.skipped * rowHeight }} />
            ) : (
              <Row key={rows.get(piece.at)?.id ?? piece.at} {...props} at={piece.at} cells={cells} onMenu={setMenu} />
            ),
          )}
        </tbody>
        <tfoot role="rowgroup">
          <Totals kind={kind} state={state} columns={columns} total={total} before={choice ? 1 : 0} onSums={onSums} />
        </tfoot>
      </table>
      {menu && <CellMenu {...props} menu={menu} cells={cells} table={table} onClose={() => setMenu(null)} />}
    </div>
  )
}

/** Brings a list to the row with which its address begins, unless somebody had scrolled it before. */
function useScrollPlace({ kind, beginsAt }: GridProps, reveal: (at: number) => void): void {
  const left = useElementScrollRestoration({ id: `list ${kind.key}` })
  const begins = useEffectEvent(() => {
    if (left === undefined && beginsAt > 0) reveal(beginsAt)
  })
  useLayoutEffect(() => begins(), [])
}

interface MenuPlace extends Place {
  readonly x: number
  readonly y: number
}

interface RowProps extends GridProps {
  readonly at: number
  readonly cells: Cells
  onMenu(place: MenuPlace): void
}

/** A record, or the place of one that is still on its way. */
function Row(props: RowProps) {
  const { kind, columns, rows, choice, peeked, at } = props
  const row = rows.get(at)
  if (row === undefined)
    return (
      <tr role="row" aria-rowindex={at + 2} aria-busy="true" className={classes.row}>
        {choice && <td role="gridcell" className={classes.choice} />}
        {columns.map((column) => (
          <td key={column.key} role="gridcell" className={column.isTitle ? classes.first : undefined}>
            <span className={classes.waiting} />
          </td>
        ))}
      </tr>
    )
  return (
    <tr
      role="row"
      aria-rowindex={at + 2}
      data-chosen={choice?.has(row)}
      data-peeked={row.id === peeked}
      className={classes.row}
    >
      {choice && (
        <td role="gridcell" className={classes.choice}>
          <Checkbox
            size="xs"
            aria-label={t('Select row {row}', { row: choice.nameOf(row) })}
            checked={choice.has(row)}
            onChange={({ nativeEvent }) => choice.toggle(row, (nativeEvent as unknown as MouseEvent).shiftKey)}
          />
        </td>
      )}
      {columns.map((column) => (
        <Cell key={`${kind.key} ${column.key}`} {...props} row={row} column={column} />
      ))}
    </tr>
  )
}

interface CellProps extends RowProps {
  readonly row: AnyRecord
  readonly column: GridColumn
}

/** One value of a record, or its editor. */
function Cell({ kind, lead, row, column, cells, onPeek, onMenu }: CellProps) {
  const { stop, editing, setFocused, edit, leave, next } = cells
  const place = { id: row.id, key: column.key }
  const mayEdit = cells.mayEdit(column)
  const isEditing = editing?.id === row.id && editing.key === column.key
  const openMenu = (event: MouseEvent<HTMLElement>) => {
    if ((event.target as Element).closest('a')) return
    event.preventDefault()
    const box = event.currentTarget.getBoundingClientRect()
    // The menu key has no place of its own.
    const isByKey = event.clientX === 0 && event.clientY === 0
    onMenu({ ...place, x: isByKey ? box.left + 12 : event.clientX, y: isByKey ? box.bottom : event.clientY })
  }
  return (
    <td
      role="gridcell"
      className={column.isTitle ? classes.first : undefined}
      data-number={column.isNumber}
      data-label={column.label}
      data-row={row.id}
      data-key={column.key}
      data-editable={mayEdit}
      data-picked={mayEdit && isPicked(column)}
      data-empty={!column.isTitle && (column.field === undefined || !hasValue(row, column.field))}
      aria-readonly={!mayEdit}
      tabIndex={stop?.id === row.id && stop.key === column.key ? 0 : -1}
      onFocus={(event) => {
        if (event.target !== event.currentTarget) return
        setFocused(place)
        // A cell with the focus may be edited next, and by then the editor should be there.
        if (mayEdit) CellEditor.load().catch(() => undefined)
      }}
      onClick={({ target, currentTarget }) => {
        const isOnValue = target !== currentTarget && target !== currentTarget.firstChild
        if (mayEdit && !isEditing && isPicked(column) && isOnValue) edit(place)
      }}
      onDoubleClick={(event) => {
        if (!(event.target as Element).closest('a, input')) edit(place)
      }}
      onContextMenu={openMenu}
    >
      <div
        className={classes.value}
        data-lead={column.isTitle && lead !== undefined}
        onPointerEnter={({ currentTarget }) => nameWhole(currentTarget)}
      >
        {column.isTitle && lead?.(row)}
        <CellValue column={column} kind={kind} record={row} />
      </div>
      {column.isTitle && (
        <ActionIcon
          className={classes.peek}
          variant="default"
          size={24}
          tabIndex={-1}
          aria-label={t('Open {title} in the side panel', { title: titleOf(kind, row) })}
          onClick={() => onPeek(row.id)}
        >
          <Icon name="sidePanel" size={14} />
        </ActionIcon>
      )}
      {isEditing && column.field && (
        <CellEditor
          field={column.field}
          kind={kind}
          record={row}
          onDone={() => leave(place)}
          onNext={() => next(place)}
        />
      )}
    </td>
  )
}

/** Whether a click on a value opens its choices, as for a stage: they are few, and the choice itself saves. */
function isPicked({ field }: GridColumn): boolean {
  return field?.type === 'SELECT' || field?.references === 'STAGE' || field?.references === 'EMPLOYEE'
}

/** A value that does not fit is read whole where the pointer rests, and in the cell that has the focus. */
function nameWhole(value: HTMLElement): void {
  const isCut =
    value.scrollWidth > value.clientWidth || [...value.children].some((part) => part.scrollWidth > part.clientWidth)
  value.title = isCut ? (value.textContent ?? '') : ''
}

interface CellMenuProps extends GridProps {
  readonly menu: MenuPlace
  readonly cells: Cells
  readonly table: RefObject<HTMLTableElement | null>
  onClose(): void
}

/** What can be done with one value of a record. */
function CellMenu({ kind, columns, rows, menu, cells, table, onFilter, onClose }: CellMenuProps) {
  const row = [...rows.values()].find(({ id }) => id === menu.id)
  const column = columns.find(({ key }) => key === menu.key)
  if (row === undefined || column === undefined) return null
  return (
    <Menu opened onClose={onClose} position="bottom-start" trapFocus returnFocus withinPortal>
      <Menu.Target>
        <span className={classes.menuPlace} style={{ left: menu.x, top: menu.y }} />
      </Menu.Target>
      <Menu.Dropdown aria-label={t('{label} of {kind}', { label: column.label, kind: titleOf(kind, row) })}>
        {column.field && column.field.operators.length > 0 && (
          <Menu.Item onClick={() => onFilter(conditionOf(column, row))}>{t('Filter by this value')}</Menu.Item>
        )}
        {cells.mayEdit(column) && <Menu.Item onClick={() => cells.edit(menu)}>{t('Edit')}</Menu.Item>}
        <Menu.Item onClick={() => void copyText(textIn(menu, table.current))}>{t('Copy')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  j: [1, 0],
  k: [-1, 0],
}

function placeOf(row: AnyRecord | undefined, key: string | undefined): Place | null {
  return row === undefined || key === undefined ? null : { id: row.id, key }
}

function textIn({ id, key }: Place, table: HTMLTableElement | null): string {
  return table?.querySelector(`[data-row="${CSS.escape(id)}"][data-key="${CSS.escape(key)}"]`)?.textContent ?? ''
}

/** Returns the condition that a field has the value of a cell. */
function conditionOf({ key, field }: GridColumn, record: AnyRecord): WireCondition {
  const value = field && valueOf(record, field)
  const isEmpty = value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  if (isEmpty) return { field: key, op: 'empty' }
  if (Array.isArray(value)) return { field: key, op: 'in', value }
  return {
    field: key,
    op: 'is',
    value: field?.type === 'DATETIME' && typeof value === 'string' ? value.slice(0, 10) : value,
  }
}

const directions = { asc: 'ascending', desc: 'descending' } as const
const dragType = 'application/x-crm-heading'
const stepWidth = 16

function Heading({ column, state, onSort, onWidth, onOrder }: { readonly column: GridColumn } & GridProps) {
  const { key, label, width, sortKey, isTitle, isNumber } = column
  const [isOver, setOver] = useState(false)
  const place = state.sorts.findIndex((sort) => sort.key === sortKey)
  const order = state.sorts[place]?.order
  const dragProps = isTitle
    ? {}
    : {
        draggable: true,
        onDragStart: (event: DragEvent) => event.dataTransfer.setData(dragType, key),
        onDragOver: (event: DragEvent) => {
          if (!event.dataTransfer.types.includes(dragType)) return
          event.preventDefault()
          setOver(true)
        },
        onDragLeave: () => setOver(false),
        onDrop: (event: DragEvent) => {
          event.preventDefault()
          setOver(false)
          onOrder(event.dataTransfer.getData(dragType), key)
        },
      }
  return (
    <th
      role="columnheader"
      scope="col"
      className={isTitle ? classes.first : undefined}
      data-number={isNumber}
      data-over={isOver}
      aria-sort={sortKey ? (place === 0 && order ? directions[order] : 'none') : undefined}
      {...dragProps}
    >
      {sortKey ? (
        <button
          type="button"
          className={classes.sort}
          data-active={order !== undefined}
          title={t('Shift and click sorts by this column as well')}
          onClick={(event) => onSort(sortKey, event.shiftKey)}
        >
          <span className={classes.headingText}>{label}</span>
          <Icon name={order === 'asc' ? 'up' : 'down'} size={14} />
          {state.sorts.length > 1 && order !== undefined && (
            <span className={classes.sortPlace} aria-label={t('Sort level {place}', { place: place + 1 })} role="img">
              {place + 1}
            </span>
          )}
        </button>
      ) : (
        <span className={classes.headingText}>{label}</span>
      )}
      <Resizer label={label} width={width} onWidth={(next) => onWidth(key, next)} />
    </th>
  )
}

function Resizer({
  label,
  width,
  onWidth,
}: {
  readonly label: string
  readonly width: number
  onWidth(width: number): void
}) {
  const byKeys = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -stepWidth, ArrowRight: stepWidth }[event.key]
    if (step === undefined) return
    event.preventDefault()
    event.stopPropagation()
    onWidth(widthWithin(width + step))
  }
  const drag = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault()
    event.stopPropagation()
    const handle = event.currentTarget
    const from = event.clientX
    const heading = handle.closest('th')
    const column = heading && handle.closest('table')?.querySelectorAll('col')[heading.cellIndex]
    const at = heading?.getBoundingClientRect().width ?? width
    handle.setPointerCapture(event.pointerId)
    const move = ({ clientX }: globalThis.PointerEvent) =>
      column?.style.setProperty('width', `${widthWithin(at + clientX - from)}px`)
    const end = ({ clientX }: globalThis.PointerEvent) => {
      handle.removeEventListener('pointermove', move)
      handle.removeEventListener('pointerup', end)
      if (clientX !== from) onWidth(widthWithin(at + clientX - from))
    }
    handle.addEventListener('pointermove', move)
    handle.addEventListener('pointerup', end)
  }
  return (
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={t('Width of {label}', { label })}
      aria-valuenow={width}
      aria-valuemin={60}
      aria-valuemax={800}
      tabIndex={0}
      draggable={false}
      className={classes.resizer}
      onKeyDown={byKeys}
      onPointerDown={drag}
    />
  )
}
