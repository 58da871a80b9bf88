import { Skeleton } from '@mantine/core'
import type { MouseEvent, ReactNode } from 'react'
import { Icon } from '../shell/icons.tsx'
import tables from '../shell/table.module.css'
import classes from './record-table.module.css'

/** A column of a list of records; the first one holds the link to the record. */
export interface Column<Row, Sort extends string> {
  readonly label: string
  /** The field that a click on the heading sorts by. */
  readonly sort?: Sort
  /** Left out where there is little room. */
  readonly isExtra?: boolean
  cell(row: Row): ReactNode
}

interface RecordTableProps<Row, Sort extends string> {
  readonly label: string
  readonly columns: readonly Column<Row, Sort>[]
  readonly rows: readonly Row[]
  /** Whether the list shown is still that of the last address. */
  readonly isStale: boolean
  readonly sortBy: Sort
  readonly sortOrder: 'asc' | 'desc'
  onSort(field: Sort): void
}

/** The records of a page as a table; on a phone only what tells them apart. */
export function RecordTable<Row extends { readonly id: string }, Sort extends string>({ label, columns, rows, isStale, sortBy, sortOrder, onSort }: RecordTableProps<Row, Sort>) {
  return (
    <table className={tables.table} aria-label={label} aria-busy={isStale} data-stale={isStale}>
      <thead>
        <tr>
          {columns.map(({ label: name, sort, isExtra }) => (
            <th key={name} scope="col" data-extra={isExtra} aria-sort={sort === sortBy ? directions[sortOrder] : undefined}>
              {sort === undefined ? name : <SortButton column={name} direction={sort === sortBy ? sortOrder : null} onSort={() => onSort(sort)} />}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} className={classes.row} onClick={openLink}>
            {columns.map(({ label: name, isExtra, cell }) => <td key={name} data-extra={isExtra}>{cell(row)}</td>)}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const directions = { asc: 'ascending', desc: 'descending' } as const

/** The whole row leads on for the mouse; keyboards and screen readers have the link. */
function openLink({ target, currentTarget }: MouseEvent<HTMLTableRowElement>): void {
  if ((target as Element).closest('a') === null && window.getSelection()?.toString() === '') currentTarget.querySelector('a')?.click()
}

function SortButton({ column, direction, onSort }: { readonly column: string; readonly direction: 'asc' | 'desc' | null; onSort(): void }) {
  return (
    <button type="button" className={classes.sort} data-active={direction !== null} onClick={onSort}>
      {column}
      <Icon name={direction === 'asc' ? 'up' : 'down'} size={14} />
    </button>
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
