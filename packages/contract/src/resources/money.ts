import * as z from 'zod'
import { currencyCode, recordFields, requiredText, text, wholeNumber } from '../fields.ts'
import { referenceList } from '../lists.ts'
import { resource } from '../resource.ts'
import { referenceAccess, standard } from '../standard.ts'
import { textForms } from '@crm/model/values'

const currency = z.object({
  ...recordFields,
  code: z.string().meta({ description: 'ISO 4217' }),
  name: z.string(),
  isActive: z.boolean(),
  rate: z.string().nullable().meta({ description: 'What one unit is worth in the currency of the workspace' }),
})
export type CurrencyRecord = z.output<typeof currency>

const knownCurrency = z.object({
  code: z.string().meta({ description: 'ISO 4217' }),
  name: z.string().meta({ description: 'In English' }),
  digits: wholeNumber.meta({ description: 'After the point' }),
})

const exchangeRate = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,12})?$/, { error: 'Expected a decimal number as a string', abort: true })
  .refine((value) => /[1-9]/.test(value), 'Expected a rate above zero')
  .register(textForms, { form: 'decimal' })

const currencyFields = { isActive: z.boolean().optional(), rate: exchangeRate.nullable().optional() }

const currencyInput = z.strictObject({ code: currencyCode, name: requiredText(100).optional(), ...currencyFields })
export type CurrencyInput = z.output<typeof currencyInput>

const currencyPatch = z.strictObject({ name: requiredText(100).optional(), ...currencyFields })
export type CurrencyPatch = z.output<typeof currencyPatch>

const currencyOperations = standard({
  path: '/api/currencies',
  noun: 'currency',
  plural: 'currencies',
  record: currency,
  create: currencyInput,
  update: currencyPatch,
  list: referenceList(currency),
  access: referenceAccess,
})

/** The currencies of the workspace, all at once. Amounts name an active currency by its code. */
export const currencies = resource({ name: 'currencies', entity: 'CURRENCY' }, null, {
  ...currencyOperations,
  known: {
    method: 'GET',
    path: '/api/currencies/known',
    summary: 'List the currencies of ISO 4217 that exist today',
    description: 'Those that can be added; list has the ones of the workspace.',
    access: referenceAccess.view,
    ...referenceList(knownCurrency),
  },
  create: {
    ...currencyOperations.create,
    description: 'One of ISO 4217; its code stays. Without a name it has its English one.',
    errors: ['INVALID_CURRENCY', 'NAME_TAKEN'],
  },
  update: {
    ...currencyOperations.update,
    description:
      'Amounts in a currency that is not active any more stay; new ones are refused. One that has ended cannot become active again. The currency of the workspace stays active.',
    errors: ['INVALID_CURRENCY', 'SYSTEM_RECORD'],
  },
  delete: {
    ...currencyOperations.delete,
    description: 'Neither the currency of the workspace nor one that amounts are in.',
    errors: ['IN_USE', 'SYSTEM_RECORD'],
  },
})

const unit = z.object({ ...recordFields, name: z.string(), symbol: z.string().nullable() })

const unitOperations = standard({
  path: '/api/units',
  noun: 'unit',
  plural: 'units',
  record: unit,
  create: z.strictObject({ name: requiredText(100), symbol: text(20).optional() }),
  update: z.strictObject({ name: requiredText(100).optional(), symbol: text(20).optional() }),
  list: referenceList(unit),
  access: referenceAccess,
})

/** The units of quantities, all at once. */
export const units = resource({ name: 'units', entity: 'UNIT' }, null, {
  ...unitOperations,
  create: { ...unitOperations.create, errors: ['NAME_TAKEN'] },
  update: { ...unitOperations.update, errors: ['NAME_TAKEN'] },
  delete: { ...unitOperations.delete, errors: ['IN_USE'] },
})

const taxRate = z.object({
  ...recordFields,
  name: z.string(),
  rate: z.string().meta({ description: 'Per cent, a decimal string' }),
  isActive: z.boolean(),
})

/** Per cent from 0 to 100 as a decimal string. */
export const percent = z
  .string()
  .regex(/^\d{1,3}(\.\d{1,6})?$/, { error: 'Expected per cent as a decimal string', abort: true })
  .refine((value) => Number(value) <= 100, 'Expected at most 100 per cent')

const taxRateOperations = standard({
  path: '/api/tax-rates',
  noun: 'tax rate',
  plural: 'tax rates',
  record: taxRate,
  create: z.strictObject({ name: requiredText(100), rate: percent, isActive: z.boolean().optional() }),
  update: z.strictObject({
    name: requiredText(100).optional(),
    rate: percent.optional(),
    isActive: z.boolean().optional(),
  }),
  list: referenceList(taxRate),
  access: referenceAccess,
})

/** The tax rates in per cent, all at once. */
export const taxRates = resource({ name: 'taxRates', entity: 'TAX_RATE' }, null, {
  ...taxRateOperations,
  create: { ...taxRateOperations.create, errors: ['NAME_TAKEN'] },
  update: { ...taxRateOperations.update, errors: ['NAME_TAKEN'] },
  delete: { ...taxRateOperations.delete, errors: ['IN_USE'] },
})
