import { kindOf } from '@crm/model'
import type { settings } from '../base/api.ts'
import { inWords } from './field-words.ts'
import { t } from '../base/texts.ts'

export type Erasure = Awaited<ReturnType<typeof settings.privacy.erase>>['data']

const places: Readonly<Record<string, string>> = {
  activities: t('Activities'),
  api_keys: t('API keys'),
  audit_log: t('Audit log'),
  bookings: t('Meetings'),
  calendar_events: t('Calendar entries'),
  comments: t('Comments'),
  companies: t('Companies'),
  contacts: t('Contacts'),
  conversations: t('Conversations'),
  deals: t('Deals'),
  document_records: t('Documents'),
  employee_pictures: t('Pictures'),
  employees: t('People'),
  files: t('Files'),
  import_rows: t('Imported rows'),
  invoices: t('Invoices'),
  leads: t('Leads'),
  messages: t('Messages'),
  notifications: t('Notifications'),
  orders: t('Orders'),
  products: t('Products'),
  projects: t('Projects'),
  quotes: t('Quotes'),
  record_links: t('Links between records'),
  sessions: t('Sessions'),
  tasks: t('Tasks'),
  timeline: t('Activity'),
}

const otherPlaces = t('Other places')

/** Returns how many entries were erased in each place, with the places in words. */
export function erasedPlaces(erased: Erasure['erased']): readonly (readonly [place: string, number: number])[] {
  const numbers = new Map<string, number>()
  for (const [kind, number] of Object.entries(erased)) {
    const place = places[kind] ?? otherPlaces
    numbers.set(place, (numbers.get(place) ?? 0) + number)
  }
  return [...numbers].toSorted(([one], [other]) => Number(one === otherPlaces) - Number(other === otherPlaces))
}

/** Returns the kind of record in which something was kept, if it has a page of its own. */
export function keptKind(type: string): string | undefined {
  return kindOf(type)?.entity
}

/** Returns the name of a place in which something was kept. */
export function keptPlace(type: string): string {
  return places[type] ?? inWords(type)
}
