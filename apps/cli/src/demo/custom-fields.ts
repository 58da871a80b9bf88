import { schema, type Executor } from '@crm/db'

/** The choices of the custom field `customerTier` of companies. */
export const customerTiers = ['gold', 'silver', 'bronze'] as const

/** Adds a custom field to companies and one to deals, and filters that everybody finds in the lists. */
export async function addCustomFields(tx: Executor, workspaceId: string, adminId: string): Promise<void> {
  const by = { workspaceId, createdById: adminId }
  await tx.insert(schema.customFields).values([
    { ...by, entityType: 'COMPANY', key: 'customerTier', label: 'Customer tier', type: 'SELECT', options: customerTiers.map((value) => ({ value, label: value.replace(/^./, (first) => first.toUpperCase()) })) },
    { ...by, entityType: 'DEAL', key: 'contractMonths', label: 'Contract term in months', type: 'NUMBER' },
  ])
  const shared = { ...by, visibility: 'WORKSPACE' as const, ownerId: adminId }
  await tx.insert(schema.savedFilters).values([
    { ...shared, name: 'Hot leads', entityType: 'LEAD', query: { temperature: 'HOT' }, sortBy: 'createdAt', sortOrder: 'desc' },
    { ...shared, name: 'Large open deals', entityType: 'DEAL', query: { status: 'OPEN', amountMin: '10000' }, sortBy: 'amount', sortOrder: 'desc' },
    { ...shared, name: 'Long contracts', entityType: 'DEAL', query: { cf_contractMonthsMin: '24' } },
    { ...shared, name: 'Urgent tasks', entityType: 'TASK', query: { priority: 'URGENT', status: 'TODO' }, sortBy: 'dueAt', sortOrder: 'asc' },
  ])
}
