import type { settings } from '../base/api.ts'
import { inWords } from './field-words.ts'

export type Erasure = Awaited<ReturnType<typeof settings.privacy.erase>>['data']

const places: Readonly<Record<string, string>> = {
  activities: 'Activities',
  api_keys: 'API keys',
  audit_log: 'Audit log',
  bookings: 'Meetings',
  calendar_events: 'Calendar entries',
  comments: 'Comments',
  companies: 'Companies',
  contacts: 'Contacts',
  conversations: 'Conversations',
  deals: 'Deals',
  document_records: 'Documents',
  employees: 'People',
  files: 'Files',
  import_rows: 'Imported rows',
  invoices: 'Invoices',
  leads: 'Leads',
  messages: 'Messages',
  notifications: 'Notifications',
  orders: 'Orders',
  products: 'Products',
  projects: 'Projects',
  quotes: 'Quotes',
  record_links: 'Links between records',
  sessions: 'Sessions',
  tasks: 'Tasks',
  timeline: 'Activity',
}

const otherPlaces = 'Other places'

/** Returns how many entries were erased in each place, with the places in words. */
export function erasedPlaces(erased: Erasure['erased']): readonly (readonly [place: string, number: number])[] {
  const numbers = new Map<string, number>()
  for (const [kind, number] of Object.entries(erased)) {
    const place = places[kind] ?? otherPlaces
    numbers.set(place, (numbers.get(place) ?? 0) + number)
  }
  return [...numbers].toSorted(([one], [other]) => Number(one === otherPlaces) - Number(other === otherPlaces))
}

const pagesOf: Readonly<Record<string, string>> = {
  QUOTE: 'QUOTE',
  ORDER: 'ORDER',
  INVOICE: 'INVOICE',
  companies: 'COMPANY',
  products: 'PRODUCT',
  price_lists: 'PRICE_LIST',
  documents: 'DOCUMENT',
}

/** Returns the kind of record in which something was kept, if it has a page of its own. */
export function keptKind(type: string): string | undefined {
  return pagesOf[type]
}

/** Returns the name of a place in which something was kept. */
export function keptPlace(type: string): string {
  return places[type] ?? inWords(type)
}
