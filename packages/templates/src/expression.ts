import type { AppliedFilter } from './filters.ts'
import type { JsonValue } from './json-value.ts'
import type { Path } from './path.ts'
import { applyFilter, FILTERS, isFilterName } from './filters.ts'
import { follow, matchAt, scanPath } from './path.ts'
import { OUTPUT_BYTES_MAX, spend } from './plain.ts'

/** The contents of `{{` and `}}`: a path and the filters for its value. */
export type Expression = { path: Path; filters: AppliedFilter[] }

/** Reports a fault at an offset of the text; it never returns. */
export type Fail = (offset: number, message: string) => never

const SPACE = /\s*/y
const WORD = /[A-Za-z]+/y
const ARGUMENT = /"(?:[^"\\]|\\.)*"|'[^']*'|-?\d+(?:\.\d+)?|true|false|null/y
const FILTERS_MAX = 8

/** Reads the expression whose `{{` is at an offset; `end` is the offset after its `}}`. */
export function scanExpression(text: string, start: number, fail: Fail): { expression: Expression; end: number } {
  const afterSpace = (offset: number) => offset + matchAt(SPACE, text, offset)![0].length
  const scanned = scanPath(text, afterSpace(start + 2))
  if ('fault' in scanned) return fail(scanned.end, scanned.fault)
  const filters: AppliedFilter[] = []
  let at = afterSpace(scanned.end)
  while (text[at] === '|') {
    const filter = scanFilter(text, afterSpace(at + 1), fail, afterSpace)
    if (filters.push(filter.applied) > FILTERS_MAX) fail(at, `A variable has at most ${FILTERS_MAX} filters.`)
    at = afterSpace(filter.end)
  }
  if (!text.startsWith('}}', at)) fail(at, 'A variable ends with }}, and only filters (| name) may stand before that.')
  return { expression: { path: scanned.path, filters }, end: at + 2 }
}

/** Returns the value of an expression for some data, after its filters. */
export function evaluate({ path, filters }: Expression, data: unknown): unknown {
  let value = follow(data, path)
  for (const filter of filters) {
    value = applyFilter(filter, value)
    if (typeof value === 'string') spend({ left: OUTPUT_BYTES_MAX }, value.length)
  }
  return value
}

function scanFilter(
  text: string,
  start: number,
  fail: Fail,
  afterSpace: (offset: number) => number,
): { applied: AppliedFilter; end: number } {
  const name = matchAt(WORD, text, start)?.[0] ?? ''
  if (!isFilterName(name)) return fail(start, `A filter is one of ${FILTERS.join(', ')}.`)
  const end = start + name.length
  const colon = afterSpace(end)
  if (name !== 'default') {
    if (text[colon] === ':') fail(colon, `The filter ${name} takes no argument.`)
    return { applied: { name }, end }
  }
  if (text[colon] !== ':') return fail(colon, 'The filter default needs a value, as in default:"none".')
  const valueStart = afterSpace(colon + 1)
  const argument = matchAt(ARGUMENT, text, valueStart)?.[0]
  if (argument === undefined)
    return fail(valueStart, 'A text in quotes, a number, true, false or null is expected here.')
  return {
    applied: {
      name,
      argument: readArgument(argument, () => fail(valueStart, 'This text is not closed or not escaped as in JSON.')),
    },
    end: valueStart + argument.length,
  }
}

function readArgument(text: string, refuse: () => never): JsonValue {
  if (text.startsWith("'")) return text.slice(1, -1)
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return refuse()
  }
}
