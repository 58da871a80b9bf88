import { invalidQueryParam, suggestionsFor } from '@crm/errors'
import type { Exchange, Step } from '../exchange.ts'

interface ShapeQuery {
  readonly fields?: readonly string[]
  readonly expand?: readonly string[]
  readonly compact?: boolean
}

/** Reads the requested fields of records and the names to add to their ids (docs/guide/lists.md). */
export const readShape: Step = async (exchange, ports) => {
  const { shaped, summarized } = exchange.declared.operation
  const { fields, expand = [], compact = false } = (exchange.input.query ?? {}) as ShapeQuery
  if (summarized && compact) exchange.isCompact = true
  if (!shaped || (!fields && expand.length === 0 && !compact)) return
  const custom = fields?.some((name) => name.startsWith('cf_')) ? await customNames(exchange, ports) : []
  if (fields) requireKnown('fields', fields, [...Object.keys(shaped.record.shape), ...custom])
  requireKnown('expand', expand, Object.keys(shaped.expandable))
  exchange.shape = { shaped, fields: fields && new Set(fields), expand, isCompact: compact }
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
