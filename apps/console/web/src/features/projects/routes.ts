import type { KindPages } from '../../records/kind-pages.ts'

/** What is special about the pages of projects. */
export const projectPages: KindPages = { entityType: 'PROJECT', page: () => import('./project-parts.tsx') }
