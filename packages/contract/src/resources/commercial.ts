import * as z from 'zod'
import {
  address,
  computedAmount,
  currencyCode,
  day,
  email,
  expectedVersion,
  id,
  newOwner,
  ownedFields,
  requiredLine,
  requiredText,
  shownDay,
  tags,
  text,
  unsignedDecimal,
} from '../fields.ts'
import { idFilter } from '../filters.ts'
import { dayParam, booleanParam, commonFilters } from '../lists.ts'

/** The parts that quotes, orders and invoices share (docs/guide/finance.md): the header, the lines and the totals. */

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

/** The fields of the header in answers. */
export const commercialFields = {
  ...ownedFields,
  number: nullableText,
  companyId: nullableId,
  contactId: nullableId,
  dealId: nullableId,
  partyName: nullableText.meta({
    description: 'How the company or contact was called when the document was last written',
  }),
  currency: z.string(),
  issueDate: shownDay,
  items: z.array(line),
  discount: shownDiscount.nullable(),
  taxMode: z.enum(taxModes),
  subtotal: computedAmount.meta({
    description: 'Sum of the nets of the lines, before the discount of the document',
  }),
  discountTotal: computedAmount.meta({
    description: 'What the discount of the document takes off the subtotal',
  }),
  taxTotal: computedAmount,
  taxes: z.array(tax),
  total: computedAmount.meta({ description: 'subtotal − discountTotal + taxTotal' }),
  notes: nullableText,
  terms: nullableText,
  billingAddress: address.nullable(),
}

const percent = z
  .string()
  .regex(/^(100(\.0{1,6})?|\d{1,2}(\.\d{1,6})?)$/, 'Expected a percentage from 0 to 100, as a string')

const discountInput = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('PERCENT'), value: percent }),
  z.strictObject({ type: z.literal('AMOUNT'), value: unsignedDecimal }),
])

const lineInput = z
  .strictObject({
    productId: nullableId.default(null),
    name: requiredText(300).optional().meta({ description: 'That of the product unless told' }),
    description: text(2000).default(null),
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
export type LineInput = z.output<typeof lineInput>

/** The writable fields of the header. */
export const commercialInput = {
  companyId: nullableId.optional(),
  contactId: nullableId.optional(),
  dealId: nullableId.optional(),
  currency: currencyCode.optional(),
  issueDate: day.nullable().optional(),
  items: z.array(lineInput).max(linesMax).optional(),
  discount: discountInput.nullable().optional(),
  taxMode: z.enum(taxModes).optional(),
  notes: text(10_000).optional(),
  terms: text(10_000).optional(),
  billingAddress: address.nullable().optional(),
  ownerId: newOwner,
  tags: tags.optional(),
}

const commercialDraft = z.strictObject(commercialInput)
export type CommercialInput = z.output<typeof commercialDraft>
export type CommercialPatch = CommercialInput & { readonly version?: number }

/** The fields of a PATCH: the writable ones and the expected version. */
export const commercialPatch = { ...commercialInput, version: expectedVersion }

/** The filters of the lists of quotes, orders and invoices. */
export const commercialFilters = {
  ...commonFilters,
  companyId: idFilter({ canBeEmpty: true }).optional(),
  contactId: idFilter({ canBeEmpty: true }).optional(),
  dealId: idFilter({ canBeEmpty: true }).optional(),
  currency: currencyCode.optional(),
  totalMin: unsignedDecimal.optional(),
  totalMax: unsignedDecimal.optional(),
  issuedFrom: dayParam.optional(),
  issuedTo: dayParam.optional(),
  issueFrom: dayParam.optional(),
  issueTo: dayParam.optional(),
}

/** A filter by whether the date to pay or to decide has passed. */
export const passedFilter = booleanParam.optional()

const recipients = z.array(email).max(20)

/** A document sent by mail. */
export const mailInput = z.strictObject({
  to: recipients.min(1),
  cc: recipients.default([]),
  subject: requiredLine(200).optional(),
  message: text(10_000).optional(),
})
export type MailInput = z.output<typeof mailInput>

/** The same with optional recipients. */
export const optionalMailInput = mailInput.extend({ to: recipients.default([]) })
