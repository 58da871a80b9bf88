import { describeDay, describeInstant } from '../../base/moments.ts'
import type { EntityField } from './entity-queries.ts'

/** Reads the values of fields from a form; what is empty is null, which clears. */
export function valuesIn(form: FormData, fields: readonly EntityField[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field.key, valueIn(form, field)]))
}

/** The name of a field in a form. */
export function inputName({ key }: EntityField): string {
  return `values.${key}`
}

function valueIn(form: FormData, field: EntityField): unknown {
  if (field.type === 'MULTI_SELECT') {
    const chosen = form.getAll(inputName(field)).map(String)
    return chosen.length === 0 ? null : chosen
  }
  const entry = form.get(inputName(field))
  const text = typeof entry === 'string' ? entry.trim() : ''
  if (text === '') return null
  if (field.type === 'BOOLEAN') return text === 'true'
  if (field.type === 'NUMBER' || field.type === 'PERCENTAGE' || field.type === 'RATING') return Number(text)
  return field.type === 'DATETIME' ? new Date(text).toISOString() : text
}

/** The value of a field as people read it; null without one. */
export function describeFieldValue({ type, options }: EntityField, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  const text = plainText(value)
  const labelOf = (one: unknown) => options.find((option) => option.value === one)?.label ?? plainText(one)
  if (type === 'BOOLEAN') return value === true ? 'Yes' : 'No'
  if (type === 'SELECT') return labelOf(value)
  if (type === 'MULTI_SELECT') return Array.isArray(value) ? value.map(labelOf).join(', ') : null
  if (type === 'PERCENTAGE') return `${text} %`
  if (type === 'DATE') return describeDay(text, 'UTC')
  return type === 'DATETIME' ? describeInstant(text) : text
}

/** A value as a field of a form begins; empty without one. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
