import { codeLabel, fieldLabel } from '@crm/contract'

/** Returns the label of a field in the form that it has within a sentence. */
export function labelWithin(label: string): string {
  return /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)
}

/** Returns the label of a field that every workspace has. */
export function builtInLabel(field: string): string {
  return labelWithin(fieldLabel(field))
}

const valueMax = 40

/** Returns a value that refers to nothing else, in readable form; undefined for a value that is too long. */
export function plainValue(value: unknown, isCode: boolean): string | null | undefined {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value) || typeof value !== 'string') return undefined
  if (isCode) return codeLabel(value).toLowerCase()
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return value.slice(0, 10)
  return value.length <= valueMax && !/[\n\r]/.test(value) ? value : undefined
}

/** Returns the beginning of a text: whole lines as far as they fit, without blanks around them. */
export function firstLines(
  text: string,
  { lines, characters }: { readonly lines: number; readonly characters: number },
): string {
  const trimmed = text.trim()
  const begin = trimmed.split(/\r?\n/).slice(0, lines).join('\n')
  if (begin.length <= characters) return begin.length < trimmed.length ? `${begin.trimEnd()} …` : begin
  return `${begin.slice(0, characters - 1).trimEnd()}…`
}
