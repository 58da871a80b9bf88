/** A record that things hang on: comments, activities, files, a history. */
export interface RecordPlace {
  readonly entityType: RecordEntity
  readonly entityId: string
}

const collections = { LEAD: 'leads', CONTACT: 'contacts', COMPANY: 'companies', DEAL: 'deals', TASK: 'tasks', PROJECT: 'projects', ACTIVITY: 'activities' } as const

/** The kinds of record that have a page. */
export type RecordEntity = keyof typeof collections

/** The beginning of the keys of all queries about records of a kind: whoever changes one makes these stale. */
export function collectionOf(entityType: RecordEntity): string {
  return collections[entityType]
}

/** What people call a record of a kind. */
export function nounOf(entityType: string): string {
  return entityType.replaceAll('_', ' ').toLowerCase()
}
