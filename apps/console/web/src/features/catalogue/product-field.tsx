import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { foundProductsQuery } from '../../domain/catalogue/catalogue-queries.ts'
import { TypedSelect } from '../../shell/typed-select.tsx'
import { t } from './texts.ts'

/** Chooses a product by typing a part of its name or SKU. */
export function ProductField({
  name,
  label,
  error,
}: {
  readonly name: string
  readonly label: string
  readonly error?: string | undefined
}) {
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text, 250)
  const { data: found = [] } = useQuery(foundProductsQuery(search))
  return (
    <TypedSelect
      name={name}
      label={label}
      error={error}
      required
      data={found.map((product) => ({
        value: product.id,
        label: product.sku ? `${product.name} (${product.sku})` : product.name,
      }))}
      searchable
      onSearchChange={setText}
      filter={({ options: all }) => all}
      nothingFoundMessage={t('Product not found')}
    />
  )
}
