import type { Expression, Fail } from './expression.ts'
import type { JsonValue } from './json-value.ts'
import { scanExpression } from './expression.ts'
import { formatPath } from './path.ts'
import { DEPTH_MAX } from './plain.ts'
import { positionAt, TemplateError } from './template-error.ts'

/** A node of a template's tree: fixed, a typed variable, a text with variables in it, or a branch. */
export type TemplateNode =
  | { kind: 'fixed'; value: string | number | boolean | null }
  | { kind: 'variable'; expression: Expression }
  | { kind: 'text'; parts: (string | Expression)[] }
  | { kind: 'array'; items: TemplateNode[] }
  | { kind: 'object'; entries: [key: string, value: TemplateNode][] }

/** A template that was read completely and is valid. */
export type Compiled = { readonly root: TemplateNode }

/**
 * Compiles a tree whose strings are templates (field mappings of steps); keys are kept unchanged. Throws a TemplateError with the path
 * of the faulty string.
 */
export function compileValue(value: JsonValue): Compiled {
  return { root: compileNode(value, []) }
}

/** Returns the paths that a template reads, each once, in their written form (`trigger.items[0].name`). */
export function variables({ root }: Compiled): string[] {
  return [...new Set([...expressionsOf(root)].map(({ path }) => formatPath(path)))]
}

/** Reads one string: exactly one variable keeps its type, anything else with variables is a text. */
export function compileText(text: string, fail: Fail): TemplateNode {
  const parts: (string | Expression)[] = []
  let at = 0
  for (let open = text.indexOf('{{'); open !== -1; open = text.indexOf('{{', at)) {
    if (open > at) parts.push(text.slice(at, open))
    const { expression, end } = scanExpression(text, open, fail)
    parts.push(expression)
    at = end
  }
  if (at === 0) return { kind: 'fixed', value: text }
  if (at < text.length) parts.push(text.slice(at))
  const [only, ...others] = parts
  return others.length === 0 && typeof only === 'object'
    ? { kind: 'variable', expression: only }
    : { kind: 'text', parts }
}

function compileNode(value: JsonValue, path: (string | number)[]): TemplateNode {
  if (path.length > DEPTH_MAX)
    throw new TemplateError(`The template is nested more than ${DEPTH_MAX} levels deep.`, null, path)
  if (typeof value === 'string') {
    return compileText(value, (offset, message) => {
      throw new TemplateError(message, positionAt(value, offset), path)
    })
  }
  if (typeof value !== 'object' || value === null) return { kind: 'fixed', value }
  if (Array.isArray(value)) return { kind: 'array', items: value.map((item, i) => compileNode(item, [...path, i])) }
  const entries = Object.entries(value).filter(([key]) => key !== '__proto__')
  return { kind: 'object', entries: entries.map(([key, item]) => [key, compileNode(item, [...path, key])]) }
}

function* expressionsOf(node: TemplateNode): Generator<Expression> {
  if (node.kind === 'variable') yield node.expression
  if (node.kind === 'text') yield* node.parts.filter((part) => typeof part === 'object')
  if (node.kind === 'array') for (const item of node.items) yield* expressionsOf(item)
  if (node.kind === 'object') for (const [, item] of node.entries) yield* expressionsOf(item)
}
