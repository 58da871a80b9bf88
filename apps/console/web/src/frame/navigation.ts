import type { IconName } from '../shell/icons.tsx'

export const destinations = [
  '/',
  '/inbox',
  '/dashboards',
  '/leads',
  '/contacts',
  '/companies',
  '/deals',
  '/tasks',
  '/projects',
  '/quotes',
  '/orders',
  '/invoices',
  '/documents',
  '/document-templates',
  '/conversations',
  '/products',
  '/price-lists',
  '/product-categories',
  '/product-attributes',
  '/booking/meetings',
  '/booking/calendar',
  '/booking/links',
  '/automation/workflows',
  '/automation/rules',
  '/settings/account',
  '/settings/notifications',
  '/settings/security',
  '/settings/connections',
  '/settings/api-keys',
  '/settings/people',
  '/settings/departments',
  '/settings/roles',
  '/settings/pipelines',
  '/settings/custom-fields',
  '/settings/custom-entities',
  '/settings/lists',
  '/settings/money',
  '/settings/number-sequences',
  '/settings/imports',
  '/settings/deleted',
  '/settings/organization',
  '/settings/workspace',
  '/settings/sign-in',
  '/settings/single-sign-on',
  '/settings/directory-sync',
  '/settings/audit-log',
] as const

/** Groups of the navigation that are always visible. */
export const openGroups = ['Start', 'Sales'] as const
/** Groups that unfold. */
export const foldedGroups = ['Finance', 'Work', 'More'] as const
/** Groups of the settings, which have their own navigation. */
export const settingsGroups = ['Personal', 'Workspace', 'Data', 'Developers'] as const
/** The group below the folded ones. */
export const endGroup = 'End'
type Group =
  | (typeof openGroups)[number]
  | typeof endGroup
  | (typeof foldedGroups)[number]
  | (typeof settingsGroups)[number]

/** A target of the navigation. */
export interface Destination {
  readonly to: (typeof destinations)[number]
  readonly label: string
  readonly icon: IconName
  readonly group: Group
  /** The permission without which the page shows nothing, or a pattern of permissions of which one is enough. */
  readonly needs?: string | RegExp
}

