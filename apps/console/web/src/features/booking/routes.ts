import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedIn } from '../../frame/routes.tsx'

const bookingLinks = createRoute({
  getParentRoute: () => signedIn,
  path: '/booking/links',
  component: lazyRouteComponent(() => import('./links-page.tsx'), 'BookingLinksPage'),
})

const bookingLink = createRoute({
  getParentRoute: () => signedIn,
  path: '/booking/links/$id',
  component: lazyRouteComponent(() => import('./link-page.tsx'), 'BookingLinkPage'),
})

const meetings = createRoute({
  getParentRoute: () => signedIn,
  path: '/booking/meetings',
  component: lazyRouteComponent(() => import('./meetings-page.tsx'), 'MeetingsPage'),
})

/** The pages of booking by address. */
export const bookingRoutes = [bookingLinks, bookingLink, meetings] as const
