import type { ContactRecord } from '@crm/contract'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { usePeopleNames } from '../../base/people.ts'
import { ExportButton } from '../../domain/transfers/export-button.tsx'
import { OwnerFilter } from '../../records/owner-filter.tsx'
import { RecordList } from '../../records/record-list.tsx'
import classes from '../../records/record-table.module.css'
import type { Column } from '../../records/record-table.tsx'
import { wishOf } from '../../records/saved-filter-address.ts'
import { SavedFilters } from '../../records/saved-filters.tsx'
import { contactSubtitle, contactTitle } from '../../records/titles.ts'
import { useRecordName } from '../../records/use-record-name.ts'
import { Age } from '../../shell/age.tsx'
import { Nothing } from '../../shell/nothing.tsx'
import { contactAddress, contactsQuery, useCompanyNames } from './contact-queries.ts'

const route = getRouteApi('/console/contacts')

const words = {
  title: 'Contacts',
  one: 'contact',
  many: 'contacts',
  searched: 'Name, e-mail or phone',
  origin: 'Contacts come from leads that are converted, from imports and the API, and those that you add.',
}

/** The list of contacts. */
export function ContactsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const list = useQuery(contactsQuery(contactAddress.queryOf(search)))
  const owners = usePeopleNames(list.data?.items.map(({ ownerId }) => ownerId))
  const companies = useCompanyNames(list.data?.items.map(({ companyId }) => companyId))
  const company = useRecordName('COMPANY', search.companyId ?? null)
  const narrow = (change: Parameters<typeof contactAddress.change>[1]) =>
    void navigate({ search: contactAddress.change(search, change), resetScroll: false })
  return (
    <RecordList
      words={words}
      address={contactAddress}
      search={search}
      list={list}
      columns={columnsOf(owners, companies)}
      filters={
        <>
          <OwnerFilter ownerId={search.ownerId} onChange={(ownerId) => narrow({ ownerId })} />
          {company !== null && (
            <Button
              variant="default"
              onClick={() => narrow({ companyId: undefined })}
              title="Show the contacts of all companies"
            >{`Of ${company} ×`}</Button>
          )}
          <SavedFilters
            entityType="CONTACT"
            search={search}
            wish={wishOf(contactAddress.queryOf(search))}
            read={contactAddress.read}
            onGo={(next) => void navigate({ search: next, resetScroll: false })}
          />
        </>
      }
      actions={<ExportButton entityType="CONTACT" query={contactAddress.queryOf(search)} />}
      creates="CONTACT"
      onGo={(next, how) => void navigate({ search: next, ...how })}
    />
  )
}

function columnsOf(
  owners: ReadonlyMap<string, string>,
  companies: ReadonlyMap<string, string>,
): readonly Column<ContactRecord, 'createdAt' | 'lastName' | 'email'>[] {
  return [
    { label: 'Name', sort: 'lastName', cell: nameOf },
    {
      label: 'Company',
      isExtra: true,
      cell: ({ companyId }) => (companyId && companies.get(companyId)) ?? <Nothing />,
    },
    { label: 'Job title', isExtra: true, cell: ({ jobTitle }) => jobTitle ?? <Nothing /> },
    { label: 'E-mail', sort: 'email', cell: ({ email }) => email ?? <Nothing /> },
    { label: 'Phone', isExtra: true, cell: ({ phone }) => phone ?? <Nothing /> },
    { label: 'Owner', isExtra: true, cell: ({ ownerId }) => (ownerId && owners.get(ownerId)) ?? <Nothing /> },
    { label: 'Created', sort: 'createdAt', isExtra: true, cell: ({ createdAt }) => <Age at={createdAt} /> },
  ]
}

function nameOf(contact: ContactRecord) {
  return (
    <>
      <Link to="/contacts/$id" params={{ id: contact.id }} className={classes.name}>
        {contactTitle(contact)}
      </Link>
      <div className={classes.subtitle}>{contactSubtitle(contact)}</div>
    </>
  )
}
