import type { ProductRecord } from '@crm/contract'
import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../../base/session.ts'
import { productQuery, variantsQuery } from '../../domain/catalogue/catalogue-queries.ts'
import { documentsTab } from '../../domain/documents/documents-panel.tsx'
import { filesTab } from '../../domain/files/files-panel.tsx'
import { addressOfList } from '../../records/list-place.ts'
import { KeyFacts } from '../../records/key-facts.tsx'
import linked from '../../records/linked-list.module.css'
import { describeMoney } from '../../records/money.ts'
import { RecordActions } from '../../records/record-actions.tsx'
import { BackLink, RecordPage, WithRecord } from '../../records/record-page.tsx'
import { RecordForm } from '../../records/record-form.tsx'
import { Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { ProductAttributes } from './product-attributes.tsx'
import { ProductImages } from './product-images.tsx'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/products/$id')

/** A product: its facts, its images, its variants, and its history. */
export function ProductPage() {
  const { id } = route.useParams()
  const reading = useQuery(productQuery(id))
  return (
    <WithRecord noun={t('catalogue.product2')} back={<BackToProducts />} reading={reading}>
      {(product) => <KnownProduct key={id} product={product} />}
    </WithRecord>
  )
}

function BackToProducts() {
  return (
    <BackLink to="/products" search={addressOfList('PRODUCT')}>
      {t('common.products')}
    </BackLink>
  )
}

function KnownProduct({ product }: { readonly product: ProductRecord }) {
  const navigate = useNavigate()
  const record = { entityType: 'PRODUCT', entityId: product.id } as const
  return (
    <RecordPage
      record={record}
      title={product.name}
      note={product.sku}
      back={<BackToProducts />}
      actions={
        <RecordActions record={record} leave={() => navigate({ to: '/products', search: addressOfList('PRODUCT') })} />
      }
      facts={<KeyFacts entityType="PRODUCT" record={product} />}
      main={<ProductAttributes product={product} />}
      tabs={[documentsTab(record), filesTab(record)]}
      aside={
        <>
          <ProductImages product={product} />
          {product.parentId === null && <Variants product={product} />}
        </>
      }
    />
  )
}

function Variants({ product }: { readonly product: ProductRecord }) {
  const { may } = useSession()
  const [isAdding, setAdding] = useState(false)
  const { data, error, refetch } = useQuery(variantsQuery(product.id))
  return (
    <Panel
      title={t('catalogue.variants')}
      actions={
        may('CREATE_PRODUCT') && (
          <Button variant="default" size="xs" onClick={() => setAdding(true)}>
            {t('catalogue.addVariant')}
          </Button>
        )
      }
    >
      <RefusalAlert error={error} retry={() => void refetch()} />
      {data === undefined && error === null && <LoadingLines lines={2} label={t('catalogue.loadingVariants')} />}
      {data?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('common.none')}
        </Text>
      )}
      {data !== undefined && data.length > 0 && (
        <ul className={linked.linked} aria-label={t('catalogue.variants')}>
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
      <RecordForm
        entityType="PRODUCT"
        title={t('catalogue.newVariant')}
        initial={variantOf(product)}
        opened={isAdding}
        onClose={() => setAdding(false)}
      />
    </Panel>
  )
}

/** Returns the values that a new variant takes from its product. */
function variantOf({
  id,
  name,
  type,
  status,
  basePrice,
  currency,
  cost,
  categoryId,
  unitId,
  taxRateId,
  tags,
}: ProductRecord) {
  return {
    type,
    status,
    basePrice,
    currency,
    cost,
    categoryId,
    unitId,
    taxRateId,
    tags,
    parentId: id,
    name: `${name}, `,
  }
}
