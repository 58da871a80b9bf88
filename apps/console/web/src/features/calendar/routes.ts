import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { signedIn } from '../../frame/routes.tsx'
import { readCalendarSearch } from './calendar-search.ts'

const calendar = createRoute({
  getParentRoute: () => signedIn,
  path: '/calendar',
  validateSearch: readCalendarSearch,
  component: lazyRouteComponent(() => import('./calendar-page.tsx'), 'CalendarPage'),
})

const connectedCalendars = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/calendars',
  component: lazyRouteComponent(() => import('./connected-calendars-page.tsx'), 'ConnectedCalendarsPage'),
})

/** The former address. */
const moved = createRoute({
  getParentRoute: () => signedIn,
  path: '/booking/calendar',
  beforeLoad: () => {
    throw redirect({ to: '/calendar' })
  },
})

/** The pages of the calendar by address. */
export const calendarRoutes = [calendar, connectedCalendars, moved] as const
