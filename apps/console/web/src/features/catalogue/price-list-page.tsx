import type { PriceListRecord } from '@crm/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { priceListQuery } from '../../domain/catalogue/catalogue-queries.ts'
import { addressOfList } from '../../records/list-place.ts'
import { KeyFacts } from '../../records/key-facts.tsx'
import { RecordActions } from '../../records/record-actions.tsx'
import { BackLink, RecordPage, WithRecord } from '../../records/record-page.tsx'
import { PriceListEntries } from './price-list-entries.tsx'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/price-lists/$id')

/** A price list: its validity, its customers, and its prices. */
export function PriceListPage() {
  const { id } = route.useParams()
  const reading = useQuery(priceListQuery(id))
  return (
    <WithRecord noun={t('catalogue.priceList')} back={<BackToPriceLists />} reading={reading}>
      {(list) => <KnownPriceList key={id} list={list} />}
    </WithRecord>
  )
}

function BackToPriceLists() {
  return (
    <BackLink to="/price-lists" search={addressOfList('PRICE_LIST')}>
      {t('catalogue.priceLists')}
    </BackLink>
  )
}

function KnownPriceList({ list }: { readonly list: PriceListRecord }) {
  const navigate = useNavigate()
  const record = { entityType: 'PRICE_LIST', entityId: list.id } as const
  return (
    <RecordPage
      record={record}
      title={list.name}
      note={list.currency}
      back={<BackToPriceLists />}
      actions={
        <RecordActions
          record={record}
          leave={() => navigate({ to: '/price-lists', search: addressOfList('PRICE_LIST') })}
        />
      }
      main={<PriceListEntries list={list} />}
      facts={<KeyFacts entityType="PRICE_LIST" record={list} />}
      isCommented={false}
    />
  )
}
