import { Button, Checkbox, Skeleton } from '@mantine/core'
import type { CSSProperties, MouseEvent, DragEvent, ReactNode } from 'react'
import { Icon } from '../shell/icons.tsx'
import classes from './record-table.module.css'
import tables from './table.module.css'
import { t } from '../base/texts.ts'

/** A column of a table; the first one holds the link to the record, if there is one. */
export interface Column<Row, Sort extends string = string> {
  readonly label: string
  /** The field that a click on the heading sorts by. */
  readonly sort?: Sort
  /** Whether the column is left out on a narrow screen. */
  readonly isExtra?: boolean
  /** Whether the column is aligned for digits. */
  readonly isNumber?: boolean
  /** Whether only screen readers get the heading. */
  readonly isSpoken?: boolean
  cell(row: Row): ReactNode
}

/** The present sort order, and the action of a click on a heading. */
interface Sorting<Sort extends string> {
  readonly by: Sort
  readonly order: 'asc' | 'desc'
  onSort(field: Sort): void
}

/** The chosen rows, and the action of a click on a box. */
export interface Choice<Row> {
  has(row: Row): boolean
  /** Returns the name of a row for screen readers. */
  nameOf(row: Row): string
  toggle(row: Row, isRange: boolean): void
  togglePage(): void
}

/** The columns and actions of a table. */
export interface TableContent<Row extends object, Sort extends string = string> {
  readonly label: string
  /** The columns; a column that this person does not see may be `false`. */
  readonly columns: readonly (Column<Row, Sort> | false)[]
  readonly sorting?: Sorting<Sort>
  /** Whether a click anywhere in a row follows the link in it. */
  readonly isLinked?: boolean
  /** The actions at the end of a row. */
  actions?: ((row: Row) => ReactNode) | false
  /** The choice of rows, at their beginning. */
  readonly choice?: Choice<Row> | undefined
  /** Whether a row is over and done with, and looks faded. */
  isDead?(row: Row): boolean
  /** Returns the content that unfolds below a row. */
  detail?(row: Row): ReactNode
  /** Moves a row to the place of another one; without it rows cannot be dragged. */
  onMove?: ((row: Row, place: Row) => void) | undefined
}

interface RecordTableProps<Row extends object, Sort extends string> extends TableContent<Row, Sort> {
  /** The rows, identified by their ids, otherwise by their places. */
  readonly rows: readonly Row[]
  /** Whether the rows shown are still those of the last address. */
  readonly isStale?: boolean
  /** Rows of the table below the others, such as a sum. */
  readonly foot?: ReactNode
}

/** The drag carries the place of a row in this format, which only its own table reads. */
const dragType = 'application/x-crm-row'

/** Returns the handlers by which a row is dragged to the place of another one. */
function dragged<Row>(rows: readonly Row[], at: number, onMove: (row: Row, place: Row) => void) {
  return {
    draggable: true,
    onDragStart: (event: DragEvent) => event.dataTransfer.setData(dragType, String(at)),
    onDragOver: (event: DragEvent) => event.dataTransfer.types.includes(dragType) && event.preventDefault(),
    onDrop: (event: DragEvent) => {
      const [row, place] = [rows[Number(event.dataTransfer.getData(dragType))], rows[at]]
      event.preventDefault()
      if (row !== undefined && place !== undefined && row !== place) onMove(row, place)
    },
  }
}

