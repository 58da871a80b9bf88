import { day } from '@crm/contract'
import { invalidField } from '@crm/errors'

/** The value of one attribute of a product, as it is sent and stored. */
export interface Said {
  readonly value: string | boolean | null
  readonly valueIds: readonly string[]
}

type AttributeType = 'TEXT' | 'NUMBER' | 'BOOLEAN' | 'DATE' | 'SELECT' | 'MULTI_SELECT'

const fits: Readonly<Record<string, (value: string | boolean) => boolean>> = {
  TEXT: (value) => typeof value === 'string',
  NUMBER: (value) => typeof value === 'string' && /^-?\d{1,12}(\.\d{1,6})?$/.test(value),
  BOOLEAN: (value) => typeof value === 'boolean',
  DATE: (value) => day.safeParse(value).success,
}

const expected: Readonly<Record<string, string>> = {
  TEXT: 'text',
  NUMBER: 'a decimal number as a string',
  BOOLEAN: 'true or false',
  DATE: 'a date such as 2026-01-31',
}

/** Refuses a value that does not fit the type of the attribute. */
export function checkSaid(type: AttributeType, { value, valueIds }: Said): void {
  const isChosen = type === 'SELECT' || type === 'MULTI_SELECT'
  if (isChosen && value !== null) throw invalidField('value', `An attribute of type ${type} takes valueIds`)
  if (!isChosen && valueIds.length > 0) throw invalidField('valueIds', `An attribute of type ${type} takes a value`)
  if (type === 'SELECT' && valueIds.length > 1)
    throw invalidField('valueIds', 'An attribute of type SELECT takes one value')
  if (!isChosen && value !== null && !fits[type]?.(value)) throw invalidField('value', `Expected ${expected[type]}`)
}
