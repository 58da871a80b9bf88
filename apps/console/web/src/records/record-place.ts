/** A record that things hang on: comments, activities, files, a history. */
export interface RecordPlace {
  /** As in permissions, that of a custom entity too. */
  readonly entityType: string
  readonly entityId: string
}

const collections: Readonly<Record<string, string>> = {
  LEAD: 'leads',
  CONTACT: 'contacts',
  COMPANY: 'companies',
  DEAL: 'deals',
  TASK: 'tasks',
  PROJECT: 'projects',
  ACTIVITY: 'activities',
  PRODUCT: 'products',
  PRICE_LIST: 'priceLists',
  QUOTE: 'quotes',
  ORDER: 'orders',
  INVOICE: 'invoices',
  DOCUMENT: 'documents',
}

/** The beginning of the keys of all queries about records of a kind: whoever changes one makes these stale. */
export function collectionOf(entityType: string): string {
  return collections[entityType] ?? `records:${entityType}`
}

/** What people call a record of a kind. */
export function nounOf(entityType: string): string {
  return entityType === 'DOCUMENT' ? 'template' : entityType.replaceAll('_', ' ').toLowerCase()
}
