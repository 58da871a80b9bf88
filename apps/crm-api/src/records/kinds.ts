import type { Executor } from '@crm/db'
import { ApiError } from '@crm/errors'
import { customEntityOf } from '@crm/permissions'
import type { CrmContext } from '../context.ts'
import { activityKind } from '../resources/activities/activities.record.ts'
import { companyKind } from '../resources/companies/companies.record.ts'
import { contactKind } from '../resources/contacts/contacts.record.ts'
import { dealKind } from '../resources/deals/deals.record.ts'
import { documentKind } from '../resources/documents/documents.record.ts'
import { invoiceKind } from '../resources/invoices/invoices.record.ts'
import { leadKind } from '../resources/leads/leads.record.ts'
import { priceListKind } from '../resources/price-lists/price-lists.record.ts'
import { productKind } from '../resources/products/products.record.ts'
import { orderKind } from '../resources/orders/orders.record.ts'
import { projectKind } from '../resources/projects/projects.record.ts'
import { quoteKind } from '../resources/quotes/quotes.record.ts'
import { taskKind } from '../resources/tasks/tasks.record.ts'
import { customKind, recallCustomEntities } from './custom-kinds.ts'
import type { RecordKind } from './owned/kind.ts'

/** Every kind of owned record that has a table of its own, by entity type. */
export const recordKinds = {
  LEAD: leadKind,
  CONTACT: contactKind,
  COMPANY: companyKind,
  DEAL: dealKind,
  TASK: taskKind,
  PROJECT: projectKind,
  ACTIVITY: activityKind,
  QUOTE: quoteKind,
  ORDER: orderKind,
  INVOICE: invoiceKind,
  DOCUMENT: documentKind,
  PRODUCT: productKind,
  PRICE_LIST: priceListKind,
} as const satisfies Readonly<Record<string, RecordKind>>

export type KnownEntity = keyof typeof recordKinds

/** The kind of record of a built-in entity type, or undefined. */
export function kindOf(entityType: string): RecordKind | undefined {
  return Object.hasOwn(recordKinds, entityType) ? recordKinds[entityType as KnownEntity] : undefined
}

/**
 * The kind of record of an entity type, built-in or made by the workspace for itself, or undefined.
 * @throws ApiError ACCESS_DENIED to who may not see the type, whether the workspace has made it or not
 */
export async function resolveKind(db: Executor, context: Pick<CrmContext, 'workspace' | 'remembered' | 'caller'>, entityType: string): Promise<RecordKind | undefined> {
  const known = kindOf(entityType)
  if (!known) requireSight(context, entityType)
  return known ?? (await recallCustomEntities(db, context)).find((custom) => custom.entityType === entityType)?.kind
}

function requireSight({ caller }: Pick<CrmContext, 'caller'>, entityType: string): void {
  const requiredPermission = `VIEW_${entityType}`
  if (caller.effective.has(requiredPermission) || caller.effective.has('MANAGE_CUSTOM_FIELDS')) return
  throw new ApiError('ACCESS_DENIED', { message: `The permission ${requiredPermission} is required`, requiredPermission })
}

/** Every kind of record that a credential might see; the scope of each says how much of it. */
export function kindsInSight({ caller }: Pick<CrmContext, 'caller'>): readonly RecordKind[] {
  const custom = [...caller.effective].flatMap((name) => {
    const permission = customEntityOf(name)
    return permission?.action === 'VIEW' ? [customKind(permission.entityType)] : []
  })
  return [...Object.values<RecordKind>(recordKinds), ...custom]
}
