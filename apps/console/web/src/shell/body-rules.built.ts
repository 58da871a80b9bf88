import { settingsContract } from '@crm/contract'
import * as z from 'zod'

// The build evaluates this file, and pages load what it exports as plain data.

/** What the contract says of a field of a body. */
export interface FieldRule {
  readonly type: 'flag' | 'number' | 'list' | 'text'
  readonly isRequired: boolean
  readonly isNullable: boolean
  readonly min?: number
  /** The most of a number, or the most characters of a text. */
  readonly max?: number
}

const { bookingLinks, identityProviders, signInPolicy, workspace } = settingsContract

/** The rules of the bodies that forms of the settings ask for. */
export const bodyRules = {
  bookingLink: rulesOf(bookingLinks.operations.create.body),
  identityProvider: rulesOf(identityProviders.operations.create.body),
  signInPolicy: rulesOf(signInPolicy.operations.update.body),
  workspace: rulesOf(workspace.operations.update.body),
}

function rulesOf<Shape extends z.core.$ZodShape>(body: z.ZodObject<Shape>) {
  const rules = Object.entries(body.shape).map(([name, schema]) => [name, ruleOf(schema, true, false)])
  return Object.fromEntries(rules) as Readonly<Record<keyof Shape & string, FieldRule>>
}

function ruleOf(schema: unknown, isRequired: boolean, isNullable: boolean): FieldRule {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return ruleOf(schema.unwrap(), false, isNullable)
  if (schema instanceof z.ZodNullable) return ruleOf(schema.unwrap(), false, true)
  if (schema instanceof z.ZodPipe) return ruleOf(schema.in, isRequired, isNullable)
  const shared = { isRequired, isNullable }
  if (schema instanceof z.ZodBoolean) return { type: 'flag', ...shared }
  if (schema instanceof z.ZodArray) return { type: 'list', ...shared }
  if (schema instanceof z.ZodNumber)
    return { type: 'number', ...shared, ...given({ min: schema.minValue, max: schema.maxValue }) }
  if (!(schema instanceof z.ZodString)) return { type: 'text', ...shared }
  // A change may leave every field out, but what is never empty cannot be emptied by it.
  const isNeverEmpty = !isNullable && (schema.minLength ?? 0) > 0
  return { type: 'text', ...shared, isRequired: isRequired || isNeverEmpty, ...given({ max: schema.maxLength }) }
}

/** Returns the limits that there are. */
function given(limits: Readonly<Record<'max', number | null>> & { readonly min?: number | null }) {
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== null)) as {
    min?: number
    max?: number
  }
}
