import { commercialFields, type lineInput } from '@crm/model'
import * as z from 'zod'
import { email, requiredLine, text } from '../fields.ts'
import { dayParam, commonFilters } from '../lists.ts'
import { inputOf } from '../of-kind.ts'

export { discountTypes, linesMax, taxModes } from '@crm/model'

export type LineInput = z.output<typeof lineInput>

const header = { fields: commercialFields }

const commercialDraft = inputOf(header)
export type CommercialInput = z.output<typeof commercialDraft>
export type CommercialPatch = CommercialInput & { readonly version?: number }

/** The days of issue in the filters of quotes, orders and invoices, besides those of the kinds. */
export const commercialFilters = { ...commonFilters, issuedFrom: dayParam.optional(), issuedTo: dayParam.optional() }

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
