import { composed } from '../composed.ts'
import { ApiError, suggestionsFor } from '@crm/errors'
import { withPlainNames, type SentQuery } from '../custom-field-names.ts'
import type { Exchange, Step } from '../exchange.ts'

/** Refuses unknown and repeated parameters for strict operations; lenient ones take the first and ignore the rest (docs/guide/lists.md). */
export const queryPolicy: Step = async (exchange, ports) => {
  const { operation } = exchange.declared
  const asSent = composed((exchange.request.query ?? {}) as SentQuery)
  const sent = operation.customFields ? withPlainNames(asSent) : asSent
  const accepted = Object.keys(operation.query?.shape ?? {})
  const namesCustomField =
    operation.customFields !== undefined && Object.keys(sent).some((name) => name.startsWith('cf_'))
  const custom = namesCustomField
    ? await knownCustomFields(exchange.recognition.workspace, entityTypeOf(exchange), ports)
    : new Set<string>()
  if (operation.queryPolicy === 'strict') refuseStrictly(sent, accepted, custom, operation.customFields !== undefined)
  else
    tellIgnored(
      exchange.reply,
      Object.keys(sent).filter((name) => !accepted.includes(name) && !custom.has(name)),
    )
  exchange.input.query = pick(sent, accepted)
  exchange.input.customFieldFilters = new Map(Object.entries(pick(sent, [...custom])))
}

/** Returns the entity type of the list's custom fields: the declared one, or the key in the path as in permissions. */
function entityTypeOf({ declared, request }: Parameters<Step>[0]): string {
  const { customFields = '' } = declared.operation
  return customFields === 'BY_KEY'
    ? ((request.params as { readonly key?: string }).key ?? '').toUpperCase()
    : customFields
}

async function knownCustomFields(
  workspace: Parameters<NonNullable<Parameters<Step>[1]['customFieldParams']>>[0] | null,
  entityType: string,
  ports: Parameters<Step>[1],
): Promise<ReadonlySet<string>> {
  if (!workspace || !ports.customFieldParams) return new Set()
  return ports.customFieldParams(workspace, entityType)
}

function refuseStrictly(
  sent: SentQuery,
  accepted: readonly string[],
  custom: ReadonlySet<string>,
  hasCustomFields: boolean,
): void {
  const unknown = Object.keys(sent).filter((name) => !accepted.includes(name) && !custom.has(name))
  const unknownCustom = hasCustomFields ? unknown.filter((name) => name.startsWith('cf_')) : []
  if (unknownCustom.length > 0)
    throw new ApiError('UNKNOWN_CUSTOM_FIELD_FILTER', {
      details: { unknownParams: unknownCustom, suggestions: suggestionsFor(unknownCustom, [...custom]) },
    })
  if (unknown.length > 0) {
    const message = `Unknown query parameter: ${unknown.join(', ')}`
    throw new ApiError('UNKNOWN_QUERY_PARAM', {
      message,
      details: { unknownParams: unknown, acceptedParams: accepted, suggestions: suggestionsFor(unknown, accepted) },
    })
  }
  const repeated = Object.keys(sent).filter((name) => Array.isArray(sent[name]))
  if (repeated.length > 0) throw new ApiError('DUPLICATE_QUERY_PARAM', { details: { duplicatedParams: repeated } })
}

const ignoredNamesMax = 20

/** Reports ignored parameters in a header, because a lenient list treats a misspelled filter as absent. */
export function tellIgnored(reply: Exchange['reply'], names: readonly string[]): void {
  if (names.length === 0) return
  const before = reply.getHeader('x-ignored-params')
  const told = names.slice(0, ignoredNamesMax).map(encodeURIComponent)
  void reply.header('x-ignored-params', [...(before === undefined ? [] : [before]), ...told].join(', '))
}

function pick(sent: SentQuery, names: readonly string[]): Record<string, string> {
  const picked: Record<string, string> = {}
  for (const name of names) {
    if (!Object.hasOwn(sent, name)) continue
    const value = sent[name]
    const first = Array.isArray(value) ? value[0] : value
    if (first !== undefined) picked[name] = first
  }
  return picked
}
