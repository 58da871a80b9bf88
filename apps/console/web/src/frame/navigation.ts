import type { IconName } from '../shell/icons.tsx'
import { t } from '../base/texts.ts'

/** Groups of the navigation that are always visible. */
export const openGroups = ['start', 'sales'] as const
/** Groups that unfold. */
export const foldedGroups = ['finance', 'work', 'more'] as const
/** Groups of the settings, which have their own navigation. */
export const settingsGroups = ['personal', 'workspace', 'data', 'developers'] as const
/** The group below the folded ones. */
export const endGroup = 'end'
export type Group =
  | (typeof openGroups)[number]
  | typeof endGroup
  | (typeof foldedGroups)[number]
  | (typeof settingsGroups)[number]

/** The headings of the groups that have one. */
export const groupNames: Readonly<Partial<Record<Group, string>>> = {
  sales: t('Sales'),
  finance: t('Finance'),
  work: t('Work'),
  more: t('More'),
  personal: t('Personal'),
  workspace: t('Workspace'),
  data: t('Data'),
  developers: t('Developers'),
}

/** A target of the navigation. */
export interface Destination {
  readonly to: string
  readonly label: string
  readonly icon: IconName
  readonly group: Group
  /** The permission without which the page shows nothing, or a pattern of permissions of which one is enough. */
  readonly needs?: string | RegExp
}

