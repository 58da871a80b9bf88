import type { Operation } from '@crm/contract'
import { invalidQueryParam, suggestionsFor } from '@crm/errors'
import type { Exchange, Step } from '../exchange.ts'
import type { Shape } from '../shape.ts'

interface ShapeQuery {
  readonly fields?: readonly string[]
  readonly expand?: readonly string[]
  readonly compact?: boolean
}

/** Reads the requested fields of records and the names to add to their ids (docs/guide/lists.md). */
export const readShape: Step = async (exchange, ports) => {
  const query = (exchange.input.query ?? {}) as ShapeQuery
  if (exchange.declared.operation.summarized && query.compact) exchange.isCompact = true
  const custom = query.fields?.some((name) => name.startsWith('cf_')) ? await customNames(exchange, ports) : []
  exchange.shape = shapeOf(exchange.declared.operation, query, custom)
}

/** Returns the shape that a checked query asks for; undefined without one. Refuses what no record has. */
export function shapeOf({ shaped }: Operation, query: unknown, custom: readonly string[] = []): Shape | undefined {
  const { fields, expand = [], compact = false } = (query ?? {}) as ShapeQuery
  if (!shaped || (!fields && expand.length === 0 && !compact)) return undefined
  if (fields) requireKnown('fields', fields, [...Object.keys(shaped.record.shape), ...custom])
  requireKnown('expand', expand, Object.keys(shaped.expandable))
  return { shaped, fields: fields && new Set(fields), expand, isCompact: compact }
}

async function customNames(
  { declared, recognition, request }: Exchange,
  ports: Parameters<Step>[1],
): Promise<string[]> {
  const { customFields } = declared.operation.shaped ?? {}
  if (!customFields || !recognition.workspace || !ports.customFieldKeys) return []
  const type =
    customFields === 'BY_KEY' ? ((request.params as { readonly key?: string }).key ?? '').toUpperCase() : customFields
  return (await ports.customFieldKeys(recognition.workspace, type)).map((key) => `cf_${key}`)
}

function requireKnown(param: string, asked: readonly string[], known: readonly string[]): void {
  const unknown = asked.find((name) => !known.includes(name))
  if (unknown === undefined) return
  const message = `There is no ${unknown}: expected some of ${known.join(', ')}`
  throw invalidQueryParam(param, message, suggestionsFor([unknown], known))
}
