import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../base/queries.ts'
import { signedIn, workListRoute } from '../../frame/routes.tsx'
import { contactQuery } from './contact-queries.ts'

const contacts = createRoute({
  getParentRoute: () => signedIn,
  path: '/contacts',
  ...workListRoute('CONTACT'),
  component: lazyRouteComponent(() => import('./contacts-page.tsx'), 'ContactsPage'),
})

const contact = createRoute({
  getParentRoute: () => signedIn,
  path: '/contacts/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(contactQuery(params.id)),
  component: lazyRouteComponent(() => import('./contact-page.tsx'), 'ContactPage'),
})

/** The pages of contacts by address. */
export const contactRoutes = [contacts, contact] as const
