import { isAnyOf, schema, visible, type Address, type Executor } from '@crm/db'
import { invalidReference } from '@crm/errors'
import { Money, resolvePrice, type TaxRate } from '@crm/pricing'
import { and, isNull, sql } from 'drizzle-orm'
import type { OwnedRow, RecordKind } from '../../records/owned/kind.ts'
import { findRecord } from '../../records/owned/repository.ts'
import type { WriteContext } from '../../records/owned/write.ts'
import { companyKind } from '../../kinds/companies.ts'
import { contactKind } from '../../kinds/contacts.ts'
import { dealKind } from '../../kinds/deals.ts'
import { findPriced } from '../prices/prices.repository.ts'

const { currencies, products, taxRates, units } = schema

/** The money settings of a workspace: its currencies and its taxes. */
export interface MoneyFacts {
  readonly currencies: readonly string[]
  readonly taxRates: readonly (TaxRate & { readonly id: string; readonly isActive: boolean })[]
  readonly units: readonly { readonly id: string; readonly name: string; readonly symbol: string | null }[]
}

/** Returns the money settings of the workspace, from memory or from the database. */
export function recallMoneyFacts(
  db: Executor,
  { workspace, remembered }: Pick<WriteContext, 'workspace' | 'remembered'>,
): Promise<MoneyFacts> {
  return remembered('money-facts', async () => {
    const { rows } = await db.execute<{ facts: MoneyFacts }>(sql`
      SELECT json_build_object(
        'currencies', coalesce((SELECT json_agg(code) FROM ${currencies} WHERE ${currencies.workspaceId} = ${workspace.id} AND is_active), '[]'),
        'taxRates', coalesce((
          SELECT json_agg(json_build_object('id', id, 'name', name, 'rate', trim_scale(rate)::text, 'isActive', is_active))
          FROM ${taxRates} WHERE ${taxRates.workspaceId} = ${workspace.id}), '[]'),
        'units', coalesce((SELECT json_agg(json_build_object('id', id, 'name', name, 'symbol', symbol)) FROM ${units} WHERE ${units.workspaceId} = ${workspace.id}), '[]')
      ) AS facts`)
    return rows[0]?.facts as MoneyFacts
  })
}

/** The values that a line takes from its product. */
export interface ProductFacts {
  readonly id: string
  readonly name: string
  readonly unitId: string | null
  readonly taxRateId: string | null
}

/** Returns the products among these ids that the caller may see, by id. */
export async function readProducts(
  db: Executor,
  context: Pick<WriteContext, 'scopeIfAllowed'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ProductFacts>> {
  const scope = context.scopeIfAllowed('PRODUCT')
  if (ids.length === 0 || !scope) return new Map()
  const rows = await db
    .select({ id: products.id, name: products.name, unitId: products.unitId, taxRateId: products.taxRateId })
    .from(products)
    .where(and(visible(scope, products), isNull(products.deletedAt), isAnyOf(products.id, new Set(ids))))
  return new Map(rows.map((row) => [row.id, row]))
}

/** The price of a quantity of a product, as decimal strings: that of one piece, and that of all. */
interface PriceOfQuantity {
  readonly unitPrice: string
  readonly gross: string
}

/** Returns the price of a quantity of a product; null when nothing prices it. */
export type Prices = (productId: string, quantity: string) => PriceOfQuantity | null

/** Reads the facts that decide the prices of products for a company on a day, as `/api/prices/resolve` does. */
export async function readPrices(
  db: Executor,
  context: Pick<WriteContext, 'scopeIfAllowed'>,
  ids: readonly string[],
  asked: { readonly companyId: string | null; readonly currency: string; readonly at: string },
): Promise<Prices> {
  const scope = context.scopeIfAllowed('PRODUCT')
  const priced = scope ? await findPriced(db, scope, [...new Set(ids)], asked) : new Map<string, never>()
  return (productId, quantity) => {
    const product = priced.get(productId)
    if (!product) return null
    const { basePrice: price, baseCurrency: currency, candidates } = product
    const isNone = new Money(quantity).isZero()
    // A line with the quantity zero shows the price of one piece.
    const { unitPrice, total } = resolvePrice({
      ...asked,
      quantity: isNone ? '1' : quantity,
      base: { price, currency },
      candidates,
    })
    return unitPrice === null || total === null ? null : { unitPrice, gross: isNone ? '0' : total }
  }
}

/** The name and the billing address of the party of a document. */
export interface Party {
  readonly name: string | null
  readonly billingAddress: Address | null
}

interface PartyIds {
  readonly companyId?: string | null
  readonly contactId?: string | null
  readonly dealId?: string | null
}

/** Reads the newly named parties of a document; refuses a party that does not exist or that the caller may not see. */
export async function requireParty(
  db: Executor,
  context: Pick<WriteContext, 'scopeIfAllowed'>,
  sent: PartyIds,
  current: PartyIds | undefined,
): Promise<Party> {
  const company = await reach(db, context, companyKind, sent.companyId, 'companyId', current?.companyId)
  const contact = await reach(db, context, contactKind, sent.contactId, 'contactId', current?.contactId)
  if (sent.dealId !== current?.dealId) await reach(db, context, dealKind, sent.dealId, 'dealId', current?.dealId)
  const person = contact ? [contact.firstName, contact.lastName].filter(Boolean).join(' ') || contact.email : null
  return { name: company?.name ?? person, billingAddress: company?.billingAddress ?? contact?.address ?? null }
}

/** Finds a record within the caller's sight. The present reference of a document may stay, even when the caller does not see it. */
async function reach<Row extends OwnedRow>(
  db: Executor,
  context: Pick<WriteContext, 'scopeIfAllowed'>,
  kind: RecordKind<Row>,
  id: string | null | undefined,
  field: string,
  known: string | null | undefined,
): Promise<Row | undefined> {
  if (!id) return undefined
  const scope = context.scopeIfAllowed(kind.entityType)
  const row = scope ? await findRecord(db, kind, scope, id) : undefined
  if (!row && id !== known) throw invalidReference(field)
  return row
}
