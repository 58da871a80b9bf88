import { companyInput, contactInput, dealInput, leadInput, type TransferredEntity } from '@crm/contract'
import type { Transaction } from '@crm/db'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { OwnedRow } from '../../../records/owned/kind.ts'
import type { RecordWriter, WriteContext } from '../../../records/owned/write.ts'
import { companyWriter, createCompany } from '../../companies/companies.commands.ts'
import { contactWriter, createContact } from '../../contacts/contacts.commands.ts'
import { createDeal, dealWriter } from '../../deals/deals.commands.ts'
import { createLead, leadWriter } from '../../leads/leads.commands.ts'

/** One kind of record as it comes in and goes out. */
export interface Transferred {
  readonly writer: RecordWriter<OwnedRow, object>
  /** The body of its create; what of it is a plain value can stand in a cell. */
  readonly input: z.ZodObject
  create(tx: Transaction, context: WriteContext, input: object): Promise<OwnedRow>
}

/** The parts of a kind fit together; what they are of is known only here. */
function transferred<Row extends OwnedRow, Patch extends object, Input extends object>(
  writer: RecordWriter<Row, Patch>,
  input: z.ZodType<Input> & z.ZodObject,
  create: (tx: Transaction, context: WriteContext, input: Input) => Promise<Row>,
): Transferred {
  return { writer, input, create: (tx, context, body) => create(tx, context, body as Input) }
}

export const transferredKinds: Readonly<Record<TransferredEntity, Transferred>> = {
  LEAD: transferred(leadWriter, leadInput, createLead),
  CONTACT: transferred(contactWriter, contactInput, createContact),
  COMPANY: transferred(companyWriter, companyInput, createCompany),
  DEAL: transferred(dealWriter, dealInput, createDeal),
}

/** The columns by which duplicates are found; a kind without them has none. */
export function matchColumn({ writer: { kind } }: Transferred, matchBy: 'email' | 'phone'): PgColumn | undefined {
  return (kind.table as unknown as Record<string, PgColumn | undefined>)[matchBy]
}
