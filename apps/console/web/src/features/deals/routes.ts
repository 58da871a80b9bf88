import type { KindPages } from '../../records/kind-pages.ts'

/** What is special about the pages of deals. */
export const dealPages: KindPages = { entityType: 'DEAL', page: () => import('./deal-parts.tsx') }
