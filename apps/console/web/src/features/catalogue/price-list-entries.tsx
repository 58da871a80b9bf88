import type { PriceListEntryRecord, PriceListRecord } from '@crm/contract'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { decimalShown } from '../../base/decimals.ts'
import { crm } from '../../base/api.ts'
import { useSession } from '../../base/session.ts'
import { entriesQuery, tiersQuery, useProductNames } from '../../domain/catalogue/catalogue-queries.ts'
import { describeMoney } from '../../records/money.ts'
import { TablePanel } from '../../records/table-panel.tsx'
import { useChange } from '../../shell/changes.ts'
import { EmptyState, RefusalAlert } from '../../shell/states.tsx'
import { EntryDialog, TierDialog } from './price-list-entry-dialogs.tsx'
import { addressOf } from '../../records/record-place.ts'
import { t } from './texts.ts'

/** The prices of a price list, with the tiers of each. */
export function PriceListEntries({ list }: { readonly list: PriceListRecord }) {
  const { may } = useSession()
  const [page, setPage] = useState(1)
  const [isAdding, setAdding] = useState(false)
  const entries = useQuery(entriesQuery(list.id, page))
  const names = useProductNames(entries.data?.items.map(({ productId }) => productId) ?? [])
  const nameOf = (productId: string) => names.get(productId) ?? '…'
  return (
    <>
      <TablePanel
        title={t('Prices')}
        add={
          may('UPDATE_PRICE_LIST') && (
            <Button variant="default" size="xs" onClick={() => setAdding(true)}>
              {t('Add product')}
            </Button>
          )
        }
        label={t('Prices')}
        reading={entries}
        page={page}
        onPage={setPage}
        empty={
          <EmptyState title={t('No prices yet')}>{t('Add the products that this list has prices for.')}</EmptyState>
        }
        columns={[
          {
            label: t('Product'),
            cell: ({ productId }) => (
              <Link {...addressOf({ entityType: 'PRODUCT', entityId: productId })}>{nameOf(productId)}</Link>
            ),
          },
          { label: t('Price'), cell: (entry) => describePrice(entry, list.currency) },
          {
            label: t('By quantity'),
            cell: (entry) => <Tiers entry={entry} currency={list.currency} product={nameOf(entry.productId)} />,
          },
        ]}
        actions={
          may('UPDATE_PRICE_LIST') && ((entry) => <EntryActions entry={entry} product={nameOf(entry.productId)} />)
        }
      />
      {isAdding && <EntryDialog list={list} onClose={() => setAdding(false)} />}
    </>
  )
}

function Tiers({
  entry,
  currency,
  product,
}: {
  readonly entry: PriceListEntryRecord
  readonly currency: string
  readonly product: string
}) {
  const { may } = useSession()
  const { data: tiers = [] } = useQuery(tiersQuery(entry.id))
  const remove = useChange((id: string) => crm.priceListEntryTiers.delete({ params: { id } }), {
    said: t('Tier deleted'),
    stale: ['priceLists'],
  })
  return (
    <>
      {tiers.length > 0 &&
        (entry.tierMode === 'VOLUME' ? t('All units at the reached tier') : t('Each unit at its own tier'))}
      {tiers.map((tier) => (
        <div key={tier.id}>
          {decimalShown(tier.minQuantity)}–{decimalShown(tier.maxQuantity ?? '∞')}: {describePrice(tier, currency)}
          {may('UPDATE_PRICE_LIST') && (
            <Button
              variant="subtle"
              color="red"
              size="compact-xs"
              aria-label={t('Delete the tier from {minQuantity} of {product}', {
                minQuantity: decimalShown(tier.minQuantity),
                product,
              })}
              onClick={() => remove.mutate(tier.id)}
            >
              {t('Delete')}
            </Button>
          )}
        </div>
      ))}
      <RefusalAlert error={remove.error} />
    </>
  )
}

function EntryActions({ entry, product }: { readonly entry: PriceListEntryRecord; readonly product: string }) {
  const [isAdding, setAdding] = useState(false)
  const remove = useChange(() => crm.priceListEntries.delete({ params: { id: entry.id } }), {
    said: t('Price deleted'),
    stale: ['priceLists'],
  })
  return (
    <>
      <Button
        variant="default"
        size="compact-xs"
        aria-label={t('Add tier: {product}', { product })}
        onClick={() => setAdding(true)}
      >
        {t('Add tier')}
      </Button>
      <Button
        variant="subtle"
        color="red"
        size="compact-xs"
        aria-label={t('Delete the price of {product}', { product })}
        onClick={() => remove.mutate(undefined)}
      >
        {t('Delete')}
      </Button>
      <RefusalAlert error={remove.error} />
      {isAdding && <TierDialog entry={entry} onClose={() => setAdding(false)} />}
    </>
  )
}

function describePrice(
  { price, percent }: { readonly price: string | null; readonly percent: string | null },
  currency: string,
): string {
  return describeMoney(price, currency) ?? t('{percent} % off', { percent: percent ?? '' })
}