const everyDestination: readonly Destination[] = [
  { to: '/', label: 'Home', icon: 'home', group: 'Start' },
  { to: '/inbox', label: 'Inbox', icon: 'inbox', group: 'Start' },
  { to: '/tasks', label: 'Tasks', icon: 'tasks', group: 'Start', needs: 'VIEW_TASK' },
  { to: '/booking/calendar', label: 'Calendar', icon: 'calendar', group: 'Start' },
  { to: '/leads', label: 'Leads', icon: 'leads', group: 'Sales', needs: 'VIEW_LEAD' },
  { to: '/deals', label: 'Deals', icon: 'deals', group: 'Sales', needs: 'VIEW_DEAL' },
  { to: '/contacts', label: 'Contacts', icon: 'contacts', group: 'Sales', needs: 'VIEW_CONTACT' },
  { to: '/companies', label: 'Companies', icon: 'companies', group: 'Sales', needs: 'VIEW_COMPANY' },
  { to: '/quotes', label: 'Quotes', icon: 'quote', group: 'Finance', needs: 'VIEW_QUOTE' },
  { to: '/orders', label: 'Orders', icon: 'order', group: 'Finance', needs: 'VIEW_ORDER' },
  { to: '/invoices', label: 'Invoices', icon: 'invoice', group: 'Finance', needs: 'VIEW_INVOICE' },
  { to: '/products', label: 'Products', icon: 'products', group: 'Finance', needs: 'VIEW_PRODUCT' },
  { to: '/price-lists', label: 'Price lists', icon: 'prices', group: 'Finance', needs: 'VIEW_PRICE_LIST' },
  { to: '/projects', label: 'Projects', icon: 'projects', group: 'Work', needs: 'VIEW_PROJECT' },
  { to: '/documents', label: 'Documents', icon: 'document', group: 'Work', needs: 'VIEW_DOCUMENT' },
  { to: '/conversations', label: 'Conversations', icon: 'talk', group: 'Work', needs: 'VIEW_CONVERSATION' },
  { to: '/dashboards', label: 'Dashboards', icon: 'chart', group: 'End', needs: /^VIEW_/ },
  { to: '/booking/meetings', label: 'Meetings', icon: 'meeting', group: 'More' },
  { to: '/booking/links', label: 'Booking links', icon: 'link', group: 'More', needs: 'MANAGE_BOOKING' },
  { to: '/automation/workflows', label: 'Workflows', icon: 'flow', group: 'More', needs: 'MANAGE_WORKFLOWS' },
  { to: '/automation/rules', label: 'Automation rules', icon: 'rule', group: 'More', needs: 'MANAGE_WORKFLOWS' },
  { to: '/settings/account', label: 'Profile', icon: 'person', group: 'Personal' },
  { to: '/settings/notifications', label: 'Notifications', icon: 'bell', group: 'Personal' },
  { to: '/settings/security', label: 'Security', icon: 'lock', group: 'Personal' },
  { to: '/settings/workspace', label: 'General', icon: 'workspace', group: 'Workspace', needs: 'MANAGE_WORKSPACE' },
  {
    to: '/settings/organization',
    label: 'Company details',
    icon: 'companies',
    group: 'Workspace',
    needs: 'MANAGE_WORKSPACE',
  },
  { to: '/settings/people', label: 'People', icon: 'people', group: 'Workspace', needs: 'MANAGE_USERS' },
  { to: '/settings/sign-in', label: 'Sign-in', icon: 'lock', group: 'Workspace', needs: 'MANAGE_WORKSPACE' },
  {
    to: '/settings/single-sign-on',
    label: 'Single sign-on',
    icon: 'link',
    group: 'Workspace',
    needs: 'MANAGE_WORKSPACE',
  },
  { to: '/settings/directory-sync', label: 'Directory sync', icon: 'tree', group: 'Workspace', needs: 'MANAGE_USERS' },
  { to: '/settings/roles', label: 'Roles', icon: 'shield', group: 'Workspace', needs: 'MANAGE_ROLES' },
  {
    to: '/settings/departments',
    label: 'Departments',
    icon: 'departments',
    group: 'Workspace',
    needs: 'UPDATE_DEPARTMENT',
  },
  { to: '/settings/custom-fields', label: 'Fields', icon: 'fields', group: 'Data', needs: 'MANAGE_CUSTOM_FIELDS' },
  {
    to: '/settings/custom-entities',
    label: 'Custom entities',
    icon: 'records',
    group: 'Data',
    needs: 'MANAGE_CUSTOM_FIELDS',
  },
  { to: '/settings/pipelines', label: 'Pipelines', icon: 'stages', group: 'Data', needs: 'MANAGE_REFERENCE_DATA' },
  { to: '/settings/lists', label: 'Tags and lists', icon: 'list', group: 'Data', needs: 'MANAGE_REFERENCE_DATA' },
  { to: '/product-categories', label: 'Categories', icon: 'tree', group: 'Data', needs: 'VIEW_PRODUCT' },
  { to: '/product-attributes', label: 'Attributes', icon: 'attribute', group: 'Data', needs: 'VIEW_PRODUCT' },
  { to: '/document-templates', label: 'Document templates', icon: 'template', group: 'Data', needs: 'VIEW_DOCUMENT' },
  {
    to: '/settings/money',
    label: 'Taxes and currencies',
    icon: 'money',
    group: 'Data',
    needs: 'MANAGE_REFERENCE_DATA',
  },
  {
    to: '/settings/number-sequences',
    label: 'Numbering',
    icon: 'number',
    group: 'Data',
    needs: 'MANAGE_REFERENCE_DATA',
  },
  { to: '/settings/imports', label: 'Import', icon: 'import', group: 'Data', needs: 'IMPORT_DATA' },
  {
    to: '/settings/deleted',
    label: 'Trash',
    icon: 'restore',
    group: 'Data',
    needs: /^DELETE_(?!FILE|EMPLOYEE|DEPARTMENT)/,
  },
  { to: '/settings/api-keys', label: 'API keys', icon: 'key', group: 'Developers', needs: 'MANAGE_API_KEYS' },
  { to: '/settings/connections', label: 'AI clients', icon: 'connection', group: 'Developers' },
  { to: '/settings/audit-log', label: 'Audit log', icon: 'log', group: 'Developers', needs: 'VIEW_AUDIT_LOG' },
]

/** Returns the destinations that a person may see, in order. */
export function destinationsFor(permissions: ReadonlySet<string>): readonly Destination[] {
  const suffices = (needs: string | RegExp): boolean =>
    typeof needs === 'string' ? permissions.has(needs) : [...permissions].some((name) => needs.test(name))
  return everyDestination.filter(({ needs }) => needs === undefined || suffices(needs))
}

/** Whether an address belongs to the settings, whose navigation replaces the main one. */
export function isSettings(pathname: string): boolean {
  const place = everyDestination.find(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
  return pathname.startsWith('/settings/') || settingsGroups.some((group) => group === place?.group)
}