const everyDestination: readonly Destination[] = [
  { to: '/', label: t('Home'), icon: 'home', group: 'start' },
  { to: '/inbox', label: t('Inbox'), icon: 'inbox', group: 'start' },
  { to: '/tasks', label: t('Tasks'), icon: 'tasks', group: 'start', needs: 'VIEW_TASK' },
  { to: '/calendar', label: t('Calendar'), icon: 'calendar', group: 'start' },
  { to: '/leads', label: t('Leads'), icon: 'leads', group: 'sales', needs: 'VIEW_LEAD' },
  { to: '/deals', label: t('Deals'), icon: 'deals', group: 'sales', needs: 'VIEW_DEAL' },
  { to: '/contacts', label: t('Contacts'), icon: 'contacts', group: 'sales', needs: 'VIEW_CONTACT' },
  { to: '/companies', label: t('Companies'), icon: 'companies', group: 'sales', needs: 'VIEW_COMPANY' },
  { to: '/quotes', label: t('Quotes'), icon: 'quote', group: 'finance', needs: 'VIEW_QUOTE' },
  { to: '/orders', label: t('Orders'), icon: 'order', group: 'finance', needs: 'VIEW_ORDER' },
  { to: '/invoices', label: t('Invoices'), icon: 'invoice', group: 'finance', needs: 'VIEW_INVOICE' },
  { to: '/products', label: t('Products'), icon: 'products', group: 'finance', needs: 'VIEW_PRODUCT' },
  {
    to: '/price-lists',
    label: t('Price lists'),
    icon: 'prices',
    group: 'finance',
    needs: 'VIEW_PRICE_LIST',
  },
  { to: '/projects', label: t('Projects'), icon: 'projects', group: 'work', needs: 'VIEW_PROJECT' },
  {
    to: '/activities',
    label: t('Activities'),
    icon: 'clock',
    group: 'work',
    needs: 'VIEW_ACTIVITY',
  },
  { to: '/documents', label: t('Documents'), icon: 'document', group: 'work', needs: 'VIEW_DOCUMENT' },
  {
    to: '/conversations',
    label: t('Conversations'),
    icon: 'talk',
    group: 'work',
    needs: 'VIEW_CONVERSATION',
  },
  { to: '/dashboards', label: t('Dashboards'), icon: 'chart', group: 'end', needs: /^VIEW_/ },
  { to: '/booking/meetings', label: t('Meetings'), icon: 'meeting', group: 'more' },
  {
    to: '/booking/links',
    label: t('Booking links'),
    icon: 'link',
    group: 'more',
    needs: 'MANAGE_BOOKING',
  },
  { to: '/automation', label: t('Automation'), icon: 'flow', group: 'more', needs: 'MANAGE_WORKFLOWS' },
  {
    to: '/settings/profile',
    label: t('Profile'),
    icon: 'person',
    group: 'personal',
  },
  {
    to: '/settings/notifications',
    label: t('Notifications'),
    icon: 'bell',
    group: 'personal',
  },
  {
    to: '/settings/security',
    label: t('Security'),
    icon: 'lock',
    group: 'personal',
  },
  {
    to: '/settings/calendars',
    label: t('Calendars'),
    icon: 'calendar',
    group: 'personal',
  },
  {
    to: '/settings/general',
    label: t('General'),
    icon: 'workspace',
    group: 'workspace',
    needs: 'MANAGE_WORKSPACE',
  },
  {
    to: '/settings/organization',
    label: t('Company details'),
    icon: 'companies',
    group: 'workspace',
    needs: 'MANAGE_WORKSPACE',
  },
  {
    to: '/settings/people',
    label: t('People'),
    icon: 'people',
    group: 'workspace',
    needs: 'MANAGE_USERS',
  },
  {
    to: '/settings/sign-in',
    label: t('Sign-in'),
    icon: 'lock',
    group: 'workspace',
    needs: 'MANAGE_WORKSPACE',
  },
  {
    to: '/settings/single-sign-on',
    label: t('Single sign-on'),
    icon: 'link',
    group: 'workspace',
    needs: 'MANAGE_WORKSPACE',
  },
  {
    to: '/settings/directory-sync',
    label: t('Directory sync'),
    icon: 'tree',
    group: 'workspace',
    needs: 'MANAGE_USERS',
  },
  {
    to: '/settings/roles',
    label: t('Roles'),
    icon: 'shield',
    group: 'workspace',
    needs: 'MANAGE_ROLES',
  },
  {
    to: '/settings/departments',
    label: t('Departments'),
    icon: 'departments',
    group: 'workspace',
    needs: 'UPDATE_DEPARTMENT',
  },
  {
    to: '/settings/usage',
    label: t('Usage'),
    icon: 'chart',
    group: 'workspace',
    needs: 'MANAGE_WORKSPACE',
  },
  {
    to: '/settings/fields',
    label: t('Fields'),
    icon: 'fields',
    group: 'data',
    needs: 'MANAGE_CUSTOM_FIELDS',
  },
  {
    to: '/settings/custom-entities',
    label: t('Custom entities'),
    icon: 'records',
    group: 'data',
    needs: 'MANAGE_CUSTOM_FIELDS',
  },
  {
    to: '/settings/pipelines',
    label: t('Pipelines'),
    icon: 'stages',
    group: 'data',
    needs: 'MANAGE_REFERENCE_DATA',
  },
  {
    to: '/settings/tags-and-lists',
    label: t('Tags and lists'),
    icon: 'list',
    group: 'data',
    needs: 'MANAGE_REFERENCE_DATA',
  },
  {
    to: '/product-categories',
    label: t('Categories'),
    icon: 'tree',
    group: 'data',
    needs: 'VIEW_PRODUCT',
  },
  {
    to: '/product-attributes',
    label: t('Attributes'),
    icon: 'attribute',
    group: 'data',
    needs: 'VIEW_PRODUCT',
  },
  {
    to: '/document-templates',
    label: t('Document templates'),
    icon: 'template',
    group: 'data',
    needs: 'VIEW_DOCUMENT',
  },
  {
    to: '/settings/taxes',
    label: t('Taxes'),
    icon: 'money',
    group: 'data',
    needs: 'MANAGE_REFERENCE_DATA',
  },
  {
    to: '/settings/numbering',
    label: t('Numbering'),
    icon: 'number',
    group: 'data',
    needs: 'MANAGE_REFERENCE_DATA',
  },
  {
    to: '/settings/import',
    label: t('Move in'),
    icon: 'import',
    group: 'data',
    needs: 'IMPORT_DATA',
  },
  {
    to: '/settings/duplicates',
    label: t('Duplicates'),
    icon: 'copy',
    group: 'data',
    needs: /^DELETE_(LEAD|CONTACT|COMPANY)$/,
  },
  {
    to: '/settings/export',
    label: t('Export', { context: 'noun' }),
    icon: 'export',
    group: 'data',
    needs: 'EXPORT_DATA',
  },
  {
    to: '/settings/trash',
    label: t('Trash'),
    icon: 'restore',
    group: 'data',
    needs: /^DELETE_(?!FILE|EMPLOYEE|DEPARTMENT)/,
  },
  {
    to: '/settings/api-keys',
    label: t('API keys'),
    icon: 'key',
    group: 'developers',
    needs: 'MANAGE_API_KEYS',
  },
  {
    to: '/settings/ai-clients',
    label: t('AI clients'),
    icon: 'connection',
    group: 'developers',
  },
  {
    to: '/settings/agents',
    label: t('Agents'),
    icon: 'clock',
    group: 'developers',
  },
  {
    to: '/settings/proposals',
    label: t('Proposals'),
    icon: 'tasks',
    group: 'developers',
  },
  {
    to: '/settings/webhooks',
    label: t('Webhooks'),
    icon: 'flow',
    group: 'developers',
    needs: 'MANAGE_WORKFLOWS',
  },
  {
    to: '/settings/audit-log',
    label: t('Audit log'),
    icon: 'log',
    group: 'developers',
    needs: 'VIEW_AUDIT_LOG',
  },
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
