import { id as uuid, search, success, type SearchType } from '@crm/contract'
import { implement, type CrmContext } from '../../context.ts'
import { searchables, type Hit } from './search.kinds.ts'

export const implementedSearch = implement(search, {
  find: async ({ query }, context) => {
    const types = query.types ?? (Object.keys(searchables) as SearchType[])
    const found = await Promise.all(types.map((type) => findOfType(context, type, query.q, query.limit)))
    const results = found.flat().sort((a, b) => b.score - a.score)
    return { results: results.slice(0, query.limit) }
  },

  read: async ({ params }, context) => {
    const [type, id] = params.id.split(':') as [SearchType, string]
    const searchable = uuid.safeParse(id).success ? searchables[type] : undefined
    const scope = searchable && context.scopeIfAllowed(searchable.entityType)
    const hit = scope && (await searchable.read(context.db, scope, id))
    if (!hit) throw context.refuse('NOT_FOUND', { message: 'There is no such record' })
    return success({ id: params.id, type, title: hit.title, url: urlOf(context, searchable.path, id), record: { ...hit.record } })
  },
})

async function findOfType(context: CrmContext, type: SearchType, text: string, limit: number) {
  const searchable = searchables[type]
  const scope = searchable && context.scopeIfAllowed(searchable.entityType)
  if (!scope) return []
  const hits = await searchable.find(context.db, scope, text, limit)
  return hits.map((hit) => ({ ...hit, id: `${type}:${hit.id}`, type, url: urlOf(context, searchable.path, hit.id), score: scoreOf(hit, text) }))
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

/** Without case and accents, near enough to the database's folding to tell how well a title fits. */
function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
