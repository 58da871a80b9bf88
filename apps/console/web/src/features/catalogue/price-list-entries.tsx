import type { PriceListEntryRecord, PriceListRecord } from '@crm/contract'
import { Button, Group } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { useSession } from '../../base/session.ts'
import { entriesQuery, tiersQuery, useProductNames } from '../../domain/catalogue/catalogue-queries.ts'
import { describeMoney } from '../../records/money.ts'
import { notify } from '../../shell/notices.tsx'
import { Panel } from '../../shell/page.tsx'
import { Pager } from '../../shell/pager.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import tables from '../../shell/table.module.css'
import { EntryDialog, TierDialog } from './price-list-entry-dialogs.tsx'

/** What a price list asks for products, with the tiers of each. */
export function PriceListEntries({ list }: { readonly list: PriceListRecord }) {
  const { may } = useSession()
  const [page, setPage] = useState(1)
  const [isAdding, setAdding] = useState(false)
  const { data, error, refetch } = useQuery(entriesQuery(list.id, page))
  const names = useProductNames(data?.items.map(({ productId }) => productId) ?? [])
  return (
    <>
      <Panel title="Prices" flush actions={may('UPDATE_PRICE_LIST') && <Button variant="default" size="xs" onClick={() => setAdding(true)}>Add product</Button>}>
        <RefusalAlert error={error} retry={() => void refetch()} />
        {data === undefined && error === null && <LoadingLines lines={4} label="Loading the prices" />}
        {data?.total === 0 && <EmptyState title="No prices yet">Add the products that this list has prices for.</EmptyState>}
        {data !== undefined && data.total > 0 && (
          <table className={tables.table} aria-label="Prices">
            <thead><tr><th scope="col">Product</th><th scope="col">Price</th><th scope="col">By quantity</th><th scope="col">Change</th></tr></thead>
            <tbody>{data.items.map((entry) => <EntryRow key={entry.id} entry={entry} list={list} product={names.get(entry.productId) ?? '…'} />)}</tbody>
          </table>
        )}
      </Panel>
      {data !== undefined && data.total > data.pageSize && <Pager page={page} pageSize={data.pageSize} total={data.total} pageSizes={[data.pageSize]} onPage={setPage} onPageSize={() => setPage(1)} />}
      {isAdding && <EntryDialog list={list} onClose={() => setAdding(false)} />}
    </>
  )
}

interface EntryRowProps {
  readonly entry: PriceListEntryRecord
  readonly list: PriceListRecord
  readonly product: string
}

function EntryRow({ entry, list, product }: EntryRowProps) {
  const { may } = useSession()
  const client = useQueryClient()
  const [isAdding, setAdding] = useState(false)
  const { data: tiers = [] } = useQuery(tiersQuery(entry.id))
  const refresh = () => client.invalidateQueries({ queryKey: ['priceLists'] })
  const remove = useMutation({ mutationFn: () => crm.priceListEntries.delete({ params: { id: entry.id } }), onSuccess: () => notify('The price was deleted'), onSettled: refresh })
  const removeTier = useMutation({ mutationFn: (id: string) => crm.priceListEntryTiers.delete({ params: { id } }), onSuccess: () => notify('The tier was deleted'), onSettled: refresh })
  const mayChange = may('UPDATE_PRICE_LIST')
  return (
    <tr>
      <td><Link to="/products/$id" params={{ id: entry.productId }}>{product}</Link></td>
      <td>{describePrice(entry, list.currency)}</td>
      <td>
        {tiers.length > 0 && (entry.tierMode === 'VOLUME' ? 'The whole quantity' : 'Each part')}
        {tiers.map((tier) => (
          <div key={tier.id}>
            {tier.minQuantity}–{tier.maxQuantity ?? '∞'}: {describePrice(tier, list.currency)}
            {mayChange && <Button variant="subtle" color="red" size="compact-xs" aria-label={`Delete the tier from ${tier.minQuantity} of ${product}`} onClick={() => removeTier.mutate(tier.id)}>Delete</Button>}
          </div>
        ))}
      </td>
      <td>
        {mayChange && (
          <Group gap="xs">
            <Button variant="default" size="compact-xs" aria-label={`Add a tier to ${product}`} onClick={() => setAdding(true)}>Add tier</Button>
            <Button variant="subtle" color="red" size="compact-xs" aria-label={`Delete the price of ${product}`} onClick={() => remove.mutate()}>Delete</Button>
          </Group>
        )}
        <RefusalAlert error={remove.error ?? removeTier.error} />
        {isAdding && <TierDialog entry={entry} onClose={() => setAdding(false)} />}
      </td>
    </tr>
  )
}

function describePrice({ price, percent }: { readonly price: string | null; readonly percent: string | null }, currency: string): string {
  return describeMoney(price, currency) ?? `${percent} % off`
}
