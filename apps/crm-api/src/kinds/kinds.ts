import { own } from '@crm/contract'
import type { Executor } from '@crm/db'
import { permissionRequired } from '@crm/errors'
import {
  activity,
  company,
  contact,
  deal,
  documentTemplate,
  invoice,
  lead,
  order,
  priceList,
  product,
  project,
  quote,
  task,
} from '@crm/model'
import { customEntityOf } from '@crm/permissions'
import type { CrmContext } from '../platform/context.ts'
import { activityKind } from './activities.ts'
import { companyKind } from './companies.ts'
import { contactKind } from './contacts.ts'
import { dealKind } from './deals.ts'
import { documentKind } from './documents.ts'
import { invoiceKind } from './invoices.ts'
import { leadKind } from './leads.ts'
import { plainRecordKinds } from './plain-kinds.ts'
import { priceListKind } from './price-lists.ts'
import { productKind } from './products.ts'
import { orderKind } from './orders.ts'
import { projectKind } from './projects.ts'
import { quoteKind } from './quotes.ts'
import { taskKind } from './tasks.ts'
import { customKind, recallCustomEntities } from '../records/custom-kinds.ts'
import type { RecordKind } from '../records/owned/kind.ts'

/** Every kind of owned record that has a table of its own, by entity type. */
export const recordKinds = {
  [lead.entity]: leadKind,
  [contact.entity]: contactKind,
  [company.entity]: companyKind,
  [deal.entity]: dealKind,
  [task.entity]: taskKind,
  [project.entity]: projectKind,
  [activity.entity]: activityKind,
  [quote.entity]: quoteKind,
  [order.entity]: orderKind,
  [invoice.entity]: invoiceKind,
  [documentTemplate.entity]: documentKind,
  [product.entity]: productKind,
  [priceList.entity]: priceListKind,
  ...plainRecordKinds,
} as const satisfies Readonly<Record<string, RecordKind>>

export type KnownEntity = keyof typeof recordKinds

/** Returns the kind of record of a built-in entity type, or undefined. */
export function kindOf(entityType: string): RecordKind | undefined {
  return own<RecordKind>(recordKinds, entityType)
}

/**
 * Returns the kind of record of an entity type, built-in or a custom entity of the workspace, or undefined.
 * @throws ApiError ACCESS_DENIED when the caller may not see the type, whether the workspace has it or not
 */
export async function resolveKind(
  db: Executor,
  context: Pick<CrmContext, 'workspace' | 'remembered' | 'caller'>,
  entityType: string,
): Promise<RecordKind | undefined> {
  const known = kindOf(entityType)
  if (!known) requireSight(context, entityType)
  return known ?? (await recallCustomEntities(db, context)).find((custom) => custom.entityType === entityType)?.kind
}

function requireSight({ caller }: Pick<CrmContext, 'caller'>, entityType: string): void {
  const requiredPermission = `VIEW_${entityType}`
  if (caller.effective.has(requiredPermission) || caller.effective.has('MANAGE_CUSTOM_FIELDS')) return
  throw permissionRequired(requiredPermission)
}

/** Returns every kind of record that a credential might see; the scope of each kind limits the records. */
export function kindsInSight({ caller }: Pick<CrmContext, 'caller'>): readonly RecordKind[] {
  const custom = [...caller.effective].flatMap((name) => {
    const permission = customEntityOf(name)
    return permission?.action === 'VIEW' ? [customKind(permission.entityType)] : []
  })
  return [...Object.values<RecordKind>(recordKinds), ...custom]
}
