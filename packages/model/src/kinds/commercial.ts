import * as z from 'zod'
import { address, choice, currency, day, money, parts, reference, text } from '../field.ts'
import { id, requiredText, text as optionalText, unsignedDecimal } from '../values.ts'

export const taxModes = ['EXCLUSIVE', 'INCLUSIVE', 'NONE'] as const
export const discountTypes = ['PERCENT', 'AMOUNT'] as const

/** The most lines of one document. */
export const linesMax = 500

const nullableText = z.string().nullable()
const nullableId = id.nullable()

const shownDiscount = z.object({ type: z.enum(discountTypes), value: z.string() })

/** A line in an answer. */
export const line = z.object({
  productId: nullableId,
  name: z.string(),
  description: nullableText,
  quantity: z.string(),
  unitId: nullableId,
  unitPrice: z.string(),
  gross: z.string().optional().meta({
    description: 'What price lists ask for the quantity: unitPrice is rounded. Without it, quantity × unitPrice',
  }),
  discount: z.union([z.string(), shownDiscount]).nullable(),
  taxRateId: nullableId,
  net: z.string().meta({
    description: 'gross − discount, without tax and before the discount of the document',
  }),
  tax: z.string(),
  total: z.string().meta({ description: 'After the discount of the document, with tax' }),
})

const tax = z.object({
  taxRateId: id,
  name: z.string(),
  rate: z.string().meta({ description: 'Per cent' }),
  base: z.string(),
  amount: z.string(),
})

const percent = z
  .string()
  .regex(/^(100(\.0{1,6})?|\d{1,2}(\.\d{1,6})?)$/, 'Expected a percentage from 0 to 100, as a string')

const discountInput = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('PERCENT'), value: percent }),
  z.strictObject({ type: z.literal('AMOUNT'), value: unsignedDecimal }),
])

/** A line as people write it. */
export const lineInput = z
  .strictObject({
    productId: nullableId.default(null),
    name: requiredText(300).optional().meta({ description: 'That of the product unless told' }),
    description: optionalText(2000).default(null),
    quantity: unsignedDecimal.default('1'),
    unitId: nullableId.optional().meta({ description: 'That of the product unless told' }),
    unitPrice: unsignedDecimal.optional().meta({
      description:
        'That of the product for the quantity, company, currency and day unless told, as /api/prices/resolve says it',
    }),
    discount: z
      .union([unsignedDecimal, discountInput])
      .nullable()
      .default(null)
      .meta({ description: 'An amount, or with its type' }),
    taxRateId: nullableId.optional().meta({ description: 'That of the product unless told' }),
    gross: z.string().optional().meta({ description: 'Computed; ignored' }),
    net: z.string().optional().meta({ description: 'Computed; ignored' }),
    tax: z.string().optional().meta({ description: 'Computed; ignored' }),
    total: z.string().optional().meta({ description: 'Computed; ignored' }),
  })
  .refine((sent) => sent.name !== undefined || sent.productId !== null, {
    message: 'A line without a product needs a name',
    path: ['name'],
  })
  .meta({ description: 'quantity × unitPrice − discount' })

/** The fields of such a document that people read first, before those of its kind. */
export const commercialMain = ['number', 'status', 'companyId', 'contactId', 'dealId', 'total', 'currency'] as const

/** The fields that quotes, orders and invoices share: the header, the lines and the totals. */
export const commercialFields = {
  number: text({ holds: 'fixed', written: 'never', sort: true }),
  companyId: reference({ to: 'COMPANY', filter: true, keeps: true }),
  contactId: reference({ to: 'CONTACT', filter: true, keeps: true }),
  dealId: reference({ to: 'DEAL', filter: true, keeps: true }),
  partyName: text({
    holds: 'person',
    written: 'never',
    description: 'How the company or contact was called when the document was last written',
  }),
  currency: currency({ presence: 'always', filter: true }),
  issueDate: day({ sort: true, filter: 'issue' }),
  items: parts({ presence: 'always', holds: 'prose' }, z.array(line), z.array(lineInput).max(linesMax)),
  discount: parts({ holds: 'fixed' }, shownDiscount.nullable(), discountInput.nullable()),
  taxMode: choice({ values: taxModes, presence: 'always' }),
  subtotal: money({
    presence: 'always',
    written: 'never',
    description: 'Sum of the nets of the lines, before the discount of the document',
  }),
  discountTotal: money({
    presence: 'always',
    written: 'never',
    description: 'What the discount of the document takes off the subtotal',
  }),
  taxTotal: money({ presence: 'always', written: 'never' }),
  taxes: parts({ presence: 'always', written: 'never', holds: 'fixed' }, z.array(tax), z.never()),
  total: money({
    presence: 'always',
    written: 'never',
    unsigned: true,
    sort: true,
    filter: 'total',
    description: 'subtotal − discountTotal + taxTotal',
  }),
  notes: text({ max: 10_000, holds: 'prose' }),
  terms: text({ max: 10_000, holds: 'prose' }),
  billingAddress: address({ holds: 'person' }),
} as const
