import { Button, Checkbox, Skeleton } from '@mantine/core'
import type { MouseEvent, ReactNode } from 'react'
import { Icon } from '../shell/icons.tsx'
import classes from './record-table.module.css'
import tables from './table.module.css'

/** A column of a table; the first one holds the link to the record, where there is one. */
export interface Column<Row, Sort extends string = string> {
  readonly label: string
  /** The field that a click on the heading sorts by. */
  readonly sort?: Sort
  /** Left out where there is little room. */
  readonly isExtra?: boolean
  /** Aligned so that digits stand beneath each other. */
  readonly isNumber?: boolean
  /** Whether only screen readers have the heading. */
  readonly isSpoken?: boolean
  cell(row: Row): ReactNode
}

/** How a table is sorted, and what a click on a heading does about it. */
interface Sorting<Sort extends string> {
  readonly by: Sort
  readonly order: 'asc' | 'desc'
  onSort(field: Sort): void
}

/** Which rows are chosen, and what a click on a box does about it. */
export interface Choice<Row> {
  has(row: Row): boolean
  /** What screen readers are told of a row. */
  nameOf(row: Row): string
  toggle(row: Row, isRange: boolean): void
  togglePage(): void
}

/** What a table shows of its rows. */
export interface TableContent<Row extends object, Sort extends string = string> {
  readonly label: string
  /** A column that this person does not see may be `false`. */
  readonly columns: readonly (Column<Row, Sort> | false)[]
  readonly sorting?: Sorting<Sort>
  /** Whether a click anywhere in a row follows the link in it. */
  readonly isLinked?: boolean
  /** What can be done with a row; stands at its end. */
  actions?: ((row: Row) => ReactNode) | false
  /** Lets rows be chosen; stands at their beginning. */
  readonly choice?: Choice<Row> | undefined
  /** Whether a row is over and done with, and stands back. */
  isDead?(row: Row): boolean
  /** What is unfolded beneath a row. */
  detail?(row: Row): ReactNode
}

interface RecordTableProps<Row extends object, Sort extends string> extends TableContent<Row, Sort> {
  /** Told from each other by their ids, else by their places. */
  readonly rows: readonly Row[]
  /** Whether the rows shown are still those of the last address. */
  readonly isStale?: boolean
  /** What stands beneath the rows, such as a sum; rows of a table. */
  readonly foot?: ReactNode
}

/** Records as a table; on a phone only what tells them apart. */
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
  foot,
}: RecordTableProps<Row, Sort>) {
  const shown = columns.filter((column) => column !== false)
  const width = shown.length + (actions ? 1 : 0) + (choice ? 1 : 0)
  const chosen = choice ? rows.filter((row) => choice.has(row)).length : 0
  return (
    <table className={tables.table} aria-label={label} aria-busy={isStale} data-stale={isStale}>
      <thead>
        <tr>
          {choice && (
            <th scope="col" className={classes.choice}>
              <Checkbox
                size="xs"
                aria-label="Select all rows"
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
            <th scope="col">
              <span className={tables.spoken}>Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.flatMap((row, at) => {
          const key = 'id' in row ? String(row.id) : String(at)
          const unfolded = detail?.(row)
          return [
            <tr
              key={key}
              data-dead={isDead?.(row)}
              data-chosen={choice?.has(row)}
              {...(isLinked ? { className: classes.row, onClick: openLink } : {})}
            >
              {choice && (
                <td className={classes.choice}>
                  <Checkbox
                    size="xs"
                    aria-label={`Select row ${choice.nameOf(row)}`}
                    checked={choice.has(row)}
                    onChange={({ nativeEvent }) => choice.toggle(row, isWithShift(nativeEvent))}
                  />
                </td>
              )}
              {shown.map(({ label: name, isExtra, isNumber, cell }) => (
                <td key={name} data-extra={isExtra} data-number={isNumber}>
                  {cell(row)}
                </td>
              ))}
              {actions && (
                <td>
                  <div className={tables.actions}>{actions(row)}</div>
                </td>
              )}
            </tr>,
            unfolded && (
              <tr key={`${key} detail`}>
                <td colSpan={width}>{unfolded}</td>
              </tr>
            ),
          ]
        })}
        {foot}
      </tbody>
    </table>
  )
}

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

/** A click with the shift key chooses everything since the last one. */
function isWithShift(event: Event): boolean {
  return 'shiftKey' in event && event.shiftKey === true
}

/** The whole row leads on for the mouse; keyboards and screen readers have the link. */
function openLink({ target, currentTarget }: MouseEvent<HTMLTableRowElement>): void {
  if ((target as Element).closest('a, input, label, button') === null && window.getSelection()?.toString() === '')
    currentTarget.querySelector('a')?.click()
}

/** The name of a row, and beneath it what else tells it apart. */
export function RowTitle({ children, note }: { readonly children: ReactNode; readonly note?: ReactNode }) {
  return (
    <>
      <div className={tables.title}>{children}</div>
      {note !== undefined && note !== null && <div className={tables.note}>{note}</div>}
    </>
  )
}

/** What is said beneath the value of a cell. */
export function RowNote({ children }: { readonly children: ReactNode }) {
  return <div className={tables.note}>{children}</div>
}

interface RowButtonProps {
  readonly verb: string
  /** What people call the row. */
  readonly name: string
  readonly isDestructive?: boolean
  readonly isBusy?: boolean
  onClick(): void
}

/** A button of one row; screen readers hear which. */
export function RowButton({ verb, name, isDestructive = false, isBusy = false, onClick }: RowButtonProps) {
  const look = isDestructive ? { variant: 'subtle', color: 'red' } : { variant: 'default' }
  return (
    <Button {...look} size="xs" aria-label={`${verb} ${name}`} loading={isBusy} onClick={onClick}>
      {verb}
    </Button>
  )
}

/** The table while its rows are on their way. */
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
