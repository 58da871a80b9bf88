import type { Field } from '@crm/model'
import { valuesIn } from '@crm/tables/several'
import * as z from 'zod'

/** Values of two parts, such as a messenger and a handle, which stand in one cell: `SIGNAL:ada;WHATSAPP:+49…`. */
export interface Pairs {
  /** The names of the two parts in a list; none where the first part is the name itself. */
  readonly keys: readonly string[]
}

const pairLength = 2

/** Returns the pairs that a field holds; undefined for a field of anything else. */
export function pairsOf({ shown }: Pick<Field, 'shown'>): Pairs | undefined {
  const schema = bare(shown)
  if (schema instanceof z.ZodRecord) return { keys: [] }
  const element = schema instanceof z.ZodArray ? bare(schema.element as z.ZodType) : undefined
  const keys = element instanceof z.ZodObject ? Object.keys(element.shape) : []
  return keys.length === pairLength ? { keys } : undefined
}

/** Returns the pairs of a value as the texts of a cell. */
export function textsOfPairs(value: unknown, { keys }: Pairs): readonly string[] {
  if (keys.length === 0) return Object.entries(value ?? {}).map(([key, one]) => `${key}:${textOf(one)}`)
  const all = (value ?? []) as readonly Readonly<Record<string, unknown>>[]
  return all.map((one) => keys.map((key) => textOf(one[key])).join(':'))
}

/** Returns the value that a cell holds; undefined where its field does not take it. */
export function pairsIn(text: string, { keys: [first, second] }: Pairs, { written }: Pick<Field, 'written'>): unknown {
  const pairs = valuesIn(text, false).map(
    (part) => [part.split(':', 1)[0] ?? '', part.slice(part.indexOf(':') + 1).trim()] as const,
  )
  const value =
    first === undefined || second === undefined
      ? Object.fromEntries(pairs)
      : pairs.map(([one, other]) => ({ [first]: one, [second]: other }))
  return (written as z.ZodType | null)?.safeParse(value).success ? value : undefined
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value)

/** Returns a schema without what says that a value may be missing. */
export function bare(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? bare(schema.unwrap() as z.ZodType)
    : schema
}
