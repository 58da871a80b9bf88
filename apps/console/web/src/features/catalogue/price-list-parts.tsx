import type { PriceListRecord } from '@crm/contract'
import type { PageParts } from '../../records/kind-pages.ts'
import { PriceListEntries } from './price-list-entries.tsx'

/** Returns what is special about the page of a price list: its prices. */
export function partsOf(list: PriceListRecord): PageParts {
  return {
    note: list.currency,
    main: <PriceListEntries list={list} />,
    tabs: [],
    next: false,
    aside: undefined,
    isCommented: false,
  }
}
