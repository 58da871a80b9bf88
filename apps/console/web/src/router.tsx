import { ClientError } from '@crm/client'
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet, redirect, type ErrorComponentProps } from '@tanstack/react-router'
import { activityQuery } from './activities/activity-queries.ts'
import { priceListAddress, priceListQuery, priceListsQuery, productAddress, productQuery, productsQuery } from './catalogue/catalogue-queries.ts'
import { companiesQuery, companyAddress, companyQuery } from './companies/company-queries.ts'
import { contactAddress, contactQuery, contactsQuery } from './contacts/contact-queries.ts'
import { conversationQuery } from './conversations/conversation-queries.ts'
import { readRecordSearch } from './custom-entities/record-search.ts'
import { dealQuery } from './deals/deal-queries.ts'
import { readDealSearch } from './deals/deal-search.ts'
import { templateAddress, templateQuery, templatesQuery } from './documents/document-queries.ts'
import { readMadeSearch } from './documents/document-search.ts'
import { fileQuery } from './files/file-queries.ts'
import { invoiceAddress, orderAddress, quoteAddress } from './finance/finance-address.ts'
import { invoiceQuery, invoicesQuery, orderQuery, ordersQuery, quoteQuery, quotesQuery } from './finance/finance-queries.ts'
import { leadsQuery, leadQuery } from './leads/lead-queries.ts'
import { leadQueryOf, readLeadSearch } from './leads/lead-search.ts'
import { LeadsPage } from './leads/leads-page.tsx'
import { projectQuery } from './projects/project-queries.ts'
import { readProjectSearch } from './projects/project-search.ts'
import { queryClient } from './queries.ts'
import { sessionQuery } from './session.ts'
import { readDeletedSearch } from './settings/deleted-search.ts'
import { Frame } from './shell/frame.tsx'
import { startFor } from './shell/navigation.ts'
import { NotFoundPage } from './shell/not-found-page.tsx'
import { Page } from './shell/page.tsx'
import { LoadingLines, RefusalAlert } from './shell/states.tsx'
import { taskQuery } from './tasks/task-queries.ts'
import { readTaskSearch } from './tasks/task-search.ts'
import { departmentQuery, employeeQuery } from './team/team-queries.ts'
import { SignInPage } from './sign-in/sign-in-page.tsx'

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage, errorComponent: PageError })

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: ({ next }): { next?: string } => (typeof next === 'string' ? { next } : {}),
  component: SignInPage,
})

const docs = createRoute({
  getParentRoute: () => root,
  path: '/docs',
  validateSearch: ({ operation }): { operation?: string } => (typeof operation === 'string' ? { operation } : {}),
  component: lazyRouteComponent(() => import('./docs/docs-page.tsx'), 'DocsPage'),
})

/** Everything behind the sign-in. */
const console = createRoute({
  getParentRoute: () => root,
  id: 'console',
  beforeLoad: async ({ location }) => {
    try {
      return { session: await queryClient.ensureQueryData(sessionQuery) }
    } catch (error) {
      if (error instanceof ClientError && error.status === 401) throw redirect({ to: '/login', search: location.href === '/' ? {} : { next: location.href } })
      throw error
    }
  },
  component: Frame,
  notFoundComponent: NotFoundPage,
  errorComponent: PageError,
})

const start = createRoute({
  getParentRoute: () => console,
  path: '/',
  beforeLoad: ({ context }) => {
    throw redirect({ to: startFor(context.session.usable), search: {}, replace: true })
  },
})

const leads = createRoute({
  getParentRoute: () => console,
  path: '/leads',
  validateSearch: readLeadSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => void queryClient.prefetchQuery(leadsQuery(leadQueryOf(deps))),
  component: LeadsPage,
})

const lead = createRoute({
  getParentRoute: () => console,
  path: '/leads/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(leadQuery(params.id)),
  component: lazyRouteComponent(() => import('./leads/lead-page.tsx'), 'LeadPage'),
})

const contacts = createRoute({
  getParentRoute: () => console,
  path: '/contacts',
  validateSearch: contactAddress.read,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => void queryClient.prefetchQuery(contactsQuery(contactAddress.queryOf(deps))),
  component: lazyRouteComponent(() => import('./contacts/contacts-page.tsx'), 'ContactsPage'),
})

