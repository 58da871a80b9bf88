import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../base/queries.ts'
import { fileQuery } from '../../domain/files/file-queries.ts'
import { signedIn } from '../../frame/routes.tsx'

const file = createRoute({
  getParentRoute: () => signedIn,
  path: '/files/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(fileQuery(params.id)),
  component: lazyRouteComponent(() => import('./file-page.tsx'), 'FilePage'),
})

/** The pages of files by address. */
export const fileRoutes = [file] as const
