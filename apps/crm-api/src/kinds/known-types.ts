import { commentedEntities } from '@crm/contract'
import { invalidQueryParam, suggestionsFor } from '@crm/errors'
import type { CrmContext } from '../platform/context.ts'
import { recallCustomEntities } from '../records/custom-kinds.ts'

/** Refuses unknown entity types in `types`; a type that the caller may not see is known, unless it is a custom entity. */
export async function requireKnownTypes(context: CrmContext, types: readonly string[] | undefined): Promise<void> {
  if (!types) return
  const own = (await recallCustomEntities(context.db, context)).map(({ entityType }) => entityType)
  const known: readonly string[] = [...commentedEntities, ...own.filter((type) => context.scopeIfAllowed(type))]
  const unknown = types.find((type) => !known.includes(type))
  if (unknown !== undefined)
    throw invalidQueryParam('types', `There is no entity type ${unknown}`, suggestionsFor([unknown], known))
}
