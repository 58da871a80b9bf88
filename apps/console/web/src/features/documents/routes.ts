import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../base/queries.ts'
import { templateQuery } from '../../domain/documents/document-queries.ts'
import { signedIn, workListRoute } from '../../frame/routes.tsx'
import { readMadeSearch } from './document-search.ts'

const documents = createRoute({
  getParentRoute: () => signedIn,
  path: '/documents',
  validateSearch: readMadeSearch,
  component: lazyRouteComponent(() => import('./documents-page.tsx'), 'DocumentsPage'),
})

const documentTemplates = createRoute({
  getParentRoute: () => signedIn,
  path: '/document-templates',
  ...workListRoute('DOCUMENT'),
  component: lazyRouteComponent(() => import('./templates-page.tsx'), 'TemplatesPage'),
})

const documentTemplate = createRoute({
  getParentRoute: () => signedIn,
  path: '/document-templates/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(templateQuery(params.id)),
  component: lazyRouteComponent(() => import('./template-page.tsx'), 'TemplatePage'),
})

/** The pages of documents and their templates by address. */
export const documentRoutes = [documents, documentTemplates, documentTemplate] as const
