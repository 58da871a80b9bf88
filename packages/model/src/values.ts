import * as z from 'zod'
import { oncePerInput } from './once-per-input.ts'
import { inPlainSigns, trimMarks } from './plain-signs.ts'
import { textForms } from './text-forms.ts'

export { commaParts } from './comma-parts.ts'
export { oncePerInput } from './once-per-input.ts'
export { textForms, type TextForm } from './text-forms.ts'

/** An id in any version of UUID; the service makes version 7. Capital letters become lower case, so that equal ids are equal texts. */
export const id = z.guid().toLowerCase().meta({ format: 'uuid', description: 'UUID' })

/** A whole number, as counts in answers are. */
export const wholeNumber = z.int()

/** A path with one parameter, `{id}`. */
export const byId = z.object({ id })

/** An instant as the API writes it: ISO 8601, UTC, milliseconds, `Z`. */
export const instant = z.string().meta({ format: 'date-time', description: 'ISO 8601 UTC' })

/** An instant as a caller may write it: ISO 8601 with `Z` or an offset; read as the same instant in UTC. */
export const instantInput = z.iso
  .datetime({ offset: true, error: 'Expected an ISO 8601 date-time with Z or an offset' })
  .refine(hasStorableYear, 'Expected a year from 0001 to 9999')
  .transform((value) => new Date(value).toISOString())
  .meta({ format: 'date-time' })

/** A date without time, `YYYY-MM-DD`. */
export const day = z.iso.date().refine(hasStorableYear, 'Expected a year from 0001 to 9999')

/** Whether PostgreSQL can store a year: it has no year 0000, in UTC either, so a year of another zone must not begin in it. */
export function hasStorableYear(value: string): boolean {
  const year = new Date(value).getUTCFullYear()
  return year >= 1 && year <= 9999
}

/** Optional text of a record: trimmed, empty means none, `null` clears. */
export const text = oncePerInput((charactersMax: number) =>
  z
    .string()
    .trim()
    .max(charactersMax)
    .nullable()
    .transform((value) => (value === '' ? null : value)),
)

/** Required text: trimmed and not empty. */
export const requiredText = oncePerInput((charactersMax: number) => z.string().trim().min(1).max(charactersMax))

/** A text of one line, such as the subject of a mail. */
export const requiredLine = oncePerInput((charactersMax: number) =>
  requiredText(charactersMax).regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'It must be a single line'),
)

/** An email address: trimmed; compared without regard to case. */
export const email = z
  .string()
  .overwrite(trimMarks)
  .max(255)
  .transform(withAsciiDomain)
  .pipe(z.email())
  .meta({ format: 'email', maxLength: 255 })

/** An email address as it was given, in the script of its domain (`withAsciiDomain`). */
export const givenEmail = z
  .string()
  .overwrite(trimMarks)
  .max(255)
  .refine((address) => email.safeParse(address).success, 'Invalid email address')
  .meta({ format: 'email', maxLength: 255 })

/** An email address as far as somebody typed it. */
export const typedEmail = z.string().overwrite(trimMarks).max(255).transform(withAsciiDomain).nullable()

