import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedIn } from '../../frame/routes.tsx'
import type { KindPages } from '../../records/kind-pages.ts'
import { readMadeSearch } from './document-search.ts'

const documents = createRoute({
  getParentRoute: () => signedIn,
  path: '/documents',
  validateSearch: readMadeSearch,
  component: lazyRouteComponent(() => import('./documents-page.tsx'), 'DocumentsPage'),
})

/** The page of documents by address. */
export const documentRoutes = [documents] as const

/** What is special about the pages of templates, which are written with their variables. */
export const templatePages: KindPages = {
  entityType: 'DOCUMENT',
  list: async () => ({ creating: { Dialog: (await import('./template-dialog.tsx')).TemplateDialog } }),
  page: () => import('./template-page.tsx'),
}