const contact = createRoute({
  getParentRoute: () => console,
  path: '/contacts/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(contactQuery(params.id)),
  component: lazyRouteComponent(() => import('./contacts/contact-page.tsx'), 'ContactPage'),
})

const companies = createRoute({
  getParentRoute: () => console,
  path: '/companies',
  validateSearch: companyAddress.read,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => void queryClient.prefetchQuery(companiesQuery(companyAddress.queryOf(deps))),
  component: lazyRouteComponent(() => import('./companies/companies-page.tsx'), 'CompaniesPage'),
})

const company = createRoute({
  getParentRoute: () => console,
  path: '/companies/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(companyQuery(params.id)),
  component: lazyRouteComponent(() => import('./companies/company-page.tsx'), 'CompanyPage'),
})

const deals = createRoute({
  getParentRoute: () => console,
  path: '/deals',
  validateSearch: readDealSearch,
  component: lazyRouteComponent(() => import('./deals/deals-page.tsx'), 'DealsPage'),
})

const deal = createRoute({
  getParentRoute: () => console,
  path: '/deals/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(dealQuery(params.id)),
  component: lazyRouteComponent(() => import('./deals/deal-page.tsx'), 'DealPage'),
})

const projects = createRoute({
  getParentRoute: () => console,
  path: '/projects',
  validateSearch: readProjectSearch,
  component: lazyRouteComponent(() => import('./projects/projects-page.tsx'), 'ProjectsPage'),
})

const project = createRoute({
  getParentRoute: () => console,
  path: '/projects/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(projectQuery(params.id)),
  component: lazyRouteComponent(() => import('./projects/project-page.tsx'), 'ProjectPage'),
})

const products = createRoute({
  getParentRoute: () => console,
  path: '/products',
  validateSearch: productAddress.read,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => void queryClient.prefetchQuery(productsQuery(productAddress.queryOf(deps))),
  component: lazyRouteComponent(() => import('./catalogue/products-page.tsx'), 'ProductsPage'),
})

const product = createRoute({
  getParentRoute: () => console,
  path: '/products/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(productQuery(params.id)),
  component: lazyRouteComponent(() => import('./catalogue/product-page.tsx'), 'ProductPage'),
})

const priceLists = createRoute({
  getParentRoute: () => console,
  path: '/price-lists',
  validateSearch: priceListAddress.read,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => void queryClient.prefetchQuery(priceListsQuery(priceListAddress.queryOf(deps))),
  component: lazyRouteComponent(() => import('./catalogue/price-lists-page.tsx'), 'PriceListsPage'),
})

const priceList = createRoute({
  getParentRoute: () => console,
  path: '/price-lists/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(priceListQuery(params.id)),
  component: lazyRouteComponent(() => import('./catalogue/price-list-page.tsx'), 'PriceListPage'),
})

/** Whom a new document is for. */
const readParties = (raw: Readonly<Record<string, unknown>>): { companyId?: string; contactId?: string; dealId?: string } => {
  const { companyId, contactId, dealId } = quoteAddress.read(raw)
  return { ...(companyId && { companyId }), ...(contactId && { contactId }), ...(dealId && { dealId }) }
}

const productCategories = createRoute({
  getParentRoute: () => console,
  path: '/product-categories',
  component: lazyRouteComponent(() => import('./catalogue/categories-page.tsx'), 'CategoriesPage'),
})

const productAttributes = createRoute({
  getParentRoute: () => console,
  path: '/product-attributes',
  component: lazyRouteComponent(() => import('./catalogue/attributes-page.tsx'), 'AttributesPage'),
})

const quotes = createRoute({
  getParentRoute: () => console,
  path: '/quotes',
  validateSearch: quoteAddress.read,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => void queryClient.prefetchQuery(quotesQuery(quoteAddress.queryOf(deps))),
  component: lazyRouteComponent(() => import('./finance/finance-lists.tsx'), 'QuotesPage'),
})

const newQuote = createRoute({
  getParentRoute: () => console,
  path: '/quotes/new',
  validateSearch: readParties,
  component: lazyRouteComponent(() => import('./finance/document-editor-pages.tsx'), 'NewQuotePage'),
})

const quote = createRoute({
  getParentRoute: () => console,
  path: '/quotes/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(quoteQuery(params.id)),
  component: lazyRouteComponent(() => import('./finance/quote-page.tsx'), 'QuotePage'),
})

