import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { signedIn } from '../../frame/routes.tsx'

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: ({ context: { isFirst, session } }) => {
    const { startPage } = session.person
    if (isFirst && startPage !== null && startPage !== '/') throw redirect({ href: startPage, replace: true })
  },
  component: lazyRouteComponent(() => import('./home-page.tsx'), 'HomePage'),
})

const welcome = createRoute({
  getParentRoute: () => signedIn,
  path: '/welcome',
  component: lazyRouteComponent(() => import('./welcome-page.tsx'), 'WelcomePage'),
})

/** The start page, and the first page of a new workspace. */
export const homeRoutes = [home, welcome] as const
