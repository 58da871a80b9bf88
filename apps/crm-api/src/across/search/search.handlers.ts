import { id as uuid, search, searchTypes, success, type ResultInFull } from '@crm/contract'
import { implement, type CrmContext } from '../../platform/context.ts'
import { folded } from './search.folding.ts'
import { searchablesFor } from './search.kinds.ts'
import type { Asked } from './search.matches.ts'
import { guessOf, nearnessOf } from './search.near.ts'
import type { Hit, Searchable } from './searchable.ts'

/** How long after its beginning a search ends; what was found by then is answered. */
const withinMs = 500
/** With fewer results than these, titles are searched for what may be misspelled; what takes longer than so is left out. */
const fewResults = 3
const guessWithinMs = 150
const guessedMax = 10

export const implementedSearch = implement(search, {
  find: async ({ query: { q: text, limit, types } }, context) => {
    const known = searchablesFor(context)
    const unknown = types?.find((type) => !Object.hasOwn(known, type) && !isSearchType(type))
    if (unknown)
      throw context.refuse('INVALID_QUERY_PARAM', {
        details: { param: 'types', message: `There is no type ${unknown}` },
      })
    const searched = Object.entries(known).filter(([type]) => types?.includes(type) ?? true)
    const begun = performance.now()
    const asked = { context, text, limit, until: begun + (context.deps.searchMs ?? withinMs) }
    const found = await Promise.all(
      searched.map(async ([type, searchable]) => ({ type, searchable, ...(await searchable.find(asked)) })),
    )
    const exact = found
      .flatMap(({ type, searchable, hits }) =>
        hits.map((hit) => ({ ...toResult(context, type, searchable, hit), score: scoreOf(hit, text) })),
      )
      .toSorted((a, b) => b.score - a.score)
      .slice(0, limit)
    if (found.some(({ isPartial }) => isPartial)) return { results: exact, partial: true as const }
    if (exact.length >= fewResults) return { results: exact }
    const guessed = await guessResults(searched, { ...asked, until: begun + guessWithinMs })
    const approximate = guessed.filter(({ id }) => exact.every((one) => one.id !== id))
    return { results: [...exact, ...approximate.slice(0, Math.min(guessedMax, limit - exact.length))] }
  },

  read: async ({ params }, context) => {
    const [type = '', id = ''] = params.id.split(':')
    const known = searchablesFor(context)
    const searchable = uuid.safeParse(id).success && Object.hasOwn(known, type) ? known[type] : undefined
    const hit = await searchable?.read(context, id)
    if (!hit || !searchable) throw context.refuse('NOT_FOUND', { message: 'There is no such record' })
    return success({
      id: params.id,
      type,
      title: hit.title,
      url: urlOf(context, searchable.path, id),
      record: hit.record,
    } as ResultInFull)
  },
})

function isSearchType(type: string): boolean {
  return (searchTypes as readonly string[]).includes(type)
}

function toResult(context: CrmContext, type: string, { path }: Searchable, { id, title, snippet }: Hit) {
  return { id: `${type}:${id}`, type, title, snippet, url: urlOf(context, path, id) }
}

function urlOf({ workspace }: CrmContext, path: string, id: string): string {
  return `${workspace.baseUrl}/${path}/${id}`
}

/** What may be meant by a text that is misspelled, the nearest first; nothing when it takes too long to find. */
async function guessResults(searched: readonly (readonly [type: string, searchable: Searchable])[], asked: Asked) {
  const guess = guessOf(asked.text)
  if (!guess) return []
  const guessed = await Promise.all(
    searched.map(
      async ([type, searchable]) =>
        (await searchable.guess(asked, guess))?.map((hit) => toResult(asked.context, type, searchable, hit)) ?? null,
    ),
  )
  if (guessed.includes(null)) return []
  const results = guessed.flatMap((ofType) => ofType ?? [])
  const nearness = await nearnessOf(
    asked.context.db,
    guess,
    results.map(({ title }) => title),
  )
  return results
    .flatMap((result, at) =>
      nearness[at] ? [{ ...result, score: nearness[at] * guessedScore, approximate: true as const }] : [],
    )
    .toSorted((a, b) => b.score - a.score)
}

/** The score of a guess that is as near as can be: less than any exact result has. */
const guessedScore = 0.4

/** How well a hit fits: the title as a whole, its beginning, a part of it, or only something else of the record. */
function scoreOf({ title }: Hit, text: string): number {
  const wanted = folded(text.trim())
  const name = folded(title)
  if (name === wanted) return 1
  if (name.startsWith(wanted)) return 0.9
  return name.includes(wanted) ? 0.7 : 0.5
}
