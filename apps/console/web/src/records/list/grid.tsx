import { ActionIcon, Checkbox, Menu } from '@mantine/core'
import {
  lazy,
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
import { Opening } from '../../shell/opening.tsx'
import { typeAhead } from '../../shell/type-ahead.ts'
import { valueOf } from '../field-values.ts'
import { titleOf, type AnyRecord } from '../record-calls.ts'
import type { Choice } from '../record-table.tsx'
import type { Kind } from '../record-kinds.ts'
import { usePageCommand } from '../page-commands.ts'
import { CellValue } from './cell-value.tsx'
import type { GridColumn } from './columns.ts'
import type { WireCondition } from './list-address.ts'
import { widthWithin, type ListState } from './list-state.ts'
import { Totals } from './totals.tsx'
import classes from './grid.module.css'
import { t } from '../../base/texts.ts'

const loadEditor = () => import('./cell-editor.tsx')
const CellEditor = lazy(async () => ({ default: (await loadEditor()).CellEditor }))

interface GridProps {
  readonly label: string
  readonly kind: Kind
  readonly state: ListState
  readonly columns: readonly GridColumn[]
  readonly rows: readonly AnyRecord[]
  readonly total: number
  readonly isStale: boolean
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
function useCells({ kind, columns, rows, choice, onPeek }: GridProps, table: RefObject<HTMLTableElement | null>) {
  const back = useRef<Place | null>(null)
  const [focused, setFocused] = useState<Place | null>(null)
  const [editing, setEditing] = useState<Place | null>(null)
  const stop = focused && rows.some(({ id }) => id === focused.id) ? focused : placeAt(rows, columns, 0, 0)
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
  const byKeys = (event: KeyboardEvent<HTMLElement>) => {
    const cell = event.target as HTMLElement
    const { row: id, key } = cell.dataset
    if (id === undefined || key === undefined) return
    const isWithControl = event.ctrlKey || event.metaKey
    const step = isWithControl ? undefined : steps[event.key]
    const at = rows.findIndex((row) => row.id === id)
    if (step) {
      const place = placeAt(rows, columns, at + step[0], columns.findIndex((column) => column.key === key) + step[1])
      event.preventDefault()
      if (place) focusOn(place)
    } else if (['Enter', 'e', 'F2'].includes(event.key) && !isWithControl) {
      if (edit({ id, key })) event.preventDefault()
      else if (event.key === 'Enter') cell.querySelector('a')?.click()
    } else if (event.key === ' ' && !isWithControl) {
      event.preventDefault()
      onPeek(id)
    } else if (event.key.toLowerCase() === 'x' && !isWithControl && choice) {
      const row = rows[at]
      if (row) choice.toggle(row, event.shiftKey)
    } else if (event.key === 'a' && isWithControl && choice) {
      event.preventDefault()
      choice.togglePage()
    }
  }
  return { stop, editing, mayEdit, setFocused, edit, leave, next, byKeys }
}

type Cells = ReturnType<typeof useCells>

/** Records as a grid: cells are reached by the arrow keys and edited in place. */
export function Grid(props: GridProps) {
  const { label, kind, state, columns, rows, total, isStale, choice, peeked, onSums } = props
  const table = useRef<HTMLTableElement>(null)
  const cells = useCells(props, table)
  const [menu, setMenu] = useState<MenuPlace | null>(null)
  const chosen = choice ? rows.filter((row) => choice.has(row)).length : 0
  return (
    <div className={classes.scroller}>
      <table
        ref={table}
        role="grid"
        className={classes.grid}
        aria-label={label}
        aria-rowcount={total}
        aria-colcount={columns.length}
        aria-busy={isStale}
        data-stale={isStale}
        style={{ minWidth: columns.reduce((width, column) => width + column.width, choice ? 40 : 0) }}
        onKeyDown={cells.byKeys}
      >
        <colgroup>
          {choice && <col style={{ width: 40 }} />}
          {columns.map(({ key, width }) => (
            <col key={key} style={{ width }} />
          ))}
        </colgroup>
        <thead role="rowgroup">
          <tr role="row">
            {choice && (
              <th role="columnheader" scope="col" className={classes.choice} data-label={t('records.selectAll')}>
                <Checkbox
                  size="xs"
                  aria-label={t('records.selectAllRows')}
                  checked={chosen === rows.length && rows.length > 0}
                  indeterminate={chosen > 0 && chosen < rows.length}
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
          {rows.map((row, at) => (
            <tr
              key={row.id}
              role="row"
              aria-rowindex={(state.page - 1) * state.pageSize + at + 2}
              data-chosen={choice?.has(row)}
              data-peeked={row.id === peeked}
              className={classes.row}
            >
              {choice && (
                <td role="gridcell" className={classes.choice}>
                  <Checkbox
                    size="xs"
                    aria-label={t('records.selectRowRow', { row: choice.nameOf(row) })}
                    checked={choice.has(row)}
                    onChange={({ nativeEvent }) => choice.toggle(row, (nativeEvent as unknown as MouseEvent).shiftKey)}
                  />
                </td>
              )}
              {columns.map((column) => (
                <Cell key={column.key} {...props} row={row} column={column} cells={cells} onMenu={setMenu} />
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot role="rowgroup">
          <Totals kind={kind} state={state} columns={columns} total={total} before={choice ? 1 : 0} onSums={onSums} />
        </tfoot>
      </table>
      {menu && <CellMenu {...props} menu={menu} cells={cells} table={table} onClose={() => setMenu(null)} />}
    </div>
  )
}

interface MenuPlace extends Place {
  readonly x: number
  readonly y: number
}

interface CellProps extends GridProps {
  readonly row: AnyRecord
  readonly column: GridColumn
  readonly cells: Cells
  onMenu(place: MenuPlace): void
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
      aria-readonly={!mayEdit}
      tabIndex={stop?.id === row.id && stop.key === column.key ? 0 : -1}
      onFocus={(event) => {
        if (event.target !== event.currentTarget) return
        setFocused(place)
        // A cell with the focus may be edited next, and by then the editor should be there.
        if (mayEdit) loadEditor().catch(() => undefined)
      }}
      onDoubleClick={(event) => {
        if (!(event.target as Element).closest('a, input')) edit(place)
      }}
      onContextMenu={openMenu}
    >
      <div className={classes.value} data-lead={column.isTitle && lead !== undefined}>
        {column.isTitle && lead?.(row)}
        <CellValue column={column} kind={kind} record={row} />
      </div>
      {column.isTitle && (
        <ActionIcon
          className={classes.peek}
          variant="default"
          size={24}
          tabIndex={-1}
          aria-label={t('records.openTitleInTheSidePanel', { title: titleOf(kind, row) })}
          onClick={() => onPeek(row.id)}
        >
          <Icon name="sidePanel" size={14} />
        </ActionIcon>
      )}
      {isEditing && column.field && (
        <Opening>
          <CellEditor
            field={column.field}
            kind={kind}
            record={row}
            onDone={() => leave(place)}
            onNext={() => next(place)}
          />
        </Opening>
      )}
    </td>
  )
}

interface CellMenuProps extends GridProps {
  readonly menu: MenuPlace
  readonly cells: Cells
  readonly table: RefObject<HTMLTableElement | null>
  onClose(): void
}

/** What can be done with one value of a record. */
function CellMenu({ kind, columns, rows, menu, cells, table, onFilter, onClose }: CellMenuProps) {
  const row = rows.find(({ id }) => id === menu.id)
  const column = columns.find(({ key }) => key === menu.key)
  if (row === undefined || column === undefined) return null
  return (
    <Menu opened onClose={onClose} position="bottom-start" trapFocus returnFocus withinPortal>
      <Menu.Target>
        <span className={classes.menuPlace} style={{ left: menu.x, top: menu.y }} />
      </Menu.Target>
      <Menu.Dropdown aria-label={t('records.labelOfKind', { label: column.label, kind: titleOf(kind, row) })}>
        {column.field && column.field.operators.length > 0 && (
          <Menu.Item onClick={() => onFilter(conditionOf(column, row))}>{t('records.filterByThisValue')}</Menu.Item>
        )}
        {cells.mayEdit(column) && <Menu.Item onClick={() => cells.edit(menu)}>{t('common.edit')}</Menu.Item>}
        <Menu.Item onClick={() => void navigator.clipboard.writeText(textIn(menu, table.current))}>
          {t('common.copy')}
        </Menu.Item>
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

function placeAt(
  rows: readonly AnyRecord[],
  columns: readonly GridColumn[],
  row: number,
  column: number,
): Place | null {
  const [id, key] = [rows[row]?.id, columns[column]?.key]
  return id === undefined || key === undefined ? null : { id, key }
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
          title={t('records.shiftClickSortsFurther')}
          onClick={(event) => onSort(sortKey, event.shiftKey)}
        >
          <span className={classes.headingText}>{label}</span>
          <Icon name={order === 'asc' ? 'up' : 'down'} size={14} />
          {state.sorts.length > 1 && order !== undefined && (
            <span className={classes.sortPlace} aria-label={t('records.sortLevel', { place: place + 1 })} role="img">
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
      aria-label={t('records.widthOfLabel', { label })}
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