const editQuote = createRoute({
  getParentRoute: () => console,
  path: '/quotes/$id/edit',
  component: lazyRouteComponent(() => import('./finance/document-editor-pages.tsx'), 'EditQuotePage'),
})

const orders = createRoute({
  getParentRoute: () => console,
  path: '/orders',
  validateSearch: orderAddress.read,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => void queryClient.prefetchQuery(ordersQuery(orderAddress.queryOf(deps))),
  component: lazyRouteComponent(() => import('./finance/finance-lists.tsx'), 'OrdersPage'),
})

const newOrder = createRoute({
  getParentRoute: () => console,
  path: '/orders/new',
  validateSearch: readParties,
  component: lazyRouteComponent(() => import('./finance/document-editor-pages.tsx'), 'NewOrderPage'),
})

const order = createRoute({
  getParentRoute: () => console,
  path: '/orders/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(orderQuery(params.id)),
  component: lazyRouteComponent(() => import('./finance/order-page.tsx'), 'OrderPage'),
})

const editOrder = createRoute({
  getParentRoute: () => console,
  path: '/orders/$id/edit',
  component: lazyRouteComponent(() => import('./finance/document-editor-pages.tsx'), 'EditOrderPage'),
})

const invoices = createRoute({
  getParentRoute: () => console,
  path: '/invoices',
  validateSearch: invoiceAddress.read,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => void queryClient.prefetchQuery(invoicesQuery(invoiceAddress.queryOf(deps))),
  component: lazyRouteComponent(() => import('./finance/finance-lists.tsx'), 'InvoicesPage'),
})

const newInvoice = createRoute({
  getParentRoute: () => console,
  path: '/invoices/new',
  validateSearch: readParties,
  component: lazyRouteComponent(() => import('./finance/document-editor-pages.tsx'), 'NewInvoicePage'),
})

const invoice = createRoute({
  getParentRoute: () => console,
  path: '/invoices/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(invoiceQuery(params.id)),
  component: lazyRouteComponent(() => import('./finance/invoice-page.tsx'), 'InvoicePage'),
})

const editInvoice = createRoute({
  getParentRoute: () => console,
  path: '/invoices/$id/edit',
  component: lazyRouteComponent(() => import('./finance/document-editor-pages.tsx'), 'EditInvoicePage'),
})

const documents = createRoute({
  getParentRoute: () => console,
  path: '/documents',
  validateSearch: readMadeSearch,
  component: lazyRouteComponent(() => import('./documents/documents-page.tsx'), 'DocumentsPage'),
})

const documentTemplates = createRoute({
  getParentRoute: () => console,
  path: '/document-templates',
  validateSearch: templateAddress.read,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => void queryClient.prefetchQuery(templatesQuery(templateAddress.queryOf(deps))),
  component: lazyRouteComponent(() => import('./documents/templates-page.tsx'), 'TemplatesPage'),
})

const documentTemplate = createRoute({
  getParentRoute: () => console,
  path: '/document-templates/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(templateQuery(params.id)),
  component: lazyRouteComponent(() => import('./documents/template-page.tsx'), 'TemplatePage'),
})

const tasks = createRoute({
  getParentRoute: () => console,
  path: '/tasks',
  validateSearch: readTaskSearch,
  component: lazyRouteComponent(() => import('./tasks/tasks-page.tsx'), 'TasksPage'),
})

const task = createRoute({
  getParentRoute: () => console,
  path: '/tasks/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(taskQuery(params.id)),
  component: lazyRouteComponent(() => import('./tasks/task-page.tsx'), 'TaskPage'),
})

const activity = createRoute({
  getParentRoute: () => console,
  path: '/activities/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(activityQuery(params.id)),
  component: lazyRouteComponent(() => import('./activities/activity-page.tsx'), 'ActivityPage'),
})

const file = createRoute({
  getParentRoute: () => console,
  path: '/files/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(fileQuery(params.id)),
  component: lazyRouteComponent(() => import('./files/file-page.tsx'), 'FilePage'),
})

const person = createRoute({
  getParentRoute: () => console,
  path: '/people/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(employeeQuery(params.id)),
  component: lazyRouteComponent(() => import('./team/person-page.tsx'), 'PersonPage'),
})

