import { id as uuid, search, success, type SearchType } from '@crm/contract'
import { schema, visible, type Scope } from '@crm/db'
import { and, desc, isNull } from 'drizzle-orm'
import { implement, type CrmContext } from '../../context.ts'
import { searchCondition } from '../../records/search-terms.ts'
import { findRecord } from '../../records/owned/repository.ts'
import { leadKind, leadTitle, type LeadRow } from '../leads/leads.record.ts'

/** One kind of record as search finds and reads it. */
interface Searchable {
  find(context: CrmContext, scope: Scope, text: string, limit: number): Promise<readonly Hit[]>
  read(context: CrmContext, scope: Scope, id: string): Promise<(Hit & { readonly record: Record<string, unknown> }) | null>
}

interface Hit {
  readonly id: string
  readonly title: string
  readonly snippet: string
}

const leadsSearch: Searchable = {
  find: async ({ db }, scope, text, limit) => {
    const { leads } = schema
    const columns = { id: leads.id, firstName: leads.firstName, lastName: leads.lastName, companyName: leads.companyName, email: leads.email, phone: leads.phone, createdAt: leads.createdAt }
    const hits = db.$with('hits').as(db.select(columns).from(leads).where(and(visible(scope, leads), isNull(leads.deletedAt), searchCondition(text, leads.searchText))).offset(0))
    const rows = await db.with(hits).select().from(hits).orderBy(desc(hits.createdAt)).limit(limit)
    return rows.map(toHit)
  },
  read: async ({ db }, scope, id) => {
    const lead = await findRecord(db, leadKind, scope, id)
    return lead ? { ...toHit(lead), record: { ...lead } } : null
  },
}

function toHit(lead: Pick<LeadRow, 'id' | 'firstName' | 'lastName' | 'companyName' | 'email' | 'phone'>): Hit {
  return { id: lead.id, title: leadTitle(lead), snippet: [lead.companyName, lead.email, lead.phone].filter(Boolean).join(' · ') }
}

const kinds: Record<SearchType, { readonly entityType: 'LEAD'; readonly path: string; readonly searchable: Searchable }> = {
  lead: { entityType: 'LEAD', path: 'leads', searchable: leadsSearch },
}

export const implementedSearch = implement(search, {
  find: async ({ query }, context) => {
    const types = query.types ?? (Object.keys(kinds) as SearchType[])
    const found = await Promise.all(types.map((type) => findOfType(context, type, query.q, query.limit)))
    const results = found.flat().sort((a, b) => b.score - a.score)
    return { results: results.slice(0, query.limit) }
  },

  read: async ({ params }, context) => {
    const [type, id] = params.id.split(':') as [SearchType, string]
    const kind = uuid.safeParse(id).success ? kinds[type] : undefined
    const scope = kind && context.scopeIfAllowed(kind.entityType)
    const hit = scope && (await kind.searchable.read(context, scope, id))
    if (!hit) throw context.refuse('NOT_FOUND', { message: 'There is no such record' })
    return success({ id: params.id, type, title: hit.title, url: urlOf(context, kind.path, id), record: hit.record })
  },
})

async function findOfType(context: CrmContext, type: SearchType, text: string, limit: number) {
  const { entityType, path, searchable } = kinds[type]
  const scope = context.scopeIfAllowed(entityType)
  if (!scope) return []
  const hits = await searchable.find(context, scope, text, limit)
  return hits.map((hit) => ({ ...hit, id: `${type}:${hit.id}`, type, url: urlOf(context, path, hit.id), score: scoreOf(hit, text) }))
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
