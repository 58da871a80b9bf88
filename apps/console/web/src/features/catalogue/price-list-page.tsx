import type { PriceListRecord } from '@crm/contract'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { describeInstant } from '../../base/moments.ts'
import { useSession } from '../../base/session.ts'
import { priceListQuery } from '../../domain/catalogue/catalogue-queries.ts'
import { DeleteRecordDialog } from '../../records/delete-record-dialog.tsx'
import classes from '../../records/record-page.module.css'
import { Timeline } from '../../records/timeline.tsx'
import { useRecordName } from '../../records/use-record-name.ts'
import { Facts } from '../../shell/facts.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { PriceListDialog } from './price-list-dialog.tsx'
import { PriceListEntries } from './price-list-entries.tsx'

const route = getRouteApi('/console/price-lists/$id')

/** A price list: when and for whom it counts, and what it asks for products. */
export function PriceListPage() {
  const { id } = route.useParams()
  const { data: list, error, refetch } = useQuery(priceListQuery(id))
  if (list !== undefined) return <KnownPriceList key={id} list={list} />
  return (
    <Page title={error === null ? 'Price list' : 'This price list cannot be shown'} above={<BackToPriceLists />}>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && <Panel><LoadingLines lines={8} label="Loading the price list" /></Panel>}
    </Page>
  )
}

function BackToPriceLists() {
  return <Link to="/price-lists" search={{}} className={classes.back}><Icon name="left" size={16} />Price lists</Link>
}

function KnownPriceList({ list }: { readonly list: PriceListRecord }) {
  return (
    <Page title={list.name} note={list.currency} above={<BackToPriceLists />} actions={<PriceListActions list={list} />}>
      <PriceListEntries list={list} />
      <div className={classes.columns}>
        <div className={classes.column}><Panel title="Details"><PriceListFacts list={list} /></Panel></div>
        <div className={classes.column}><Panel title="Timeline"><Timeline record={{ entityType: 'PRICE_LIST', entityId: list.id }} /></Panel></div>
      </div>
    </Page>
  )
}

function PriceListFacts({ list }: { readonly list: PriceListRecord }) {
  const [first = null, ...others] = list.companyIds
  const company = useRecordName('COMPANY', first)
  return (
    <Facts
      facts={[
        ['State', list.isActive ? 'Active' : 'Off'],
        ['Default', list.isDefault ? `Yes, for ${list.currency}` : 'No'],
        ['Priority', String(list.priority)],
        ['For', first === null ? 'Everybody' : others.length === 0 ? company : `${company} and ${others.length} more`],
        ['From', list.startsAt && describeInstant(list.startsAt)],
        ['Before', list.endsAt && describeInstant(list.endsAt)],
        ['Created', describeInstant(list.createdAt)],
      ]}
    />
  )
}

function PriceListActions({ list }: { readonly list: PriceListRecord }) {
  const { may } = useSession()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null)
  const close = () => setDialog(null)
  return (
    <>
      {may('DELETE_PRICE_LIST') && <Button variant="subtle" color="red" onClick={() => setDialog('delete')}>Delete</Button>}
      {may('UPDATE_PRICE_LIST') && <Button variant="default" onClick={() => setDialog('edit')}>Edit</Button>}
      {dialog === 'edit' && <PriceListDialog list={list} opened onClose={close} />}
      <DeleteRecordDialog
        record={{ entityType: 'PRICE_LIST', entityId: list.id }}
        title={list.name}
        opened={dialog === 'delete'}
        remove={() => crm.priceLists.delete({ params: { id: list.id } })}
        leave={() => navigate({ to: '/price-lists', search: {} })}
        onClose={close}
      />
    </>
  )
}
