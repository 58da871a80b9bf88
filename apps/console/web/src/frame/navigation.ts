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
  sales: t('frame.sales'),
  finance: t('frame.finance'),
  work: t('frame.work'),
  more: t('frame.more'),
  personal: t('frame.personal'),
  workspace: t('frame.workspace'),
  data: t('frame.data'),
  developers: t('frame.developers'),
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
  { to: '/', label: t('frame.home'), icon: 'home', group: 'start' },
  { to: '/inbox', label: t('frame.inbox'), icon: 'inbox', group: 'start' },
  { to: '/tasks', label: t('common.tasks'), icon: 'tasks', group: 'start', needs: 'VIEW_TASK' },
  { to: '/calendar', label: t('common.calendar'), icon: 'calendar', group: 'start' },
  { to: '/leads', label: t('common.leads'), icon: 'leads', group: 'sales', needs: 'VIEW_LEAD' },
  { to: '/deals', label: t('common.deals'), icon: 'deals', group: 'sales', needs: 'VIEW_DEAL' },
  { to: '/contacts', label: t('common.contacts'), icon: 'contacts', group: 'sales', needs: 'VIEW_CONTACT' },
  { to: '/companies', label: t('common.companies'), icon: 'companies', group: 'sales', needs: 'VIEW_COMPANY' },
  { to: '/quotes', label: t('common.quotes'), icon: 'quote', group: 'finance', needs: 'VIEW_QUOTE' },
  { to: '/orders', label: t('common.orders'), icon: 'order', group: 'finance', needs: 'VIEW_ORDER' },
  { to: '/invoices', label: t('common.invoices'), icon: 'invoice', group: 'finance', needs: 'VIEW_INVOICE' },
  { to: '/products', label: t('common.products'), icon: 'products', group: 'finance', needs: 'VIEW_PRODUCT' },
  {
    to: '/price-lists',
    label: t('frame.priceLists'),
    icon: 'prices',
    group: 'finance',
    needs: 'VIEW_PRICE_LIST',
  },
  { to: '/projects', label: t('common.projects'), icon: 'projects', group: 'work', needs: 'VIEW_PROJECT' },
  {
    to: '/activities',
    label: t('common.activities'),
    icon: 'clock',
    group: 'work',
    needs: 'VIEW_ACTIVITY',
  },
  { to: '/documents', label: t('common.documents'), icon: 'document', group: 'work', needs: 'VIEW_DOCUMENT' },
  {
    to: '/conversations',
    label: t('common.conversations'),
    icon: 'talk',
    group: 'work',
    needs: 'VIEW_CONVERSATION',
  },
  { to: '/dashboards', label: t('frame.dashboards'), icon: 'chart', group: 'end', needs: /^VIEW_/ },
  { to: '/booking/meetings', label: t('common.meetings'), icon: 'meeting', group: 'more' },
  {
    to: '/booking/links',
    label: t('frame.bookingLinks'),
    icon: 'link',
    group: 'more',
    needs: 'MANAGE_BOOKING',
  },
  { to: '/automation', label: t('frame.automation'), icon: 'flow', group: 'more', needs: 'MANAGE_WORKFLOWS' },
  {
    to: '/settings/profile',
    label: t('frame.profile'),
    icon: 'person',
    group: 'personal',
  },
  {
    to: '/settings/notifications',
    label: t('common.notifications'),
    icon: 'bell',
    group: 'personal',
  },
  {
    to: '/settings/security',
    label: t('frame.security'),
    icon: 'lock',
    group: 'personal',
  },
  {
    to: '/settings/calendars',
    label: t('booking.calendars'),
    icon: 'calendar',
    group: 'personal',
  },
  {
    to: '/settings/general',
    label: t('frame.general'),
    icon: 'workspace',
    group: 'workspace',
    needs: 'MANAGE_WORKSPACE',
  },
  {
    to: '/settings/organization',
    label: t('frame.companyDetails'),
    icon: 'companies',
    group: 'workspace',
    needs: 'MANAGE_WORKSPACE',
  },
  {
    to: '/settings/people',
    label: t('common.people'),
    icon: 'people',
    group: 'workspace',
    needs: 'MANAGE_USERS',
  },
  {
    to: '/settings/sign-in',
    label: t('frame.signIn'),
    icon: 'lock',
    group: 'workspace',
    needs: 'MANAGE_WORKSPACE',
  },
  {
    to: '/settings/single-sign-on',
    label: t('frame.singleSignOn'),
    icon: 'link',
    group: 'workspace',
    needs: 'MANAGE_WORKSPACE',
  },
  {
    to: '/settings/directory-sync',
    label: t('frame.directorySync'),
    icon: 'tree',
    group: 'workspace',
    needs: 'MANAGE_USERS',
  },
  {
    to: '/settings/roles',
    label: t('frame.roles'),
    icon: 'shield',
    group: 'workspace',
    needs: 'MANAGE_ROLES',
  },
  {
    to: '/settings/departments',
    label: t('frame.departments'),
    icon: 'departments',
    group: 'workspace',
    needs: 'UPDATE_DEPARTMENT',
  },
  {
    to: '/settings/usage',
    label: t('frame.usage'),
    icon: 'chart',
    group: 'workspace',
    needs: 'MANAGE_WORKSPACE',
  },
  {
    to: '/settings/fields',
    label: t('common.fields'),
    icon: 'fields',
    group: 'data',
    needs: 'MANAGE_CUSTOM_FIELDS',
  },
  {
    to: '/settings/custom-entities',
    label: t('frame.customEntities'),
    icon: 'records',
    group: 'data',
    needs: 'MANAGE_CUSTOM_FIELDS',
  },
  {
    to: '/settings/pipelines',
    label: t('frame.pipelines'),
    icon: 'stages',
    group: 'data',
    needs: 'MANAGE_REFERENCE_DATA',
  },
  {
    to: '/settings/tags-and-lists',
    label: t('frame.tagsAndLists'),
    icon: 'list',
    group: 'data',
    needs: 'MANAGE_REFERENCE_DATA',
  },
  {
    to: '/product-categories',
    label: t('frame.categories'),
    icon: 'tree',
    group: 'data',
    needs: 'VIEW_PRODUCT',
  },
  {
    to: '/product-attributes',
    label: t('frame.attributes'),
    icon: 'attribute',
    group: 'data',
    needs: 'VIEW_PRODUCT',
  },
  {
    to: '/document-templates',
    label: t('frame.documentTemplates'),
    icon: 'template',
    group: 'data',
    needs: 'VIEW_DOCUMENT',
  },
  {
    to: '/settings/taxes',
    label: t('frame.taxes'),
    icon: 'money',
    group: 'data',
    needs: 'MANAGE_REFERENCE_DATA',
  },
  {
    to: '/settings/numbering',
    label: t('frame.numbering'),
    icon: 'number',
    group: 'data',
    needs: 'MANAGE_REFERENCE_DATA',
  },
  {
    to: '/settings/import',
    label: t('frame.moveIn'),
    icon: 'import',
    group: 'data',
    needs: 'IMPORT_DATA',
  },
  {
    to: '/settings/duplicates',
    label: t('frame.duplicates'),
    icon: 'copy',
    group: 'data',
    needs: /^DELETE_(LEAD|CONTACT|COMPANY)$/,
  },
  {
    to: '/settings/export',
    label: t('frame.export'),
    icon: 'export',
    group: 'data',
    needs: 'EXPORT_DATA',
  },
  {
    to: '/settings/trash',
    label: t('frame.trash'),
    icon: 'restore',
    group: 'data',
    needs: /^DELETE_(?!FILE|EMPLOYEE|DEPARTMENT)/,
  },
  {
    to: '/settings/api-keys',
    label: t('common.apiKeys'),
    icon: 'key',
    group: 'developers',
    needs: 'MANAGE_API_KEYS',
  },
  {
    to: '/settings/ai-clients',
    label: t('frame.aiClients'),
    icon: 'connection',
    group: 'developers',
  },
  {
    to: '/settings/agents',
    label: t('frame.agents'),
    icon: 'clock',
    group: 'developers',
  },
  {
    to: '/settings/proposals',
    label: t('frame.proposals'),
    icon: 'tasks',
    group: 'developers',
  },
  {
    to: '/settings/webhooks',
    label: t('frame.webhooks'),
    icon: 'flow',
    group: 'developers',
    needs: 'MANAGE_WORKFLOWS',
  },
  {
    to: '/settings/audit-log',
    label: t('common.auditLog'),
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
