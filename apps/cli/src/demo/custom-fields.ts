import { lead } from '@crm/model'
import { schema, type Executor } from '@crm/db'

/** The choices of the custom field `customerTier` of companies. */
export const customerTiers = ['gold', 'silver', 'bronze'] as const

/** The choices of the custom field `interests` of leads. */
export const interests = ['stock', 'sales', 'service'] as const

const choices = (values: readonly string[]) =>
  values.map((value) => ({ value, label: value.replace(/^./, (first) => first.toUpperCase()) }))

/** Adds custom fields to leads, contacts, companies and deals, and filters that everybody finds in the lists. */
export async function addCustomFields(tx: Executor, workspaceId: string, adminId: string): Promise<void> {
  const by = { workspaceId, createdById: adminId }
  await tx.insert(schema.customFields).values([
    { ...by, entityType: lead.entity, key: 'budget', label: 'Budget', type: 'CURRENCY' },
    {
      ...by,
      entityType: lead.entity,
      key: 'interests',
      label: 'Interests',
      type: 'MULTI_SELECT',
      options: choices(interests),
    },
    { ...by, entityType: 'CONTACT', key: 'newsletter', label: 'Gets the newsletter', type: 'BOOLEAN' },
    { ...by, entityType: 'CONTACT', key: 'metOn', label: 'First met on', type: 'DATE' },
    {
      ...by,
      entityType: 'COMPANY',
      key: 'customerTier',
      label: 'Customer tier',
      type: 'SELECT',
      options: choices(customerTiers),
    },
    { ...by, entityType: 'DEAL', key: 'contractMonths', label: 'Contract term in months', type: 'NUMBER' },
  ])
  const shared = { ...by, visibility: 'WORKSPACE' as const, ownerId: adminId }
  await tx.insert(schema.savedFilters).values([
    {
      ...shared,
      name: 'Hot leads',
      entityType: lead.entity,
      query: { temperature: 'HOT' },
      sortBy: 'createdAt',
      sortOrder: 'desc',
    },
    {
      ...shared,
      name: 'Large open deals',
      entityType: 'DEAL',
      query: { status: 'OPEN', amountMin: '10000' },
      sortBy: 'amount',
      sortOrder: 'desc',
    },
    { ...shared, name: 'Long contracts', entityType: 'DEAL', query: { cf_contractMonthsMin: '24' } },
    {
      ...shared,
      name: 'Urgent tasks',
      entityType: 'TASK',
      query: { priority: 'URGENT', status: 'TODO' },
      sortBy: 'dueAt',
      sortOrder: 'asc',
    },
  ])
}
