import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { crm } from '../base/api.ts'
import { useSession } from '../base/session.ts'
import { Panel } from '../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../shell/states.tsx'
import classes from './linked-records.module.css'
import { describeMoney } from './money.ts'
import { contactTitle, leadTitle } from './titles.ts'
import { t } from '../base/texts.ts'

/** A record as another record's page names it. */
interface Linked {
  readonly id: string
  readonly title: string
  readonly note: string | null
}

const shownMax = 10

/** The record kinds that other records' pages list: how they are read and named. */
const kinds = {
  contacts: { title: t('common.contacts'), to: '/contacts/$id', permission: 'VIEW_CONTACT', read: readContacts },
  companies: {
    title: t('records.companiesBelow'),
    to: '/companies/$id',
    permission: 'VIEW_COMPANY',
    read: readCompanies,
  },
  deals: { title: t('common.deals'), to: '/deals/$id', permission: 'VIEW_DEAL', read: readDeals },
  leads: { title: t('common.leads'), to: '/leads/$id', permission: 'VIEW_LEAD', read: readLeads },
} as const

/** The record that the others refer to, by their reference field. */
export interface ReferredTo {
  readonly contactId?: string
  readonly companyId?: string
  readonly parentId?: string
}

type Reader = (
  of: ReferredTo,
  signal: AbortSignal,
) => Promise<{ readonly total: number; readonly items: readonly Linked[] }>

async function readContacts({ companyId }: ReferredTo, signal: AbortSignal) {
  const { items, total } = await crm.contacts.list({
    query: { companyId, pageSize: shownMax, sortBy: 'lastName', sortOrder: 'asc' },
    signal,
  })
  return {
    total,
    items: items.map((contact) => ({ id: contact.id, title: contactTitle(contact), note: contact.jobTitle })),
  }
}

async function readCompanies({ parentId }: ReferredTo, signal: AbortSignal) {
  const { items, total } = await crm.companies.list({
    query: { parentId, pageSize: shownMax, sortBy: 'name', sortOrder: 'asc' },
    signal,
  })
  return { total, items: items.map(({ id, name, domain }) => ({ id, title: name, note: domain })) }
}

async function readDeals({ contactId, companyId }: ReferredTo, signal: AbortSignal) {
  const { items, total } = await crm.deals.list({ query: { contactId, companyId, pageSize: shownMax }, signal })
  return {
    total,
    items: items.map(({ id, name, amount, currency }) => ({ id, title: name, note: describeMoney(amount, currency) })),
  }
}

async function readLeads({ contactId, companyId }: ReferredTo, signal: AbortSignal) {
  const { items, total } = await crm.leads.list({ query: { contactId, companyId, pageSize: shownMax }, signal })
  return { total, items: items.map((lead) => ({ id: lead.id, title: leadTitle(lead), note: lead.companyName })) }
}

interface LinkedRecordsProps {
  readonly kind: keyof typeof kinds
  readonly of: ReferredTo
}

/** The records that refer to the record of the page; nothing for a person who may not see such records. */
export function LinkedRecords({ kind, of }: LinkedRecordsProps) {
  const { title, to, permission } = kinds[kind]
  const { may } = useSession()
  const { data, error, refetch } = useQuery({ ...linkedQuery(kind, of), enabled: may(permission) })
  if (!may(permission)) return null
  return (
    <Panel
      title={title}
      isEmpty={data?.total === 0}
      note={data && data.total > shownMax ? t('records.shownmaxOfTotal', { shownMax, total: data.total }) : undefined}
    >
      <RefusalAlert error={error} retry={() => void refetch()} />
      {data === undefined && error === null && <LoadingLines lines={2} label={t('records.loadingKind', { kind })} />}
      {data !== undefined && data.total > 0 && (
        <ul className={classes.linked} aria-label={title}>
          {data.items.map((one) => (
            <li key={one.id}>
              <Link to={to} params={{ id: one.id }}>
                {one.title}
              </Link>
              {one.note && <span className={classes.note}>{one.note}</span>}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function linkedQuery(kind: keyof typeof kinds, of: ReferredTo) {
  const read: Reader = kinds[kind].read
  return queryOptions({ queryKey: [kind, 'linked', of], queryFn: ({ signal }) => read(of, signal) })
}
