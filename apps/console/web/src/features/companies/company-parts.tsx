import type { CompanyRecord } from '@crm/contract'
import { quotesTab } from '../../domain/finance/quotes-tab.tsx'
import { usualTabs } from '../../domain/kinds/usual-parts.tsx'
import type { PageParts } from '../../records/kind-pages.ts'
import type { RecordPlace } from '../../records/record-place.ts'

/** Returns what is special about the page of a company: its quotes. */
export function partsOf(company: CompanyRecord, place: RecordPlace): PageParts {
  return { note: company.domain, tabs: [...usualTabs(place, company), quotesTab({ companyId: company.id })] }
}
