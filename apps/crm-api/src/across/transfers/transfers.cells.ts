import type { z } from 'zod'
import type { CustomFieldKind } from '../../records/custom-field-filters.ts'

/** A function that turns the text of a cell into the value of a field. */
type Reading = (text: string) => unknown

const asNumber: Reading = (text) => (text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text))
const asList: Reading = (text) =>
  text
    .split(';')
    .map((part) => part.trim())
    .filter(Boolean)
const asBoolean: Reading = (text) =>
  /^(true|yes|1)$/i.test(text.trim()) ? true : /^(false|no|0)$/i.test(text.trim()) ? false : text
const asText: Reading = (text) => text

const customReadings: Readonly<Record<string, Reading>> = {
  NUMBER: asNumber,
  PERCENTAGE: asNumber,
  RATING: asNumber,
  BOOLEAN: asBoolean,
  MULTI_SELECT: asList,
}

/** Returns the fields of a create that a cell can hold, each with its reading. */
export function cellFields(input: z.ZodObject, customFields: readonly CustomFieldKind[]): ReadonlyMap<string, Reading> {
  const known = Object.entries(input.shape).flatMap(([name, schema]) => {
    const reading = readingOf(schema as z.ZodType)
    return reading ? [[name, reading] as const] : []
  })
  return new Map([
    ...known,
    ...customFields.map(({ key, type }) => [`cf_${key}`, customReadings[type] ?? asText] as const),
  ])
}

/** Returns the reading of a field, by its schema; undefined for a value that no cell can hold. */
function readingOf(schema: z.ZodType): Reading | undefined {
  if (schema.safeParse(['a']).success) return asList
  if (schema.safeParse(1).success && !schema.safeParse('1').success) return asNumber
  if (schema.safeParse(true).success) return asBoolean
  return takesText(schema) ? asText : undefined
}

const samples = [
  'text',
  'NEW',
  '2026-01-31',
  '2026-01-31T10:00:00Z',
  'ada@example.com',
  '+4915112345678',
  '12.50',
  'EUR',
  'https://example.com',
  '01890000-0000-7000-8000-000000000000',
]

function takesText(schema: z.ZodType): boolean {
  if (samples.some((sample) => schema.safeParse(sample).success)) return true
  const problem = schema.safeParse('').error?.issues[0]
  return problem?.code === 'invalid_value' && problem.values.every((value) => typeof value === 'string')
}

// Spreadsheets of East Asia treat the full-width signs alike.
const startsFormula = /^[=+\-@＝＋－＠\t\r\n]/
const isPlain = /^[+-]?[\d\s().,/-]*$/

/** Returns a text with an apostrophe in front where a spreadsheet would take it for a formula; with the apostrophe it stays text. */
export function guarded(text: string): string {
  return startsFormula.test(text) && !isPlain.test(text) ? `'${text}` : text
}

/** Removes the apostrophe of `guarded`, so that an exported value is imported unchanged. */
export function unguarded(text: string): string {
  return text.startsWith("'") && guarded(text.slice(1)) === text ? text.slice(1) : text
}
