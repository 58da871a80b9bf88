import { leadStatuses, temperatures, type LeadRecord } from '@crm/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { usePeopleNames } from '../../base/people.ts'
import { ExportButton } from '../../domain/transfers/export-button.tsx'
import { ChoiceFilter } from '../../records/choice-filter.tsx'
import { inWords } from '../../records/field-words.ts'
import { RecordList } from '../../records/record-list.tsx'
import classes from '../../records/record-table.module.css'
import type { Column } from '../../records/record-table.tsx'
import { wishOf } from '../../records/saved-filter-address.ts'
import { SavedFilters } from '../../records/saved-filters.tsx'
import { leadSubtitle, leadTitle } from '../../records/titles.ts'
import { Age } from '../../shell/age.tsx'
import { Nothing } from '../../shell/nothing.tsx'
import { ScoreMark, StatusMark, TemperatureMark } from './lead-marks.tsx'
import { leadsQuery } from './lead-queries.ts'
import { leadAddress, type LeadSearch } from './lead-search.ts'
import { rememberPlace } from './list-place.ts'

const route = getRouteApi('/console/leads')

const words = {
  title: 'Leads',
  one: 'lead',
  many: 'leads',
  searched: 'Name, company, e-mail or phone',
  origin: 'Leads from forms, imports, bookings and the API appear here, and those that you add.',
}

const choicesOf = (codes: readonly string[]) => codes.map((value) => ({ value, label: inWords(value) }))

/** The list of leads. */
export function LeadsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const query = leadAddress.queryOf(search)
  const list = useQuery(leadsQuery(query))
  const owners = usePeopleNames(list.data?.items.map(({ ownerId }) => ownerId))
  useEffect(() => rememberPlace(search), [search])
  const go = (next: LeadSearch) => void navigate({ search: next, resetScroll: false })
  return (
    <RecordList
      words={words}
      address={leadAddress}
      search={search}
      list={list}
      columns={columnsOf(owners)}
      filters={
        <>
          <ChoiceFilter
            label="Status"
            value={search.status}
            choices={choicesOf(leadStatuses)}
            onChange={(status) => go(leadAddress.change(search, { status }))}
          />
          <ChoiceFilter
            label="Temperature"
            value={search.temperature}
            choices={choicesOf(temperatures)}
            onChange={(temperature) => go(leadAddress.change(search, { temperature }))}
          />
          <SavedFilters entityType="LEAD" search={search} wish={wishOf(query)} read={leadAddress.read} onGo={go} />
        </>
      }
      actions={<ExportButton entityType="LEAD" query={query} />}
      creates="LEAD"
      onGo={(next, how) => void navigate({ search: next, ...how })}
    />
  )
}

function columnsOf(
  owners: ReadonlyMap<string, string>,
): readonly Column<LeadRecord, NonNullable<LeadSearch['sortBy']>>[] {
  return [
    { label: 'Name', sort: 'lastName', cell: nameOf },
    { label: 'Company', sort: 'companyName', isExtra: true, cell: ({ companyName }) => companyName ?? <Nothing /> },
    { label: 'Status', sort: 'status', cell: ({ status }) => <StatusMark status={status} /> },
    { label: 'Temperature', isExtra: true, cell: ({ temperature }) => <TemperatureMark temperature={temperature} /> },
    { label: 'Score', sort: 'score', cell: ({ score }) => <ScoreMark score={score} /> },
    {
      label: 'Owner',
      isExtra: true,
      cell: ({ ownerId }) => (ownerId === null ? undefined : owners.get(ownerId)) ?? <Nothing />,
    },
    { label: 'Created', sort: 'createdAt', isExtra: true, cell: ({ createdAt }) => <Age at={createdAt} /> },
  ]
}

function nameOf(lead: LeadRecord) {
  return (
    <>
      <Link to="/leads/$id" params={{ id: lead.id }} className={classes.name}>
        {leadTitle(lead)}
      </Link>
      <div className={classes.subtitle}>{leadSubtitle(lead)}</div>
    </>
  )
}
