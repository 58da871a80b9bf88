import { kindOf } from '@crm/model'
import type { settings } from '../base/api.ts'
import { inWords } from './field-words.ts'
import { t } from '../base/texts.ts'

export type Erasure = Awaited<ReturnType<typeof settings.privacy.erase>>['data']

const places: Readonly<Record<string, string>> = {
  activities: t('records.activities'),
  api_keys: t('common.apiKeys'),
  audit_log: t('common.auditLog'),
  bookings: t('common.meetings'),
  calendar_events: t('records.calendarEntries'),
  comments: t('records.comments'),
  companies: t('common.companies'),
  contacts: t('common.contacts'),
  conversations: t('common.conversations'),
  deals: t('common.deals'),
  document_records: t('common.documents'),
  employee_pictures: t('records.pictures'),
  employees: t('common.people'),
  files: t('common.files'),
  import_rows: t('records.importedRows'),
  invoices: t('common.invoices'),
  leads: t('common.leads'),
  messages: t('records.messages'),
  notifications: t('common.notifications'),
  orders: t('common.orders'),
  products: t('common.products'),
  projects: t('common.projects'),
  quotes: t('common.quotes'),
  record_links: t('records.linksBetweenRecords'),
  sessions: t('records.sessions'),
  tasks: t('common.tasks'),
  timeline: t('records.activity'),
}

const otherPlaces = t('records.otherPlaces')

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
