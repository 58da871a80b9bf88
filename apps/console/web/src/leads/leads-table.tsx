import type { LeadRecord } from '@crm/contract'
import { Skeleton } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { usePeopleNames } from '../people.ts'
import { Age } from '../shell/age.tsx'
import { Icon } from '../shell/icons.tsx'
import tables from '../shell/table.module.css'
import { Nothing, ScoreMark, StatusMark, TemperatureMark } from './lead-marks.tsx'
import type { LeadSearch } from './lead-search.ts'
import { leadSubtitle, leadTitle } from './lead-words.ts'
import classes from './leads-table.module.css'

type SortField = NonNullable<LeadSearch['sortBy']>

interface Column {
  readonly label: string
  readonly sort?: SortField
  /** Left out where there is little room. */
  readonly isExtra?: boolean
}

const columns: readonly Column[] = [
  { label: 'Name', sort: 'lastName' },
  { label: 'Company', sort: 'companyName', isExtra: true },
  { label: 'Status', sort: 'status' },
  { label: 'Temperature', isExtra: true },
  { label: 'Score', sort: 'score' },
  { label: 'Owner', isExtra: true },
  { label: 'Created', sort: 'createdAt', isExtra: true },
]

interface LeadsTableProps {
  readonly leads: readonly LeadRecord[]
  /** Whether the list shown is still that of the last address. */
  readonly isStale: boolean
  readonly sortBy: SortField
  readonly sortOrder: 'asc' | 'desc'
  onSort(field: SortField): void
}

/** The leads of a page as a table; on a phone only what tells them apart. */
export function LeadsTable({ leads, isStale, sortBy, sortOrder, onSort }: LeadsTableProps) {
  const owners = usePeopleNames(leads.map(({ ownerId }) => ownerId))
  return (
    <table className={tables.table} aria-label="Leads" aria-busy={isStale} data-stale={isStale}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.label} scope="col" data-extra={column.isExtra} aria-sort={sortOf(column, sortBy, sortOrder)}>
              {column.sort === undefined ? column.label : <SortButton column={column.label} direction={column.sort === sortBy ? sortOrder : null} onSort={() => column.sort && onSort(column.sort)} />}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {leads.map((lead) => <LeadRow key={lead.id} lead={lead} owner={lead.ownerId === null ? undefined : owners.get(lead.ownerId)} />)}
      </tbody>
    </table>
  )
}

function sortOf({ sort }: Column, sortBy: SortField, sortOrder: 'asc' | 'desc'): 'ascending' | 'descending' | undefined {
  if (sort !== sortBy) return undefined
  return sortOrder === 'asc' ? 'ascending' : 'descending'
}

function SortButton({ column, direction, onSort }: { readonly column: string; readonly direction: 'asc' | 'desc' | null; onSort(): void }) {
  return (
    <button type="button" className={classes.sort} data-active={direction !== null} onClick={onSort}>
      {column}
      <Icon name={direction === 'asc' ? 'up' : 'down'} size={14} />
    </button>
  )
}

function LeadRow({ lead, owner }: { readonly lead: LeadRecord; readonly owner: string | undefined }) {
  const navigate = useNavigate()
  // The whole row leads on for the mouse; keyboards and screen readers have the link.
  const open = (event: MouseEvent<HTMLTableRowElement>) => {
    if ((event.target as Element).closest('a') === null && window.getSelection()?.toString() === '') void navigate({ to: '/leads/$id', params: { id: lead.id } })
  }
  return (
    <tr className={classes.row} onClick={open}>
      <td>
        <Link to="/leads/$id" params={{ id: lead.id }} className={classes.name}>{leadTitle(lead)}</Link>
        <div className={classes.subtitle}>{leadSubtitle(lead)}</div>
      </td>
      <td data-extra>{lead.companyName ?? <Nothing />}</td>
      <td><StatusMark status={lead.status} /></td>
      <td data-extra><TemperatureMark temperature={lead.temperature} /></td>
      <td><ScoreMark score={lead.score} /></td>
      <td data-extra>{owner ?? <Nothing />}</td>
      <td data-extra><Age at={lead.createdAt} /></td>
    </tr>
  )
}

/** The table while its rows are on their way. */
export function LoadingLeads({ rows }: { readonly rows: number }) {
  return (
    <div role="status" aria-label="Loading leads">
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