const department = createRoute({
  getParentRoute: () => console,
  path: '/departments/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(departmentQuery(params.id)),
  component: lazyRouteComponent(() => import('./team/department-page.tsx'), 'DepartmentPage'),
})

const readWords = ({ search }: Readonly<Record<string, unknown>>): { search?: string } => (typeof search === 'string' && search.trim() !== '' ? { search: search.trim().slice(0, 200) } : {})

const conversations = createRoute({
  getParentRoute: () => console,
  path: '/conversations',
  validateSearch: readWords,
  component: lazyRouteComponent(() => import('./conversations/conversations-page.tsx'), 'ConversationsPage'),
})

const channel = createRoute({
  getParentRoute: () => console,
  path: '/conversations/channels/$id',
  validateSearch: readWords,
  component: lazyRouteComponent(() => import('./conversations/conversations-page.tsx'), 'ChannelPage'),
})

const conversation = createRoute({
  getParentRoute: () => console,
  path: '/conversations/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(conversationQuery(params.id)),
  component: lazyRouteComponent(() => import('./conversations/conversation-page.tsx'), 'ConversationPage'),
})

const customRecords = createRoute({
  getParentRoute: () => console,
  path: '/records/$key',
  validateSearch: readRecordSearch,
  component: lazyRouteComponent(() => import('./custom-entities/records-page.tsx'), 'CustomRecordsPage'),
})

const customRecord = createRoute({
  getParentRoute: () => console,
  path: '/records/$key/$id',
  component: lazyRouteComponent(() => import('./custom-entities/record-page.tsx'), 'CustomRecordPage'),
})

const customEntities = createRoute({
  getParentRoute: () => console,
  path: '/settings/custom-entities',
  component: lazyRouteComponent(() => import('./custom-entities/custom-entities-page.tsx'), 'CustomEntitiesPage'),
})

const bookingLinks = createRoute({
  getParentRoute: () => console,
  path: '/booking/links',
  component: lazyRouteComponent(() => import('./booking/links-page.tsx'), 'BookingLinksPage'),
})

const bookingLink = createRoute({
  getParentRoute: () => console,
  path: '/booking/links/$id',
  component: lazyRouteComponent(() => import('./booking/link-page.tsx'), 'BookingLinkPage'),
})

const meetings = createRoute({
  getParentRoute: () => console,
  path: '/booking/meetings',
  component: lazyRouteComponent(() => import('./booking/meetings-page.tsx'), 'MeetingsPage'),
})

const calendar = createRoute({
  getParentRoute: () => console,
  path: '/booking/calendar',
  component: lazyRouteComponent(() => import('./booking/calendar-page.tsx'), 'CalendarPage'),
})

const account = createRoute({
  getParentRoute: () => console,
  path: '/settings/account',
  component: lazyRouteComponent(() => import('./settings/account-page.tsx'), 'AccountPage'),
})

const apiKeys = createRoute({
  getParentRoute: () => console,
  path: '/settings/api-keys',
  component: lazyRouteComponent(() => import('./settings/api-keys-page.tsx'), 'ApiKeysPage'),
})

const connections = createRoute({
  getParentRoute: () => console,
  path: '/settings/connections',
  component: lazyRouteComponent(() => import('./connections/connections-page.tsx'), 'ConnectionsPage'),
})

const workspace = createRoute({
  getParentRoute: () => console,
  path: '/settings/workspace',
  component: lazyRouteComponent(() => import('./settings/workspace-page.tsx'), 'WorkspacePage'),
})

const readPage = ({ page }: Readonly<Record<string, unknown>>): { page?: number } => (Number.isSafeInteger(Number(page)) && Number(page) > 1 ? { page: Number(page) } : {})

const people = createRoute({
  getParentRoute: () => console,
  path: '/settings/people',
  validateSearch: readPage,
  component: lazyRouteComponent(() => import('./settings/people-page.tsx'), 'PeoplePage'),
})

const departments = createRoute({
  getParentRoute: () => console,
  path: '/settings/departments',
  component: lazyRouteComponent(() => import('./settings/departments-page.tsx'), 'DepartmentsPage'),
})

const roles = createRoute({
  getParentRoute: () => console,
  path: '/settings/roles',
  component: lazyRouteComponent(() => import('./settings/roles-page.tsx'), 'RolesPage'),
})

