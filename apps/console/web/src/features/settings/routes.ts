import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { signedIn } from '../../frame/routes.tsx'
import { readSearchedPage } from '../../records/address-parts.ts'
import { readAuditSearch } from './audit-search.ts'
import { readDeletedSearch } from './deleted-search.ts'
import { readDuplicatesSearch } from './duplicates-search.ts'

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/profile',
  component: lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage'),
})

const apiKeys = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/api-keys',
  validateSearch: readSearchedPage,
  component: lazyRouteComponent(() => import('./api-keys-page.tsx'), 'ApiKeysPage'),
})

const proposals = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/proposals',
  component: lazyRouteComponent(() => import('./proposals-page.tsx'), 'ProposalsPage'),
})

const agents = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/agents',
  component: lazyRouteComponent(() => import('./agents-page.tsx'), 'AgentsPage'),
})

const connections = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/ai-clients',
  component: lazyRouteComponent(() => import('./connections-page.tsx'), 'ConnectionsPage'),
})

const workspace = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/general',
  component: lazyRouteComponent(() => import('./workspace-page.tsx'), 'WorkspacePage'),
})

const usage = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/usage',
  component: lazyRouteComponent(() => import('./usage-page.tsx'), 'UsagePage'),
})

const people = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/people',
  validateSearch: readSearchedPage,
  component: lazyRouteComponent(() => import('./people-page.tsx'), 'PeoplePage'),
})

const departments = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/departments',
  component: lazyRouteComponent(() => import('./departments-page.tsx'), 'DepartmentsPage'),
})

const roles = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/roles',
  component: lazyRouteComponent(() => import('./roles-page.tsx'), 'RolesPage'),
})

const pipelines = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/pipelines',
  component: lazyRouteComponent(() => import('./pipelines-page.tsx'), 'PipelinesPage'),
})

const customFields = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/fields',
  component: lazyRouteComponent(() => import('./custom-fields-page.tsx'), 'CustomFieldsPage'),
})

const lists = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/tags-and-lists',
  component: lazyRouteComponent(() => import('./reference-data-page.tsx'), 'ReferenceDataPage'),
})

const money = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/taxes',
  component: lazyRouteComponent(() => import('./money-page.tsx'), 'MoneyPage'),
})

const numberSequences = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/numbering',
  component: lazyRouteComponent(() => import('./number-sequences-page.tsx'), 'NumberSequencesPage'),
})

const organization = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/organization',
  component: lazyRouteComponent(() => import('./organization-page.tsx'), 'OrganizationPage'),
})

const deleted = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/trash',
  validateSearch: readDeletedSearch,
  component: lazyRouteComponent(() => import('./deleted-records-page.tsx'), 'DeletedRecordsPage'),
})

const duplicates = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/duplicates',
  validateSearch: readDuplicatesSearch,
  component: lazyRouteComponent(() => import('./duplicates-page.tsx'), 'DuplicatesPage'),
})

const signInRules = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/sign-in',
  component: lazyRouteComponent(() => import('./sign-in-rules-page.tsx'), 'SignInRulesPage'),
})

const singleSignOn = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/single-sign-on',
  component: lazyRouteComponent(() => import('./single-sign-on-page.tsx'), 'SingleSignOnPage'),
})

const directorySync = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/directory-sync',
  component: lazyRouteComponent(() => import('./directory-sync-page.tsx'), 'DirectorySyncPage'),
})

const security = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/security',
  component: lazyRouteComponent(() => import('./security-page.tsx'), 'SecurityPage'),
})

const auditLog = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/audit-log',
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('./audit-log-page.tsx'), 'AuditLogPage'),
})

/** Old addresses, which lead to the present ones. */
const present = {
  '/settings': '/settings/profile',
  '/settings/account': '/settings/profile',
  '/settings/workspace': '/settings/general',
  '/settings/connections': '/settings/ai-clients',
  '/settings/custom-fields': '/settings/fields',
  '/settings/imports': '/settings/import',
  '/settings/lists': '/settings/tags-and-lists',
  '/settings/money': '/settings/taxes',
  '/settings/taxes-and-currencies': '/settings/taxes',
  '/settings/number-sequences': '/settings/numbering',
  '/settings/deleted': '/settings/trash',
} as const
const moved = (Object.keys(present) as (keyof typeof present)[]).map((path) =>
  createRoute({
    getParentRoute: () => signedIn,
    path,
    beforeLoad: () => {
      throw redirect({ to: present[path], search: {} })
    },
  }),
)

/** The pages of the settings by address. */
export const settingsRoutes = [
  account,
  apiKeys,
  connections,
  proposals,
  agents,
  workspace,
  usage,
  people,
  departments,
  roles,
  pipelines,
  customFields,
  lists,
  money,
  numberSequences,
  organization,
  deleted,
  duplicates,
  signInRules,
  singleSignOn,
  directorySync,
  security,
  auditLog,
  ...moved,
] as const
