import type { ProductRecord } from '@crm/contract'
import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../../base/session.ts'
import { variantsQuery } from '../../domain/catalogue/catalogue-queries.ts'
import { documentsTab } from '../../domain/documents/documents-panel.tsx'
import { filesTab } from '../../domain/files/files-panel.tsx'
import type { PageParts } from '../../records/kind-pages.ts'
import linked from '../../records/linked-list.module.css'
import { describeMoney } from '../../records/money.ts'
import { RecordForm } from '../../records/record-form.tsx'
import { addressOf, type RecordPlace } from '../../records/record-place.ts'
import { Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { ProductAttributes } from './product-attributes.tsx'
import { ProductImages } from './product-images.tsx'
import { t } from './texts.ts'

/** Returns what is special about the page of a product: its attributes, its images and its variants. */
export function partsOf(product: ProductRecord, place: RecordPlace): PageParts {
  return {
    note: product.sku,
    main: <ProductAttributes product={product} />,
    tabs: [documentsTab(place), filesTab(place)],
    next: false,
    aside: (
      <>
        <ProductImages product={product} />
        {product.parentId === null && <Variants product={product} />}
      </>
    ),
  }
}

function Variants({ product }: { readonly product: ProductRecord }) {
  const { may } = useSession()
  const [isAdding, setAdding] = useState(false)
  const { data, error, refetch } = useQuery(variantsQuery(product.id))
  return (
    <Panel
      title={t('Variants')}
      actions={
        may('CREATE_PRODUCT') && (
          <Button variant="default" size="xs" onClick={() => setAdding(true)}>
            {t('Add variant')}
          </Button>
        )
      }
    >
      <RefusalAlert error={error} retry={() => void refetch()} />
      {data === undefined && error === null && <LoadingLines lines={2} label={t('Loading variants')} />}
      {data?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('None')}
        </Text>
      )}
      {data !== undefined && data.length > 0 && (
        <ul className={linked.linked} aria-label={t('Variants')}>
          {data.map(({ id, name, basePrice, currency }) => (
            <li key={id}>
              <Link {...addressOf({ entityType: 'PRODUCT', entityId: id })}>{name}</Link>
              <span className={linked.note}>{describeMoney(basePrice, currency)}</span>
            </li>
          ))}
        </ul>
      )}
      <RecordForm
        entityType="PRODUCT"
        title={t('New variant')}
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
