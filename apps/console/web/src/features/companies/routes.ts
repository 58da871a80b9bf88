import type { KindPages } from '../../records/kind-pages.ts'

/** What is special about the pages of companies. */
export const companyPages: KindPages = { entityType: 'COMPANY', page: () => import('./company-parts.tsx') }
