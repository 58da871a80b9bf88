import { id as uuid, own, search, searchTypes, success, type ResultInFull } from '@crm/contract'
import { implement, type CrmContext } from '../../platform/context.ts'
import { readNames } from '../../domain/summaries/names.ts'
import { Folding } from '../../records/folding.ts'
import { searchablesFor } from './search.kinds.ts'
import type { Asked } from './search.matches.ts'
import { guessOf, nearnessOf } from './search.near.ts'
import type { Hit, Searchable } from './searchable.ts'

/** The time after which a search ends, in milliseconds; the results found by then are answered. */
const withinMs = 500
/** With fewer results than these, titles are searched for similar words, within the time limit below. */
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
    const folding = new Folding(context.db)
    await folding.learn([text, found.map(({ hits }) => hits.map(({ title }) => title))])
    const wanted = folding.fold(text.trim()).text
    const exact = found
      .flatMap(({ type, searchable, hits }) =>
        hits.map((hit) => ({
          ...toResult(context, type, searchable, hit),
          score: scoreOf(folding.fold(hit.title).text, wanted),
        })),
      )
      .toSorted((a, b) => b.score - a.score)
      .slice(0, limit)
    if (found.some(({ isPartial }) => isPartial))
      return { results: await withCompanies(context, exact), partial: true as const }
    if (exact.length >= fewResults) return { results: await withCompanies(context, exact) }
    const { guessed, isPartial } = await guessResults(searched, {
      ...asked,
      until: begun + (context.deps.searchMs ?? guessWithinMs),
    })
    const approximate = guessed.filter(({ id }) => exact.every((one) => one.id !== id))
    return {
      results: await withCompanies(context, [
        ...exact,
        ...approximate.slice(0, Math.min(guessedMax, limit - exact.length)),
      ]),
      ...(isPartial ? { partial: true as const } : {}),
    }
  },

  read: async ({ params }, context) => {
    const [type = '', id = ''] = params.id.split(':')
    const known = searchablesFor(context)
    const searchable = uuid.safeParse(id).success ? own(known, type) : undefined
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

function toResult(context: CrmContext, type: string, { path }: Searchable, { id, title, snippet, ...hit }: Hit) {
  return { id: `${type}:${id}`, type, title, snippet, ...hit, url: urlOf(context, path, id) }
}

/** Names the companies of results, as far as the caller sees them. */
async function withCompanies<Result extends Pick<Hit, 'context'>>(context: CrmContext, results: readonly Result[]) {
  const ids = new Set(results.flatMap(({ context: { companyId } = {} }) => companyId ?? []))
  const names =
    ids.size === 0 ? new Map<string, string>() : await readNames(context.db, context, 'CONTACT', 'companyId', [...ids])
  return results.map((result) => {
    if (result.context === undefined) return result
    const { companyId, ...others } = result.context
    const company = companyId === undefined ? undefined : names.get(companyId)
    return { ...result, context: company === undefined ? others : { company, ...others } }
  })
}

function urlOf({ workspace }: CrmContext, path: string, id: string): string {
  return `${workspace.baseUrl}/${path}/${id}`
}

/** Returns possible results for a misspelled text, the nearest first, and whether the search in a type took too long. */
async function guessResults(searched: readonly (readonly [type: string, searchable: Searchable])[], asked: Asked) {
  const guess = guessOf(asked.text)
  if (!guess) return { guessed: [], isPartial: false }
  const ofTypes = await Promise.all(
    searched.map(
      async ([type, searchable]) =>
        (await searchable.guess(asked, guess))?.map((hit) => toResult(asked.context, type, searchable, hit)) ?? null,
    ),
  )
  const results = ofTypes.flatMap((ofType) => ofType ?? [])
  const nearness = await nearnessOf(
    asked.context.db,
    guess,
    results.map(({ title }) => title),
  )
  const guessed = results
    .flatMap((result, at) =>
      nearness[at] ? [{ ...result, score: nearness[at] * guessedScore, approximate: true as const }] : [],
    )
    .toSorted((a, b) => b.score - a.score)
  return { guessed, isPartial: ofTypes.includes(null) }
}

/** The score of the nearest possible guess: less than the score of any exact result. */
const guessedScore = 0.4

/** Returns how well a folded title fits: the whole of it, its beginning, a part of it, or only other fields of the record. */
function scoreOf(name: string, wanted: string): number {
  if (name === wanted) return 1
  if (name.startsWith(wanted)) return 0.9
  return name.includes(wanted) ? 0.7 : 0.5
}