/** Records as a table; on a phone it shows only the columns that tell them apart. */
export function RecordTable<Row extends object, Sort extends string>({
  label,
  columns,
  rows,
  isStale = false,
  sorting,
  isLinked = false,
  actions,
  choice,
  isDead,
  detail,
  onMove,
  foot,
}: RecordTableProps<Row, Sort>) {
  const shown = columns.filter((column) => column !== false)
  const width = shown.length + (actions ? 1 : 0) + (choice ? 1 : 0)
  const chosen = choice ? rows.filter((row) => choice.has(row)).length : 0
  return (
    <table
      role="table"
      className={actions ? `${tables.table} ${tables.acting}` : tables.table}
      aria-label={label}
      aria-busy={isStale}
      data-stale={isStale}
      data-columns={shown.filter(({ isExtra }) => !isExtra).length > 1 || undefined}
      style={{ '--columns': phoneColumns(shown, choice !== undefined) } as CSSProperties}
    >
      <thead role="rowgroup">
        <tr role="row">
          {choice && (
            <th role="columnheader" scope="col" className={classes.choice}>
              <Checkbox
                size="xs"
                aria-label={t('Select all rows')}
                checked={chosen === rows.length}
                indeterminate={chosen > 0 && chosen < rows.length}
                onChange={choice.togglePage}
              />
            </th>
          )}
          {shown.map((column) => (
            <Heading key={column.label} column={column} sorting={sorting} />
          ))}
          {actions && (
            <th role="columnheader" scope="col">
              <span className={tables.spoken}>{t('Actions')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.flatMap((row, at) => {
          const key = 'id' in row ? String(row.id) : String(at)
          const unfolded = detail?.(row)
          return [
            <tr
              key={key}
              role="row"
              data-dead={isDead?.(row)}
              data-chosen={choice?.has(row)}
              {...(isLinked ? { className: classes.row, onClick: openLink } : {})}
              {...(onMove ? dragged(rows, at, onMove) : {})}
            >
              {choice && (
                <td role="cell" className={classes.choice}>
                  <Checkbox
                    size="xs"
                    aria-label={t('Select row {row}', { row: choice.nameOf(row) })}
                    checked={choice.has(row)}
                    onChange={({ nativeEvent }) => choice.toggle(row, isWithShift(nativeEvent))}
                  />
                </td>
              )}
              {shown.map(({ label: name, isExtra, isNumber, cell }) => (
                <td key={name} role="cell" data-extra={isExtra} data-number={isNumber}>
                  {cell(row)}
                </td>
              ))}
              {actions && (
                <td role="cell">
                  <div className={tables.actions}>{actions(row)}</div>
                </td>
              )}
            </tr>,
            unfolded && (
              <tr key={`${key} detail`} role="row">
                <td role="cell" colSpan={width}>
                  {unfolded}
                </td>
              </tr>
            ),
          ]
        })}
        {foot}
      </tbody>
    </table>
  )
}

/** Returns the widths of the columns that a phone shows: the first one takes what the others leave. */
const phoneColumns = (columns: readonly { readonly isExtra?: boolean }[], isChosen: boolean) =>
  `${isChosen ? 'auto ' : ''}minmax(min-content, 1fr)${' fit-content(60%)'.repeat(columns.filter(({ isExtra }) => !isExtra).length - 1)}`

const directions = { asc: 'ascending', desc: 'descending' } as const

function Heading<Row, Sort extends string>({
  column: { label, sort, isExtra, isNumber, isSpoken },
  sorting,
}: {
  readonly column: Column<Row, Sort>
  readonly sorting: Sorting<Sort> | undefined
}) {
  const direction = sort !== undefined && sort === sorting?.by ? sorting.order : null
  return (
    <th
      role="columnheader"
      scope="col"
      data-extra={isExtra}
      data-number={isNumber}
      aria-sort={direction === null ? undefined : directions[direction]}
    >
      {isSpoken && <span className={tables.spoken}>{label}</span>}
      {!isSpoken && (sort === undefined || sorting === undefined) && label}
      {sort !== undefined && sorting !== undefined && (
        <button
          type="button"
          className={classes.sort}
          data-active={direction !== null}
          onClick={() => sorting.onSort(sort)}
        >
          {label}
          <Icon name={direction === 'asc' ? 'up' : 'down'} size={14} />
        </button>
      )}
    </th>
  )
}

/** A click with the shift key chooses all rows since the last one. */
function isWithShift(event: Event): boolean {
  return 'shiftKey' in event && event.shiftKey === true
}

/** A mouse can click anywhere in the row; keyboards and screen readers use the link. */
function openLink({ target, currentTarget }: MouseEvent<HTMLTableRowElement>): void {
  if ((target as Element).closest('a, input, label, button') === null && window.getSelection()?.toString() === '')
    currentTarget.querySelector('a')?.click()
}

/** The name of a row, with further identifying text below it. */
export function RowTitle({ children, note }: { readonly children: ReactNode; readonly note?: ReactNode }) {
  return (
    <>
      <div className={tables.title}>{children}</div>
      {note !== undefined && note !== null && <div className={tables.note}>{note}</div>}
    </>
  )
}

/** A note below the value of a cell. */
export function RowNote({ children }: { readonly children: ReactNode }) {
  return <div className={tables.note}>{children}</div>
}

interface RowButtonProps {
  readonly verb: string
  /** The name of the row for people. */
  readonly name: string
  readonly isDestructive?: boolean
  readonly isBusy?: boolean
  onClick(): void
}

/** A button of one row; screen readers hear the row's name. */
export function RowButton({ verb, name, isDestructive = false, isBusy = false, onClick }: RowButtonProps) {
  const look = isDestructive ? { variant: 'subtle', color: 'red' } : { variant: 'default' }
  return (
    <Button {...look} size="xs" aria-label={`${verb} ${name}`} loading={isBusy} onClick={onClick}>
      {verb}
    </Button>
  )
}

/** The table while its rows are loading. */
export function LoadingRows({ rows, label }: { readonly rows: number; readonly label: string }) {
  return (
    <div role="status" aria-label={label}>
      {Array.from({ length: Math.min(rows, 12) }, (_, at) => (
        <div key={at} className={classes.loadingRow}>
          <Skeleton height={14} width={`${18 + ((at * 7) % 12)}%`} />
          <Skeleton height={14} width="12%" />
          <Skeleton height={14} width="8%" />
        </div>
      ))}
    </div>
  )
}
