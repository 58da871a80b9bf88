import type { DealRecord } from '@crm/contract'
import { quotesTab } from '../../domain/finance/quotes-tab.tsx'
import { usualTabs } from '../../domain/kinds/usual-parts.tsx'
import type { PageParts } from '../../records/kind-pages.ts'
import { describeMoney } from '../../records/money.ts'
import type { RecordPlace } from '../../records/record-place.ts'
import { Related } from '../../records/related.tsx'
import { RecordStages } from '../../records/stage-bar.tsx'
import { DealItemsPanel } from './deal-items.tsx'
import { AcceptedQuote, DealPapers } from './deal-papers.tsx'
import { t } from '../../base/texts.ts'

/** Returns what is special about the page of a deal: its stages, its items and its quotes. */
export function partsOf(deal: DealRecord, place: RecordPlace): PageParts {
  return {
    note: describeMoney(deal.amount, deal.currency),
    top: (
      <>
        <RecordStages entityType="DEAL" record={deal} />
        <AcceptedQuote deal={deal} />
      </>
    ),
    aside: (
      <>
        <DealPapers deal={deal} />
        <Related place={place} record={deal} without={['QUOTE', 'INVOICE']} />
      </>
    ),
    tabs: [
      ...usualTabs(place, deal),
      { key: 'items', label: t('Items'), content: <DealItemsPanel deal={deal} /> },
      quotesTab({ dealId: deal.id }),
    ],
  }
}
