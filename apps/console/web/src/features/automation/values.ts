import type { Kind } from '../../records/record-kinds.ts'

export type Values = Readonly<Record<string, unknown>>

/** Returns the values of a body by the keys of fields: custom fields are in a member of their own there. */
export function readFields({ isCustom }: Pick<Kind, 'isCustom'>, values: Values): Values {
  const member = isCustom ? 'values' : 'customFields'
  const { [member]: custom, ...own } = values
  const entries = Object.entries((custom ?? {}) as Values).map(([key, value]) => [`cf_${key}`, value])
  return { ...own, ...Object.fromEntries(entries) }
}

/** Returns a body with other values of its fields. */
export function writeFields({ isCustom }: Pick<Kind, 'isCustom'>, before: Values, fields: Values): Values {
  const member = isCustom ? 'values' : 'customFields'
  const entries = Object.entries(fields)
  const custom = entries.filter(([key]) => key.startsWith('cf_')).map(([key, value]) => [key.slice(3), value])
  const own = entries.filter(([key]) => !key.startsWith('cf_'))
  return {
    ...Object.fromEntries(own),
    ...(custom.length > 0 || member in before ? { [member]: Object.fromEntries(custom) } : {}),
  }
}
