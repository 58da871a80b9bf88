import type { ProductRecord } from '@crm/contract'
import { Autocomplete } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useSession } from '../../base/session.ts'
import { foundProductsQuery } from './catalogue-queries.ts'
import { t } from '../../base/texts.ts'

interface ItemFieldProps {
  readonly className?: string | undefined
  readonly name: string
  readonly error: string | undefined
  /** Reports the typed text; a line without text has no product any more. */
  onChange(change: { readonly name: string; readonly productId?: null }): void
  onChoose(product: ProductRecord): void
}

/** The item of a line: free text, or one of the products that match it. */
export function ItemField({ className, name, error, onChange, onChoose }: ItemFieldProps) {
  const { may } = useSession()
  const [isTyping, setTyping] = useState(false)
  const [search] = useDebouncedValue(name, 250)
  const { data: found = [] } = useQuery({ ...foundProductsQuery(search), enabled: isTyping && may('VIEW_PRODUCT') })
  const byLabel = new Map(
    found
      .filter(({ status }) => status === 'ACTIVE')
      .map((product) => [product.sku ? `${product.name} (${product.sku})` : product.name, product]),
  )
  // The field reports the label of a choice as if it had been typed; the name of the product is there already.
  const chosen = useRef<string | null>(null)
  const type = (text: string) => {
    if (text !== chosen.current) onChange({ name: text, ...(text === '' ? { productId: null } : {}) })
    chosen.current = null
  }
  const choose = (text: string) => {
    const product = byLabel.get(text)
    if (product === undefined) return
    chosen.current = text
    onChoose(product)
  }
  return (
    <Autocomplete
      className={className}
      label={t('Product or service')}
      value={name}
      error={error}
      data={isTyping ? [...byLabel.keys()] : []}
      filter={({ options }) => options}
      onFocus={() => setTyping(true)}
      onBlur={() => setTyping(false)}
      onChange={type}
      onOptionSubmit={choose}
      autoComplete="off"
    />
  )
}
