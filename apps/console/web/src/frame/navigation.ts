import type { IconName } from '../shell/icons.tsx'

export const destinations = [
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
  '/settings/audit-log',
] as const

/** A place that the navigation leads to. */
export interface Destination {
  readonly to: (typeof destinations)[number]
  readonly label: string
  readonly icon: IconName
  readonly group: 'Work' | 'Finance' | 'Catalogue' | 'Booking' | 'Automation' | 'Settings'
  /** The permission without which the place shows nothing, or a pattern of some of which one is enough. */
  readonly needs?: string | RegExp
}

/** The groups that people begin their day in. */
const workGroups: readonly Destination['group'][] = ['Work', 'Finance', 'Catalogue']

const everyDestination: readonly Destination[] = [
  { to: '/leads', label: 'Leads', icon: 'leads', group: 'Work', needs: 'VIEW_LEAD' },
  { to: '/contacts', label: 'Contacts', icon: 'contacts', group: 'Work', needs: 'VIEW_CONTACT' },
  { to: '/companies', label: 'Companies', icon: 'companies', group: 'Work', needs: 'VIEW_COMPANY' },
  { to: '/deals', label: 'Deals', icon: 'deals', group: 'Work', needs: 'VIEW_DEAL' },
  { to: '/tasks', label: 'Tasks', icon: 'tasks', group: 'Work', needs: 'VIEW_TASK' },
  { to: '/projects', label: 'Projects', icon: 'projects', group: 'Work', needs: 'VIEW_PROJECT' },
  { to: '/documents', label: 'Documents', icon: 'document', group: 'Work', needs: 'VIEW_DOCUMENT' },
  { to: '/document-templates', label: 'Document templates', icon: 'template', group: 'Work', needs: 'VIEW_DOCUMENT' },
  { to: '/conversations', label: 'Conversations', icon: 'talk', group: 'Work', needs: 'VIEW_CONVERSATION' },
  { to: '/quotes', label: 'Quotes', icon: 'quote', group: 'Finance', needs: 'VIEW_QUOTE' },
  { to: '/orders', label: 'Orders', icon: 'order', group: 'Finance', needs: 'VIEW_ORDER' },
  { to: '/invoices', label: 'Invoices', icon: 'invoice', group: 'Finance', needs: 'VIEW_INVOICE' },
  { to: '/products', label: 'Products', icon: 'products', group: 'Catalogue', needs: 'VIEW_PRODUCT' },
  { to: '/price-lists', label: 'Price lists', icon: 'prices', group: 'Catalogue', needs: 'VIEW_PRICE_LIST' },
  { to: '/product-categories', label: 'Categories and tags', icon: 'tree', group: 'Catalogue', needs: 'VIEW_PRODUCT' },
  { to: '/product-attributes', label: 'Attributes', icon: 'attribute', group: 'Catalogue', needs: 'VIEW_PRODUCT' },
  { to: '/booking/meetings', label: 'Meetings', icon: 'meeting', group: 'Booking' },
  { to: '/booking/calendar', label: 'My calendar', icon: 'calendar', group: 'Booking' },
  { to: '/booking/links', label: 'Booking links', icon: 'link', group: 'Booking', needs: 'MANAGE_BOOKING' },
  { to: '/automation/workflows', label: 'Workflows', icon: 'flow', group: 'Automation', needs: 'MANAGE_WORKFLOWS' },
  { to: '/automation/rules', label: 'Automation rules', icon: 'rule', group: 'Automation', needs: 'MANAGE_WORKFLOWS' },
  { to: '/settings/account', label: 'My account', icon: 'person', group: 'Settings' },
  { to: '/settings/connections', label: 'Connections', icon: 'connection', group: 'Settings' },
  { to: '/settings/api-keys', label: 'API keys', icon: 'key', group: 'Settings', needs: 'MANAGE_API_KEYS' },
  { to: '/settings/people', label: 'People', icon: 'people', group: 'Settings', needs: 'MANAGE_USERS' },
  {
    to: '/settings/departments',
    label: 'Departments',
    icon: 'departments',
    group: 'Settings',
    needs: 'UPDATE_DEPARTMENT',
  },
  { to: '/settings/roles', label: 'Roles', icon: 'shield', group: 'Settings', needs: 'MANAGE_ROLES' },
  { to: '/settings/pipelines', label: 'Pipelines', icon: 'stages', group: 'Settings', needs: 'MANAGE_REFERENCE_DATA' },
  {
    to: '/settings/custom-fields',
    label: 'Custom fields',
    icon: 'fields',
    group: 'Settings',
    needs: 'MANAGE_CUSTOM_FIELDS',
  },
  {
    to: '/settings/custom-entities',
    label: 'Custom entities',
    icon: 'records',
    group: 'Settings',
    needs: 'MANAGE_CUSTOM_FIELDS',
  },
  { to: '/settings/lists', label: 'Lists', icon: 'list', group: 'Settings', needs: 'MANAGE_REFERENCE_DATA' },
  {
    to: '/settings/money',
    label: 'Taxes and currencies',
    icon: 'money',
    group: 'Settings',
    needs: 'MANAGE_REFERENCE_DATA',
  },
  {
    to: '/settings/number-sequences',
    label: 'Number sequences',
    icon: 'number',
    group: 'Settings',
    needs: 'MANAGE_REFERENCE_DATA',
  },
  { to: '/settings/imports', label: 'Imports', icon: 'import', group: 'Settings', needs: 'IMPORT_DATA' },
  {
    to: '/settings/deleted',
    label: 'Recently deleted',
    icon: 'restore',
    group: 'Settings',
    needs: /^DELETE_(?!FILE|EMPLOYEE|DEPARTMENT)/,
  },
  { to: '/settings/organization', label: 'Company', icon: 'companies', group: 'Settings', needs: 'MANAGE_WORKSPACE' },
  { to: '/settings/workspace', label: 'Workspace', icon: 'workspace', group: 'Settings', needs: 'MANAGE_WORKSPACE' },
  { to: '/settings/audit-log', label: 'Audit log', icon: 'log', group: 'Settings', needs: 'VIEW_AUDIT_LOG' },
]

/** The places that a person may see, in order. */
export function destinationsFor(permissions: ReadonlySet<string>): readonly Destination[] {
  const suffices = (needs: string | RegExp): boolean =>
    typeof needs === 'string' ? permissions.has(needs) : [...permissions].some((name) => needs.test(name))
  return everyDestination.filter(({ needs }) => needs === undefined || suffices(needs))
}

/** Where a person begins. */
export function startFor(permissions: ReadonlySet<string>): Destination['to'] {
  return destinationsFor(permissions).find(({ group }) => workGroups.includes(group))?.to ?? '/settings/account'
}
