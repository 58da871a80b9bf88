import { isDeepStrictEqual } from 'node:util'
import { day, instantInput } from '@crm/contract'
import type { Issue } from '@crm/errors'

/** The definition of a custom field against which its values are checked. */
export interface CustomFieldDefinition {
  readonly key: string
  readonly type: string
  readonly label: string
  readonly options: readonly { readonly value: string }[]
  readonly isRequired: boolean
}

/** The values to store, or the problems with them. */
export interface CheckedValues {
  readonly values: Record<string, unknown>
  readonly issues: readonly Issue[]
}

type Check = (
  value: unknown,
  field: CustomFieldDefinition,
) => { value: unknown } | { problem: string; values?: readonly unknown[] }

const isDecimal = (value: unknown): value is string =>
  typeof value === 'string' && /^-?\d{1,15}(\.\d{1,6})?$/.test(value)

const checks: Readonly<Record<string, Check>> = {
  TEXT: (value) =>
    typeof value === 'string' && value.length <= 5000
      ? { value }
      : { problem: 'Expected text of up to 5000 characters' },
  SELECT: (value, { options }) => {
    const values = options.map((option) => option.value)
    return typeof value === 'string' && values.includes(value)
      ? { value }
      : { problem: 'Expected one of the options', values }
  },
  MULTI_SELECT: (value, { options }) => {
    const values = options.map((option) => option.value)
    const fits = Array.isArray(value) && value.every((entry) => values.includes(entry as string))
    return fits ? { value: [...new Set(value)] } : { problem: 'Expected a list of the options', values }
  },
  BOOLEAN: (value) => (typeof value === 'boolean' ? { value } : { problem: 'Expected true or false' }),
  NUMBER: (value) =>
    typeof value === 'number' && Number.isFinite(value) ? { value } : { problem: 'Expected a number' },
  CURRENCY: (value) => {
    const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value
    return isDecimal(text) ? { value: text } : { problem: 'Expected an amount such as "1250.00"' }
  },
  PERCENTAGE: (value) =>
    typeof value === 'number' && Number.isFinite(value) ? { value } : { problem: 'Expected a number' },
  RATING: (value) =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 10
      ? { value }
      : { problem: 'Expected a whole number from 0 to 10' },
  DATE: (value) => (day.safeParse(value).success ? { value } : { problem: 'Expected a date such as 2026-01-31' }),
  DATETIME: (value) => {
    const instant = instantInput.safeParse(value)
    return instant.success ? { value: instant.data } : { problem: 'Expected an ISO 8601 date-time' }
  },
}

/**
 * Checks custom-field values against their definitions and merges them into the values of a record; `null` clears a value.
 * On create every required field must be present; afterwards none of them can be cleared. `at` is the member of the body
 * that holds the values.
 */
export function checkCustomFields(
  definitions: readonly CustomFieldDefinition[],
  sent: Readonly<Record<string, unknown>> | undefined,
  current: Readonly<Record<string, unknown>> | null,
  at = 'customFields',
): CheckedValues {
  const values: Record<string, unknown> = { ...current }
  const issues: Issue[] = []
  for (const [key, value] of Object.entries(sent ?? {})) {
    const field = definitions.find((definition) => definition.key === key)
    if (!field) issues.push({ path: [at, key], message: 'Unknown custom field', code: 'unrecognized_keys' })
    else if (value === null || value === undefined) delete values[key]
    // What is there may be older than the definition: an option that was removed, a longer text.
    else if (isDeepStrictEqual(value, current?.[key])) continue
    else apply(field, value, values, issues, at)
  }
  if (current === null || sent !== undefined) issues.push(...missingRequired(definitions, values, at))
  return { values, issues }
}

function apply(
  field: CustomFieldDefinition,
  value: unknown,
  values: Record<string, unknown>,
  issues: Issue[],
  at: string,
): void {
  const result = checks[field.type]?.(value, field) ?? { problem: 'The field has an unknown type' }
  if ('problem' in result) {
    issues.push({ path: [at, field.key], message: result.problem, code: 'invalid_value', values: result.values })
  } else {
    values[field.key] = result.value
  }
}

function missingRequired(
  definitions: readonly CustomFieldDefinition[],
  values: Readonly<Record<string, unknown>>,
  at: string,
): Issue[] {
  return definitions
    .filter((field) => field.isRequired && (values[field.key] === undefined || values[field.key] === ''))
    .map((field) => ({ path: [at, field.key], message: `${field.label} is required`, code: 'required' }))
}
