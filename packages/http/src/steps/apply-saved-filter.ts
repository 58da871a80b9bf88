import { tellIgnored } from './query-policy.ts'
import { id } from '@crm/contract'
import { invalidQueryParam, type ApiError } from '@crm/errors'
import type { Step } from '../exchange.ts'

/** Replaces `savedFilterId` by the parameters saved under it; parameters of the request override them. */
export const applySavedFilter: Step = async ({ declared, recognition, input, request, reply }, ports) => {
  const sent = input.query as Readonly<Record<string, string>>
  const { workspace, caller } = recognition
  const { savedFilterId } = sent
  const { query } = declared.operation
  // The validation of the query refuses a malformed id.
  if (
    !query ||
    !('savedFilterId' in query.shape) ||
    !ports.savedQuery ||
    !workspace ||
    !caller ||
    savedFilterId === nilId ||
    !id.safeParse(savedFilterId).success
  )
    return
  const path = (request.params ?? {}) as { readonly key?: string }
  const saved = await ports.savedQuery(workspace, caller, declared, savedFilterId as string, path)
  if (!saved) throw unusable('There is no such saved filter for this list')
  const custom = await ports.customFieldParams?.(workspace, saved.entityType)
  const known = Object.entries(saved.params).filter(([name]) => name in query.shape && !notSaved.includes(name))
  const knownCustom = Object.entries(saved.params).filter(([name]) => name.startsWith('cf_'))
  // Between two reads a field may go.
  const there = knownCustom.filter(([name]) => custom?.has(name))
  tellIgnored(reply, [...(saved.gone ?? []), ...knownCustom.flatMap(([name]) => (custom?.has(name) ? [] : [name]))])
  input.query = { ...Object.fromEntries(known), ...sent }
  input.customFieldFilters = new Map([...there, ...input.customFieldFilters])
}

/** The id of nothing (RFC 9562 5.9). */
const nilId = '00000000-0000-0000-0000-000000000000'

const notSaved: readonly string[] = ['page', 'pageSize', 'savedFilterId']

function unusable(message: string): ApiError {
  return invalidQueryParam('savedFilterId', message)
}
