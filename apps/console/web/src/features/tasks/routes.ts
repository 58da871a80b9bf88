import type { KindPages } from '../../records/kind-pages.ts'

/** What is special about the pages of tasks. */
export const taskPages: KindPages = {
  entityType: 'TASK',
  list: () => import('./list-parts.tsx'),
  page: () => import('./task-parts.tsx'),
}