/** Writes the domain of an address in ASCII, as mail is sent: `münchen.example` becomes `xn--mnchen-3ya.example`. */
export function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  // oxlint-disable-next-line no-control-regex
  if (at < 1 || /^[\x00-\x7f]*$/.test(domain) || /[/?#@:\\\s]/.test(domain)) return address
  const url = `http://${domain}`
  return URL.canParse(url) ? `${address.slice(0, at)}@${new URL(url).hostname}` : address
}

/** Where the picture of a person is; null without one. */
export const pictureUrl = z
  .string()
  .nullable()
  .meta({ description: 'A path of this API, for sessions; another one for each new picture' })

/** The address of a picture that pages display. */
export const pictureAddress = z
  .string()
  .trim()
  .max(2000)
  .refine(
    (value) =>
      value === '' ||
      (/^https?:\/\//i.test(value) && URL.canParse(value)) ||
      /^data:image\/(png|jpeg|gif|webp|svg\+xml)[;,]/i.test(value),
    'Expected an address that begins with https:// or http://',
  )
  .nullable()
  .transform((value) => (value === '' ? null : value))

/** A phone number with `+` and country code (docs/guide/leads-and-deals.md); the write checks it exactly. */
export const phone = z
  .string()
  .overwrite(inPlainSigns)
  .trim()
  .max(50)
  .superRefine((value, context) => {
    const message = phoneProblem(value)
    if (message) context.addIssue({ code: 'custom', message })
  })

/** The fewest digits of a number with its country code. */
const phoneDigitsMin = 5

/** Returns the error in the format of a phone number, if there is one. */
function phoneProblem(value: string): string | undefined {
  if (!/^\+[1-9]/.test(value)) return 'A phone must start with + and the country code'
  if (!/^\+[\d\s().-]+$/.test(value)) return 'A phone has digits, blanks, brackets, dots and dashes only, after the +'
  if (value.replaceAll(/\D/g, '').length < phoneDigitsMin)
    return `The phone is too short: with its country code it has ${phoneDigitsMin} digits at least`
  return undefined
}

/** A host name in lower case; the address of a website is reduced to its host name. */
export const domainName = z
  .string()
  .trim()
  .transform((value) =>
    value
      .toLowerCase()
      .replace(/^https?:\/\//, '')
      .replace(/^www\./, '')
      .replace(/[/?#:][^]*/, ''),
  )
  .pipe(
    z
      .string()
      .max(253)
      .regex(
        /^[\p{L}\d]([\p{L}\d-]*[\p{L}\d])?(\.[\p{L}\d]([\p{L}\d-]*[\p{L}\d])?)+$/u,
        'Expected a domain such as example.com',
      ),
  )

/** A currency code of ISO 4217. */
export const currencyCode = z.string().regex(/^[A-Z]{3}$/, 'Expected a currency code of three capital letters')

/** Money as a decimal string, within the range of the database. */
export const decimal = z
  .string()
  .regex(/^-?\d{1,12}(\.\d{1,6})?$/, 'Expected a decimal number of up to 12 digits before the point, as a string')
  .register(textForms, { form: 'decimal' })

/** A day in an answer, or null. */
export const shownDay = z.string().nullable().meta({ format: 'date' })

/** An amount in an answer, or null; records with a currency show it beside the amount. */
export const shownAmount = z.string().nullable().meta({ format: 'decimal', description: 'A decimal string' })

/** An amount in an answer that is never null. */
export const computedAmount = z.string().meta({ format: 'decimal' })

/** A decimal string that is not below zero: a quantity, a discount. */
export const unsignedDecimal = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,6})?$/, 'Expected a decimal number that is not below zero, as a string')
  .register(textForms, { form: 'decimal' })

export const tags = z.array(requiredText(50)).max(50)

/** Values of custom fields by key; the write checks them against their definitions. */
export const customFieldValues = z.record(z.string(), z.unknown())

const addressPart = text(200).optional()

export const address = z.strictObject({
  line1: addressPart,
  line2: addressPart,
  city: addressPart,
  region: addressPart,
  postalCode: addressPart,
  country: addressPart,
})

const messengerTypes = ['TELEGRAM', 'WHATSAPP', 'VIBER', 'SIGNAL', 'MESSENGER', 'INSTAGRAM', 'OTHER'] as const

export const messenger = z.strictObject({ type: z.enum(messengerTypes), handle: requiredText(200) })

/** An entity type as in permissions, custom entities included. */
export const entityTypeName = z
  .string()
  .max(60)
  .regex(/^[A-Z][A-Z0-9_]*$/, 'Expected an entity type such as LEAD')
  .register(textForms, { form: 'entityType' })

/** The records that a task or an activity belongs to, as callers send them. */
export const recordLinks = z.array(z.strictObject({ entityType: entityTypeName, entityId: id })).max(50)

/** The same links as answers show them. */
export const shownLinks = z
  .array(z.object({ entityType: z.string(), entityId: id }))
  .meta({ description: 'Those whose records you may see' })
