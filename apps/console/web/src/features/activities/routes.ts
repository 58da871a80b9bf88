import type { KindPages } from '../../records/kind-pages.ts'

/** What is special about the pages of activities, which are logged on the records that they are about. */
export const activityPages: KindPages = {
  entityType: 'ACTIVITY',
  list: () => Promise.resolve({ creating: 'elsewhere' }),
  page: () => import('./activity-page.tsx'),
}
