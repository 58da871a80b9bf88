import type { KindPages } from '../../records/kind-pages.ts'

/** What is special about the pages of contacts. */
export const contactPages: KindPages = { entityType: 'CONTACT', page: () => import('./contact-parts.tsx') }
