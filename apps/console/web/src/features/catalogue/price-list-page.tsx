import type { PriceListRecord } from '@crm/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { crm } from '../../base/api.ts'
import { describeInstant } from '../../base/moments.ts'
import { priceListQuery } from '../../domain/catalogue/catalogue-queries.ts'
import { RecordActions } from '../../records/record-actions.tsx'
import { BackLink, RecordPage, WithRecord } from '../../records/record-page.tsx'
import { useRecordName } from '../../records/use-record-name.ts'
import { Facts } from '../../shell/facts.tsx'
import { Panel } from '../../shell/page.tsx'
import { PriceListDialog } from './price-list-dialog.tsx'
import { PriceListEntries } from './price-list-entries.tsx'

const route = getRouteApi('/console/price-lists/$id')

/** A price list: when and for whom it counts, and what it asks for products. */
export function PriceListPage() {
  const { id } = route.useParams()
  const reading = useQuery(priceListQuery(id))
  return (
    <WithRecord noun="price list" back={<BackToPriceLists />} reading={reading}>
      {(list) => <KnownPriceList key={id} list={list} />}
    </WithRecord>
  )
}

function BackToPriceLists() {
  return (
    <BackLink to="/price-lists" search={{}}>
      Price lists
    </BackLink>
  )
}

function KnownPriceList({ list }: { readonly list: PriceListRecord }) {
  return (
    <RecordPage
      record={{ entityType: 'PRICE_LIST', entityId: list.id }}
      title={list.name}
      note={list.currency}
      back={<BackToPriceLists />}
      actions={<PriceListActions list={list} />}
      top={<PriceListEntries list={list} />}
      main={
        <Panel title="Details">
          <PriceListFacts list={list} />
        </Panel>
      }
      isCommented={false}
    />
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
  const navigate = useNavigate()
  return (
    <RecordActions
      record={{ entityType: 'PRICE_LIST', entityId: list.id }}
      title={list.name}
      edit={(close) => <PriceListDialog list={list} opened onClose={close} />}
      remove={() => crm.priceLists.delete({ params: { id: list.id } })}
      leave={() => navigate({ to: '/price-lists', search: {} })}
    />
  )
}
