import type { Budget } from './plain.ts'
import type { JsonValue } from './json-value.ts'
import type { Compiled, TemplateNode } from './template.ts'
import { evaluate } from './expression.ts'
import { checkDepth, fullBudget, OUTPUT_BYTES_MAX, spend, toPlain, toText } from './plain.ts'
import { TemplateError } from './template-error.ts'

/**
 * Fills the variables of a template with data. A missing value is null where it stands alone and nothing inside a text; data is never
 * read as a template.
 * Throws a TemplateError when the result has more than 262,144 characters or 64 levels.
 */
export function render({ root }: Compiled, data: unknown): JsonValue {
  return renderNode(root, data, fullBudget(), 0)
}

/** Fills a template and writes it as JSON text. Throws a TemplateError when the text exceeds 256 KB or 64 levels. */
export function renderJson(compiled: Compiled, data: unknown): string {
  const json = JSON.stringify(render(compiled, data))
  if (new TextEncoder().encode(json).length > OUTPUT_BYTES_MAX)
    throw new TemplateError(`The result is larger than ${OUTPUT_BYTES_MAX / 1024} KB.`)
  return json
}

function renderNode(node: TemplateNode, data: unknown, budget: Budget, depth: number): JsonValue {
  switch (node.kind) {
    case 'fixed':
      return toPlain(node.value, budget, depth)
    case 'variable':
      return toPlain(evaluate(node.expression, data), budget, depth)
    case 'text':
      return node.parts.map((part) => renderPart(part, data, budget)).join('')
    case 'array':
      checkDepth(depth + 1)
      return node.items.map((item) => renderNode(item, data, budget, depth + 1))
    case 'object':
      checkDepth(depth + 1)
      return Object.fromEntries(
        node.entries.map(([key, item]) => [renderKey(key, budget), renderNode(item, data, budget, depth + 1)]),
      )
  }
}

function renderPart(
  part: Extract<TemplateNode, { kind: 'text' }>['parts'][number],
  data: unknown,
  budget: Budget,
): string {
  const text = typeof part === 'string' ? part : toText(evaluate(part, data))
  spend(budget, text.length)
  return text
}

function renderKey(key: string, budget: Budget): string {
  spend(budget, key.length + 3)
  return key
}
