import { id as uuid, search, searchTypes, success, type ResultInFull } from '@crm/contract'
import { implement, type CrmContext } from '../../platform/context.ts'
import { readCounts, type CountsByType } from './search.counts.ts'
import { folded } from './search.folding.ts'
import type { Hit, Searchable } from './searchable.ts'
import { searchablesFor } from './search.kinds.ts'
import { readSought, type Sought } from './search.matches.ts'

export const implementedSearch = implement(search, {
  find: async ({ query }, context) => {
    const known = searchablesFor(context)
    const types = query.types ?? Object.keys(known)
    const unknown = types.find((type) => !Object.hasOwn(known, type) && !isSearchType(type))
    if (unknown) throw context.refuse('INVALID_QUERY_PARAM', { details: { param: 'types', message: `There is no type ${unknown}` } })
    const [counts, sought] = await Promise.all([countsOf(context, types.map((type) => known[type])), readSought(context.db, query.q)])
    const found = await Promise.all(types.map((type) => findOfType(context, known[type], type, { sought, limit: query.limit, counts })))
    const results = found.flat().sort((a, b) => b.score - a.score)
    return { results: results.slice(0, query.limit) }
  },

  read: async ({ params }, context) => {
    const [type = '', id = ''] = params.id.split(':')
    const known = searchablesFor(context)
    const searchable = uuid.safeParse(id).success && Object.hasOwn(known, type) ? known[type] : undefined
    const hit = await searchable?.read(context, id)
    if (!hit || !searchable) throw context.refuse('NOT_FOUND', { message: 'There is no such record' })
    return success({ id: params.id, type, title: hit.title, url: urlOf(context, searchable.path, id), record: hit.record } as ResultInFull)
  },
})

function isSearchType(type: string): boolean {
  return (searchTypes as readonly string[]).includes(type)
}

interface Asked {
  readonly sought: Sought
  readonly limit: number
  readonly counts: CountsByType
}

/** How many records there are of all that is searched. */
function countsOf(context: CrmContext, searched: readonly (Searchable | undefined)[]): Promise<CountsByType> {
  return readCounts(context.db, context.workspace.id, new Map(searched.flatMap((searchable) => searchable?.counted?.(context) ?? [])))
}

async function findOfType(context: CrmContext, searchable: Searchable | undefined, type: string, { sought, limit, counts }: Asked) {
  const hits = searchable ? await searchable.find(context, sought, limit, counts) : []
  return hits.map((hit) => ({ ...hit, id: `${type}:${hit.id}`, type, url: urlOf(context, searchable?.path ?? '', hit.id), score: scoreOf(hit, sought.text) }))
}

function urlOf({ workspace }: CrmContext, path: string, id: string): string {
  return `${workspace.baseUrl}/${path}/${id}`
}

/** How well a hit fits: the title as a whole, its beginning, a part of it, or only something else of the record. */
function scoreOf({ title }: Hit, text: string): number {
  const wanted = folded(text.trim())
  const name = folded(title)
  if (name === wanted) return 1
  if (name.startsWith(wanted)) return 0.9
  return name.includes(wanted) ? 0.7 : 0.5
}