const pipelines = createRoute({
  getParentRoute: () => console,
  path: '/settings/pipelines',
  component: lazyRouteComponent(() => import('./settings/pipelines-page.tsx'), 'PipelinesPage'),
})

const customFields = createRoute({
  getParentRoute: () => console,
  path: '/settings/custom-fields',
  component: lazyRouteComponent(() => import('./settings/custom-fields-page.tsx'), 'CustomFieldsPage'),
})

const lists = createRoute({
  getParentRoute: () => console,
  path: '/settings/lists',
  component: lazyRouteComponent(() => import('./settings/reference-data-page.tsx'), 'ReferenceDataPage'),
})

const money = createRoute({
  getParentRoute: () => console,
  path: '/settings/money',
  component: lazyRouteComponent(() => import('./settings/money-page.tsx'), 'MoneyPage'),
})

const numberSequences = createRoute({
  getParentRoute: () => console,
  path: '/settings/number-sequences',
  component: lazyRouteComponent(() => import('./settings/number-sequences-page.tsx'), 'NumberSequencesPage'),
})

const imports = createRoute({
  getParentRoute: () => console,
  path: '/settings/imports',
  component: lazyRouteComponent(() => import('./transfers/imports-page.tsx'), 'ImportsPage'),
})

const organization = createRoute({
  getParentRoute: () => console,
  path: '/settings/organization',
  component: lazyRouteComponent(() => import('./settings/organization-page.tsx'), 'OrganizationPage'),
})

const deleted = createRoute({
  getParentRoute: () => console,
  path: '/settings/deleted',
  validateSearch: readDeletedSearch,
  component: lazyRouteComponent(() => import('./settings/deleted-records-page.tsx'), 'DeletedRecordsPage'),
})

const auditLog = createRoute({
  getParentRoute: () => console,
  path: '/settings/audit-log',
  validateSearch: readPage,
  component: lazyRouteComponent(() => import('./settings/audit-log-page.tsx'), 'AuditLogPage'),
})

const workflows = createRoute({
  getParentRoute: () => console,
  path: '/automation/workflows',
  validateSearch: readPage,
  component: lazyRouteComponent(() => import('./automation/workflows-page.tsx'), 'WorkflowsPage'),
})

const workflow = createRoute({
  getParentRoute: () => console,
  path: '/automation/workflows/$id',
  component: lazyRouteComponent(() => import('./automation/workflow-page.tsx'), 'WorkflowPage'),
})

const run = createRoute({
  getParentRoute: () => console,
  path: '/automation/runs/$id',
  component: lazyRouteComponent(() => import('./automation/run-page.tsx'), 'RunPage'),
})

const rules = createRoute({
  getParentRoute: () => console,
  path: '/automation/rules',
  validateSearch: readPage,
  component: lazyRouteComponent(() => import('./automation/rules-page.tsx'), 'RulesPage'),
})

const rule = createRoute({
  getParentRoute: () => console,
  path: '/automation/rules/$id',
  component: lazyRouteComponent(() => import('./automation/rule-page.tsx'), 'RulePage'),
})

function PageError({ error, reset }: ErrorComponentProps) {
  return <Page title="This page could not be shown" narrow><RefusalAlert error={error} retry={reset} /></Page>
}

/** The pages of the console by address. */
export const router = createRouter({
  routeTree: root.addChildren([login, docs, console.addChildren([start, leads, lead, contacts, contact, companies, company, deals, deal, projects, project, products, product, priceLists, priceList, productCategories, productAttributes, quotes, newQuote, quote, editQuote, orders, newOrder, order, editOrder, invoices, newInvoice, invoice, editInvoice, documents, documentTemplates, documentTemplate, tasks, task, activity, file, person, department, conversations, channel, conversation, customRecords, customRecord, customEntities, bookingLinks, bookingLink, meetings, calendar, account, connections, apiKeys, workspace, people, departments, roles, pipelines, customFields, lists, money, numberSequences, imports, deleted, organization, auditLog, workflows, workflow, run, rules, rule])]),
  defaultPreload: 'intent',
  // The query client knows what is fresh.
  defaultPreloadStaleTime: 0,
  defaultPendingComponent: () => <Page title="Loading" narrow><LoadingLines /></Page>,
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
