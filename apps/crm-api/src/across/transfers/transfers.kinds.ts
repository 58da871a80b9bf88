import {
  companyInput,
  contactInput,
  dealInput,
  leadInput,
  productInput,
  type MatchField,
  type TransferredEntity,
} from '@crm/contract'
import type { Transaction } from '@crm/db'
import { toUnitPrice } from '@crm/pricing'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { OwnedRow } from '../../records/owned/kind.ts'
import type { RecordWriter, WriteContext } from '../../records/owned/write.ts'
import { companyWriter, createCompany } from '../../resources/companies/companies.commands.ts'
import { contactWriter, createContact } from '../../resources/contacts/contacts.commands.ts'
import { createDeal, dealWriter } from '../../resources/deals/deals.commands.ts'
import { createLead, leadWriter } from '../../resources/leads/leads.commands.ts'
import { createProduct, productWriter } from '../../resources/products/products.commands.ts'
import type { ProductRow } from '../../kinds/products.ts'

/** One kind of record as it comes in and goes out. */
export interface Transferred {
  readonly writer: RecordWriter<OwnedRow, object>
  /** The body of its create; what of it is a plain value can stand in a cell. */
  readonly input: z.ZodObject
  /** By what a record can be found that is there already. */
  readonly matchedBy: readonly MatchField[]
  /** The code of what refuses two records with the same of it, where there may not be two. */
  readonly takenCode?: 'SKU_TAKEN'
  create(tx: Transaction, context: WriteContext, input: object): Promise<OwnedRow>
  /** A record as a file shows it, where that is not how it is read. */
  shown?(row: OwnedRow): object
}

/** The parts of a kind fit together; what they are of is known only here. */
function transferred<Row extends OwnedRow, Patch extends object, Input extends object>(
  writer: RecordWriter<Row, Patch>,
  input: z.ZodType<Input> & z.ZodObject,
  create: (tx: Transaction, context: WriteContext, input: Input) => Promise<Row>,
  matchedBy: readonly MatchField[],
): Transferred {
  return { writer, input, matchedBy, create: (tx, context, body) => create(tx, context, body as Input) }
}

const address = ['email', 'phone'] as const

export const transferredKinds: Readonly<Record<TransferredEntity, Transferred>> = {
  LEAD: transferred(leadWriter, leadInput, createLead, address),
  CONTACT: transferred(contactWriter, contactInput, createContact, address),
  COMPANY: transferred(companyWriter, companyInput, createCompany, address),
  DEAL: transferred(dealWriter, dealInput, createDeal, []),
  PRODUCT: {
    ...transferred(productWriter, productInput, createProduct, ['sku']),
    takenCode: 'SKU_TAKEN',
    shown: (row) => withPrices(row as ProductRow),
  },
}

function withPrices(row: ProductRow): object {
  const price = (value: string | null): string | null => value && toUnitPrice(value, row.currency)
  return { ...row, basePrice: price(row.basePrice), cost: price(row.cost) }
}

/** The column by which records are found that are there already; a kind without it has none. */
export function matchColumn({ writer: { kind }, matchedBy }: Transferred, matchBy: MatchField): PgColumn | undefined {
  return matchedBy.includes(matchBy)
    ? (kind.table as unknown as Record<string, PgColumn | undefined>)[matchBy]
    : undefined
}
