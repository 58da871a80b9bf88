import type { CompanyRecord } from '@crm/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { usePeopleNames } from '../../base/people.ts'
import { ExportButton } from '../../domain/transfers/export-button.tsx'
import { ChoiceFilter } from '../../records/choice-filter.tsx'
import { OwnerFilter } from '../../records/owner-filter.tsx'
import { RecordList } from '../../records/record-list.tsx'
import classes from '../../records/record-table.module.css'
import type { Column } from '../../records/record-table.tsx'
import { wishOf } from '../../records/saved-filter-address.ts'
import { SavedFilters } from '../../records/saved-filters.tsx'
import { Age } from '../../shell/age.tsx'
import { Nothing } from '../../shell/nothing.tsx'
import { companiesQuery, companyAddress, useIndustries } from './company-queries.ts'

const route = getRouteApi('/console/companies')

const words = {
  title: 'Companies',
  one: 'company',
  many: 'companies',
  searched: 'Name, domain, e-mail or phone',
  origin: 'Companies come from leads that are converted, from imports and the API, and those that you add.',
}

/** The list of companies. */
export function CompaniesPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const industries = useIndustries()
  const list = useQuery(companiesQuery(companyAddress.queryOf(search)))
  const owners = usePeopleNames(list.data?.items.map(({ ownerId }) => ownerId))
  const narrow = (change: Parameters<typeof companyAddress.change>[1]) =>
    void navigate({ search: companyAddress.change(search, change), resetScroll: false })
  return (
    <RecordList
      words={words}
      address={companyAddress}
      search={search}
      list={list}
      columns={columnsOf(owners, new Map(industries.map(({ id, name }) => [id, name])))}
      filters={
        <>
          {industries.length > 0 && (
            <ChoiceFilter
              label="Industry"
              value={search.industryId}
              onChange={(value) => narrow({ industryId: value })}
              choices={industries.map(({ id, name }) => ({ value: id, label: name }))}
            />
          )}
          <OwnerFilter ownerId={search.ownerId} onChange={(ownerId) => narrow({ ownerId })} />
          <SavedFilters
            entityType="COMPANY"
            search={search}
            wish={wishOf(companyAddress.queryOf(search))}
            read={companyAddress.read}
            onGo={(next) => void navigate({ search: next, resetScroll: false })}
          />
        </>
      }
      actions={<ExportButton entityType="COMPANY" query={companyAddress.queryOf(search)} />}
      creates="COMPANY"
      onGo={(next, how) => void navigate({ search: next, ...how })}
    />
  )
}

function columnsOf(
  owners: ReadonlyMap<string, string>,
  industries: ReadonlyMap<string, string>,
): readonly Column<CompanyRecord, 'createdAt' | 'name' | 'domain'>[] {
  return [
    { label: 'Name', sort: 'name', cell: nameOf },
    { label: 'Domain', sort: 'domain', cell: ({ domain }) => domain ?? <Nothing /> },
    {
      label: 'Industry',
      isExtra: true,
      cell: ({ industryId }) => (industryId && industries.get(industryId)) ?? <Nothing />,
    },
    { label: 'Size', isExtra: true, cell: ({ size }) => size ?? <Nothing /> },
    { label: 'Owner', isExtra: true, cell: ({ ownerId }) => (ownerId && owners.get(ownerId)) ?? <Nothing /> },
    { label: 'Created', sort: 'createdAt', isExtra: true, cell: ({ createdAt }) => <Age at={createdAt} /> },
  ]
}

function nameOf({ id, name, email, phone }: CompanyRecord) {
  return (
    <>
      <Link to="/companies/$id" params={{ id }} className={classes.name}>
        {name}
      </Link>
      <div className={classes.subtitle}>{email ?? phone ?? ''}</div>
    </>
  )
}
