import type { ProductRecord } from '@crm/contract'
import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { describeInstant } from '../../base/moments.ts'
import { usePeopleNames } from '../../base/people.ts'
import { useSession } from '../../base/session.ts'
import {
  productQuery,
  useCatalogueLists,
  useProductNames,
  variantsQuery,
} from '../../domain/catalogue/catalogue-queries.ts'
import { DocumentsPanel } from '../../domain/documents/documents-panel.tsx'
import { FilesPanel } from '../../domain/files/files-panel.tsx'
import linked from '../../records/linked-records.module.css'
import { describeMoney } from '../../records/money.ts'
import { RecordActions } from '../../records/record-actions.tsx'
import { BackLink, RecordPage, WithRecord } from '../../records/record-page.tsx'
import { Facts } from '../../shell/facts.tsx'
import { Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { ProductAttributes } from './product-attributes.tsx'
import { ProductDialog } from './product-dialog.tsx'
import { ProductImages } from './product-images.tsx'
import { productStatusNames, productTypeNames } from './product-words.ts'

const route = getRouteApi('/console/products/$id')

/** A product: what is known of it, how it looks, its variants, and what happened to it. */
export function ProductPage() {
  const { id } = route.useParams()
  const reading = useQuery(productQuery(id))
  return (
    <WithRecord noun="product" back={<BackToProducts />} reading={reading}>
      {(product) => <KnownProduct key={id} product={product} />}
    </WithRecord>
  )
}

function BackToProducts() {
  return (
    <BackLink to="/products" search={{}}>
      Products
    </BackLink>
  )
}

function KnownProduct({ product }: { readonly product: ProductRecord }) {
  const record = { entityType: 'PRODUCT', entityId: product.id } as const
  return (
    <RecordPage
      record={record}
      title={product.name}
      note={product.sku}
      back={<BackToProducts />}
      actions={<ProductActions product={product} />}
      main={
        <>
          <Panel title="Details">
            <ProductFacts product={product} />
          </Panel>
          <ProductAttributes product={product} />
        </>
      }
      aside={
        <>
          <ProductImages product={product} />
          {product.parentId === null && <Variants product={product} />}
          <DocumentsPanel record={record} />
          <FilesPanel record={record} />
        </>
      }
    />
  )
}

function ProductFacts({ product }: { readonly product: ProductRecord }) {
  const { categories, units, taxRates } = useCatalogueLists()
  const people = usePeopleNames([product.ownerId])
  const parents = useProductNames(product.parentId === null ? [] : [product.parentId])
  const nameIn = (all: readonly { id: string; name: string }[], id: string | null) =>
    all.find((one) => one.id === id)?.name
  return (
    <Facts
      facts={[
        ...(product.parentId === null
          ? []
          : [
              [
                'Variant of',
                <Link key="parent" to="/products/$id" params={{ id: product.parentId }}>
                  {parents.get(product.parentId) ?? '…'}
                </Link>,
              ] as const,
            ]),
        ['Base price', describeMoney(product.basePrice, product.currency)],
        ['Cost', describeMoney(product.cost, product.currency)],
        ['Type', productTypeNames[product.type]],
        ['Status', productStatusNames[product.status]],
        ['Category', nameIn(categories, product.categoryId)],
        ['Unit', nameIn(units, product.unitId)],
        ['Tax rate', nameIn(taxRates, product.taxRateId)],
        ['Barcode', product.barcode],
        ...(product.tags.length > 0 ? [['Tags', product.tags.join(', ')] as const] : []),
        ['Description', product.description],
        ['Owner', (product.ownerId !== null && people.get(product.ownerId)) || null],
        ['Created', describeInstant(product.createdAt)],
      ]}
    />
  )
}

function Variants({ product }: { readonly product: ProductRecord }) {
  const { may } = useSession()
  const [isAdding, setAdding] = useState(false)
  const { data, error, refetch } = useQuery(variantsQuery(product.id))
  return (
    <Panel
      title="Variants"
      actions={
        may('CREATE_PRODUCT') && (
          <Button variant="default" size="xs" onClick={() => setAdding(true)}>
            Add variant
          </Button>
        )
      }
    >
      <RefusalAlert error={error} retry={() => void refetch()} />
      {data === undefined && error === null && <LoadingLines lines={2} label="Loading variants" />}
      {data?.length === 0 && (
        <Text size="sm" c="dimmed">
          None
        </Text>
      )}
      {data !== undefined && data.length > 0 && (
        <ul className={linked.linked} aria-label="Variants">
          {data.map(({ id, name, basePrice, currency }) => (
            <li key={id}>
              <Link to="/products/$id" params={{ id }}>
                {name}
              </Link>
              <span className={linked.note}>{describeMoney(basePrice, currency)}</span>
            </li>
          ))}
        </ul>
      )}
      {isAdding && <ProductDialog parent={product} opened onClose={() => setAdding(false)} />}
    </Panel>
  )
}

function ProductActions({ product }: { readonly product: ProductRecord }) {
  const navigate = useNavigate()
  return (
    <RecordActions
      record={{ entityType: 'PRODUCT', entityId: product.id }}
      title={product.name}
      edit={(close) => <ProductDialog product={product} opened onClose={close} />}
      remove={() => crm.products.delete({ params: { id: product.id } })}
      leave={() => navigate({ to: '/products', search: {} })}
    />
  )
}
