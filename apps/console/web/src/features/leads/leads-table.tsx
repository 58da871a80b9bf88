import type { LeadRecord } from '@crm/contract'
import { Link } from '@tanstack/react-router'
import { usePeopleNames } from '../../base/people.ts'
import classes from '../../records/record-table.module.css'
import { RecordTable, type Column } from '../../records/record-table.tsx'
import { leadSubtitle, leadTitle } from '../../records/titles.ts'
import { Age } from '../../shell/age.tsx'
import { Nothing } from '../../shell/nothing.tsx'
import { ScoreMark, StatusMark, TemperatureMark } from './lead-marks.tsx'
import type { LeadSearch } from './lead-search.ts'

type SortField = NonNullable<LeadSearch['sortBy']>

interface LeadsTableProps {
  readonly leads: readonly LeadRecord[]
  /** Whether the list shown is still that of the last address. */
  readonly isStale: boolean
  readonly sortBy: SortField
  readonly sortOrder: 'asc' | 'desc'
  onSort(field: SortField): void
}

/** The leads of a page as a table. */
export function LeadsTable({ leads, ...sorting }: LeadsTableProps) {
  const owners = usePeopleNames(leads.map(({ ownerId }) => ownerId))
  return <RecordTable label="Leads" columns={columnsOf(owners)} rows={leads} {...sorting} />
}

function columnsOf(owners: ReadonlyMap<string, string>): readonly Column<LeadRecord, SortField>[] {
  return [
    { label: 'Name', sort: 'lastName', cell: nameOf },
    { label: 'Company', sort: 'companyName', isExtra: true, cell: ({ companyName }) => companyName ?? <Nothing /> },
    { label: 'Status', sort: 'status', cell: ({ status }) => <StatusMark status={status} /> },
    { label: 'Temperature', isExtra: true, cell: ({ temperature }) => <TemperatureMark temperature={temperature} /> },
    { label: 'Score', sort: 'score', cell: ({ score }) => <ScoreMark score={score} /> },
    { label: 'Owner', isExtra: true, cell: ({ ownerId }) => (ownerId === null ? undefined : owners.get(ownerId)) ?? <Nothing /> },
    { label: 'Created', sort: 'createdAt', isExtra: true, cell: ({ createdAt }) => <Age at={createdAt} /> },
  ]
}

function nameOf(lead: LeadRecord) {
  return (
    <>
      <Link to="/leads/$id" params={{ id: lead.id }} className={classes.name}>{leadTitle(lead)}</Link>
      <div className={classes.subtitle}>{leadSubtitle(lead)}</div>
    </>
  )
}
