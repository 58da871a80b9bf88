import type { ContactRecord } from '@crm/contract'
import { quotesTab } from '../../domain/finance/quotes-tab.tsx'
import { usualTabs } from '../../domain/kinds/usual-parts.tsx'
import type { PageParts } from '../../records/kind-pages.ts'
import type { RecordPlace } from '../../records/record-place.ts'

/** Returns what is special about the page of a contact: its quotes. */
export function partsOf(contact: ContactRecord, place: RecordPlace): PageParts {
  return { note: contact.jobTitle, tabs: [...usualTabs(place, contact), quotesTab({ contactId: contact.id })] }
}
