import { createPipeline, schema } from '@crm/db'
import { lead } from '@crm/model'
import { add, type Story } from './story.ts'

/** The choices of the custom field `customerTier` of companies. */
export const customerTiers = ['gold', 'silver', 'bronze'] as const

/** The choices of the custom field `interests` of leads. */
export const interests = ['stock', 'sales', 'service'] as const

/** Returns the choices of a field, each called as it is stored, with a capital. */
export const choicesOf = (values: readonly string[]) =>
  values.map((value) => ({ value, label: value.replace(/^./, (first) => first.toUpperCase()) }))

const company = {
  legalName: 'Demo Company GmbH',
  taxId: 'DE000000000',
  registrationNumber: 'HRB 00000',
  email: 'hello@demo.test',
  phone: '+4930123456',
  website: 'https://demo.test',
  address: { line1: 'Beispielstraße 12', city: 'Berlin', postalCode: '10115', country: 'DE' },
  bankDetails: 'IBAN DE00 0000 0000 0000 0000 00',
}

const partnerships = [
  { name: 'Idea', mappedStatus: 'NEW', color: '#7048e8' },
  { name: 'Talks', mappedStatus: 'IN_PROGRESS', color: '#1c7ed6' },
  { name: 'Agreed', mappedStatus: 'QUALIFIED', color: '#37b24d' },
  { name: 'Partner', type: 'WON', mappedStatus: 'CONVERTED', color: '#2b8a3e' },
  { name: 'No fit', type: 'LOST', mappedStatus: 'UNQUALIFIED', color: '#868e96' },
] as const

const fields = [
  { entityType: lead.entity, key: 'budget', label: 'Budget', type: 'CURRENCY' },
  {
    entityType: lead.entity,
    key: 'interests',
    label: 'Interests',
    type: 'MULTI_SELECT',
    options: choicesOf(interests),
  },
  { entityType: 'CONTACT', key: 'newsletter', label: 'Gets the newsletter', type: 'BOOLEAN' },
  { entityType: 'CONTACT', key: 'metOn', label: 'First met on', type: 'DATE' },
  {
    entityType: 'COMPANY',
    key: 'customerTier',
    label: 'Customer tier',
    type: 'SELECT',
    options: choicesOf(customerTiers),
  },
  { entityType: 'DEAL', key: 'contractMonths', label: 'Contract term in months', type: 'NUMBER' },
] as const

const filters = [
  {
    name: 'Hot leads',
    entityType: lead.entity,
    query: { temperature: 'HOT' },
    sortBy: 'createdAt',
    sortOrder: 'desc',
  },
  {
    name: 'Large open deals',
    entityType: 'DEAL',
    query: { status: 'OPEN', amountMin: '10000' },
    sortBy: 'amount',
    sortOrder: 'desc',
  },
  { name: 'Long contracts', entityType: 'DEAL', query: { cf_contractMonthsMin: '24' } },
  {
    name: 'Urgent tasks',
    entityType: 'TASK',
    query: { priority: 'URGENT', status: 'TODO' },
    sortBy: 'dueAt',
    sortOrder: 'asc',
  },
] as const

/** Sets the data of the demo company, and adds a second pipeline of leads, custom fields, and filters for everybody. */
export async function addSetting({ tx, workspaceId, adminId }: Story): Promise<void> {
  const { organizations, customFields, savedFilters } = schema
  await tx
    .insert(organizations)
    .values({ workspaceId, ...company })
    .onConflictDoUpdate({ target: organizations.workspaceId, set: company })
  await createPipeline(tx, workspaceId, lead.entity, 'Partnerships', false, [...partnerships])
  const createdById = adminId
  await add(
    { tx, workspaceId },
    customFields,
    fields.map((field) => ({ ...field, createdById })),
  )
  const shared = { visibility: 'WORKSPACE' as const, ownerId: adminId, createdById }
  await add(
    { tx, workspaceId },
    savedFilters,
    filters.map((filter) => ({ ...shared, ...filter })),
  )
}
