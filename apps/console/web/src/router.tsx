import { createRouter } from '@tanstack/react-router'
import { activityPages } from './features/activities/routes.ts'
import { automationRoutes } from './features/automation/routes.ts'
import { bookingRoutes } from './features/booking/routes.ts'
import { calendarRoutes } from './features/calendar/routes.ts'
import { cataloguePages, catalogueRoutes } from './features/catalogue/routes.ts'
import { companyPages } from './features/companies/routes.ts'
import { contactPages } from './features/contacts/routes.ts'
import { conversationRoutes } from './features/conversations/routes.ts'
import { customEntityRoutes } from './features/custom-entities/routes.ts'
import { dashboardRoutes } from './features/dashboards/routes.ts'
import { dealPages } from './features/deals/routes.ts'
import { docsRoutes } from './features/docs/routes.ts'
import { documentRoutes, templatePages } from './features/documents/routes.ts'
import { fileRoutes } from './features/files/routes.ts'
import { financePages, financeRoutes } from './features/finance/routes.ts'
import { homeRoutes } from './features/home/routes.ts'
import { inboxRoutes } from './features/inbox/routes.ts'
import { kindRoutes } from './features/kinds/routes.ts'
import { leadPages } from './features/leads/routes.ts'
import { projectPages } from './features/projects/routes.ts'
import { settingsRoutes } from './features/settings/routes.ts'
import { signInRoutes } from './features/sign-in/routes.ts'
import { taskPages } from './features/tasks/routes.ts'
import { teamRoutes } from './features/team/routes.ts'
import { transferRoutes } from './features/transfers/routes.ts'
import { root, signedIn } from './frame/routes.tsx'
import { Page } from './shell/page.tsx'
import { LoadingLines } from './shell/states.tsx'
import { t } from './base/texts.ts'

/** What is special about the pages of some kinds of record. */
const special = [
  activityPages,
  companyPages,
  contactPages,
  dealPages,
  leadPages,
  projectPages,
  taskPages,
  templatePages,
  ...cataloguePages,
  ...financePages,
]

/** The pages of the console by address. */
export const router = createRouter({
  routeTree: root.addChildren([
    ...signInRoutes,
    ...docsRoutes,
    signedIn.addChildren([
      ...homeRoutes,
      ...automationRoutes,
      ...bookingRoutes,
      ...calendarRoutes,
      ...catalogueRoutes,
      ...conversationRoutes,
      ...customEntityRoutes,
      ...dashboardRoutes,
      ...documentRoutes,
      ...fileRoutes,
      ...financeRoutes,
      ...inboxRoutes,
      ...kindRoutes(special),
      ...settingsRoutes,
      ...teamRoutes,
      ...transferRoutes,
    ]),
  ]),
  defaultPreload: 'intent',
  // The query client decides what is fresh.
  defaultPreloadStaleTime: 0,
  defaultPendingComponent: () => (
    <Page title={t('Loading')} narrow>
      <LoadingLines />
    </Page>
  ),
  scrollRestoration: true,
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const present = Object.entries(search).filter(([, value]) => value !== undefined)
    return present.length === 0 ? '' : `?${new URLSearchParams(present.map(([name, value]) => [name, String(value)]))}`
  },
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
