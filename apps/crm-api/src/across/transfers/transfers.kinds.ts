import {
  activities,
  companyInput,
  contactInput,
  dealInput,
  leadInput,
  productInput,
  projects,
  tasks,
  type MatchField,
  type TransferredEntity,
} from '@crm/contract'
import type { Transaction } from '@crm/db'
import {
  activity,
  company,
  contact,
  deal,
  lead,
  product,
  project,
  tableOfPlainKinds,
  task,
  type PlainEntity,
} from '@crm/model'
import { toUnitPrice } from '@crm/pricing'
import type { z } from 'zod'
import { plainRecordsOf } from '../../domain/plain-records.ts'
import type { OwnedRow } from '../../records/owned/kind.ts'
import type { RecordWriter, WriteContext } from '../../records/owned/write.ts'
import { companyWriter, createCompany } from '../../resources/sales/companies/companies.commands.ts'
import { contactWriter, createContact } from '../../resources/sales/contacts/contacts.commands.ts'
import { createDeal, dealWriter } from '../../resources/sales/deals/deals.commands.ts'
import { createLead, leadWriter } from '../../resources/sales/leads/leads.commands.ts'
import { createProduct, productWriter } from '../../resources/catalogue/products/products.commands.ts'
import { activityWriter, createActivity } from '../../resources/work/activities/activities.commands.ts'
import { createProject, projectWriter } from '../../resources/work/projects/projects.commands.ts'
import { createTask, taskWriter } from '../../resources/work/tasks/tasks.commands.ts'
import type { ProductRow } from '../../kinds/products.ts'

/** The rules by which one kind of record is imported and exported. */
export interface Transferred {
  readonly writer: RecordWriter<OwnedRow, object>
  /** The body of its create; its plain values can stand in cells. */
  readonly input: z.ZodObject
  /** The fields by which an existing record can be found. */
  readonly matchedBy: readonly MatchField[]
  /** The error code for a second record with the same value, where the value must be unique. */
  readonly takenCode?: 'SKU_TAKEN'
  create(tx: Transaction, context: WriteContext, input: object): Promise<OwnedRow>
  /** Returns a record in the form of a file, where it differs from the form in which it is read. */
  shown?(row: OwnedRow): object
}

/** Checks that the parts of a kind fit together; outside this function their types are erased. */
function transferred<Row extends OwnedRow, Patch extends object, Input extends object>(
  writer: RecordWriter<Row, Patch>,
  input: z.ZodType<Input> & z.ZodObject,
  create: (tx: Transaction, context: WriteContext, input: Input) => Promise<Row>,
  matchedBy: readonly MatchField[],
): Transferred {
  return { writer, input, matchedBy, create: (tx, context, body) => create(tx, context, body as Input) }
}

const address = ['email', 'phone'] as const

const plainTransferred = tableOfPlainKinds<{ readonly [Entity in PlainEntity]: Transferred }>((kind) => {
  const { writer, resource, create } = plainRecordsOf(kind)
  return [kind.entity, transferred(writer, resource.operations.create.body, create, [])]
})

export const transferredKinds: Readonly<Record<TransferredEntity, Transferred>> = {
  ...plainTransferred,
  [lead.entity]: transferred(leadWriter, leadInput, createLead, address),
  [contact.entity]: transferred(contactWriter, contactInput, createContact, address),
  [company.entity]: transferred(companyWriter, companyInput, createCompany, address),
  [deal.entity]: transferred(dealWriter, dealInput, createDeal, []),
  [task.entity]: transferred(taskWriter, tasks.operations.create.body, createTask, []),
  [project.entity]: transferred(projectWriter, projects.operations.create.body, createProject, []),
  [activity.entity]: transferred(activityWriter, activities.operations.create.body, createActivity, []),
  [product.entity]: {
    ...transferred(productWriter, productInput, createProduct, ['sku']),
    takenCode: 'SKU_TAKEN',
    shown: (row) => withPrices(row as ProductRow),
  },
}

function withPrices(row: ProductRow): object {
  const price = (value: string | null): string | null => value && toUnitPrice(value, row.currency)
  return { ...row, basePrice: price(row.basePrice), cost: price(row.cost) }
}
