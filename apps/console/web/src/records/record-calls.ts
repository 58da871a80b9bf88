import { kindOf } from '@crm/model'
import type { RecordKindSchema } from '@crm/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { beside, crm } from '../base/api.ts'
import { inOwnDays } from '../base/moments.ts'
import { draftOf, nounOfKnown } from './kind-words.ts'
import { collectionOf } from './record-place.ts'
import { capitalized, t } from '../base/texts.ts'

/** A record of any kind, as the API shows it. */
export interface AnyRecord {
  readonly id: string
  readonly version: number
  readonly [field: string]: unknown
}

/** A page of records of any kind. */
export interface AnyPage {
  readonly items: readonly AnyRecord[]
  readonly total: number
}

type Query = Readonly<Record<string, string | number | undefined>>

/** A record after a change, and the id by which that is undone. */
export interface Changed {
  readonly data: AnyRecord
  readonly undoId: string | null
}

interface AlikeAnswer {
  readonly items: readonly Readonly<Record<string, unknown>>[]
  /** People who are known as contacts, beside the leads that a new one would repeat. */
  readonly contacts?: readonly { readonly id: string; readonly name: string }[]
}

/** Records that look alike, under the name of their kind, with what is alike in them. */
interface GroupAnswer {
  readonly by: string
  readonly value: string
  readonly count: number
  readonly [many: string]: unknown
}

interface GroupsAnswer {
  readonly items: readonly GroupAnswer[]
  readonly total: number
  readonly pageSize: number
}

interface ResourceCalls {
  list(args: object): Promise<AnyPage>
  get(args: object): Promise<{ readonly data: AnyRecord }>
  create(args: object): Promise<{ readonly data: AnyRecord }>
  update(args: object): Promise<Changed>
  delete(args: object): Promise<{ readonly undoId: string | null }>
  merge(args: object): Promise<{ readonly data: AnyRecord; readonly undoId: string | null }>
  duplicates(args: object): Promise<GroupsAnswer>
  duplicatesOf(args: object): Promise<AlikeAnswer>
  duplicatesOfNew(args: object): Promise<AlikeAnswer>
}

/** Returns the API's calls for one record kind, by a client of it. */
export function callsOf(entityType: string, client: typeof crm = crm) {
  const all = client as unknown as Readonly<Record<string, ResourceCalls>>
  const calls = all[collectionOf(entityType)]
  const own = calls ?? all['customRecords']
  if (own === undefined) throw new Error(`The API has no records of the kind ${entityType}.`)
  // The paths of custom records contain the key of their entity.
  const below = calls ? {} : { key: entityType.toLowerCase() }
  return {
    list: (query: Query, signal?: AbortSignal) => own.list({ params: below, query: inOwnDays(query), signal }),
    get: async (id: string, query: Query = {}, signal?: AbortSignal) =>
      (await own.get({ params: { ...below, id }, query, signal })).data,
    create: async (body: object) => (await own.create({ params: below, body })).data,
    update: (id: string, body: object) => own.update({ params: { ...below, id }, body }),
    remove: async (id: string) => (await own.delete({ params: { ...below, id } })).undoId,
    merge: async (id: string, body: object) => (await own.merge({ params: { id }, body })).undoId,
    duplicates: (query: Query, signal?: AbortSignal) => own.duplicates({ query, signal }),
    duplicatesOf: (id: string, signal?: AbortSignal) => own.duplicatesOf({ params: { id }, signal }),
    duplicatesOfNew: (body: object, signal?: AbortSignal) => own.duplicatesOfNew({ body, signal }),
  }
}

/** Reads the first records of a kind that match a text. */
export function foundRecordsQuery(entityType: string, search: string) {
  return queryOptions({
    queryKey: [collectionOf(entityType), 'found', search],
    queryFn: ({ signal }) =>
      callsOf(entityType).list({ search: search || undefined, ...firstRecords(entityType, foundMax) }, signal),
    placeholderData: keepPreviousData,
  })
}

const foundMax = 20
/** The kinds whose lists have another name for the page size. */
const limited: readonly string[] = ['QUOTE', 'INVOICE']

/** Returns the parameter with which a list answers so many records. */
export function firstRecords(entityType: string, count: number): Query {
  return limited.includes(entityType) ? { limit: count } : { pageSize: count }
}

/** Reads the records that look like one, the most alike first. */
export function alikeQuery(entityType: string, id: string) {
  return queryOptions({
    queryKey: [collectionOf(entityType), 'alike', id],
    queryFn: async ({ signal }) => (await callsOf(entityType).duplicatesOf(id, signal)).items.map(recordOfAlike),
  })
}

/** What a new record may repeat. */
export interface Likely {
  readonly records: readonly AnyRecord[]
  readonly contacts: readonly { readonly id: string; readonly name: string }[]
}

/**
 * Reads the records that a new one would duplicate, the likeliest first, by the JSON of what is typed so far. While the next
 * ones are read, those before them stay.
 */
export function likelyQuery(entityType: string, typed: string) {
  return queryOptions({
    // A new record is no duplicate of itself: what is made does not refresh the answer.
    queryKey: ['likely duplicates', entityType, typed],
    queryFn: async ({ signal }): Promise<Likely> => {
      const { items, contacts = [] } = await callsOf(entityType).duplicatesOfNew(JSON.parse(typed) as object, signal)
      return { records: items.map(recordOfAlike), contacts }
    },
    placeholderData: keepPreviousData,
    // What cannot be compared is told by the form when it is sent.
    retry: false,
  })
}

/** A record that looks like another one stands beside its score, under the noun of its kind. */
function recordOfAlike(item: Readonly<Record<string, unknown>>): AnyRecord {
  return Object.values(item).find((value) => typeof value === 'object' && value !== null && 'id' in value) as AnyRecord
}

/** Reads one record of any kind. */
export function recordQuery(entityType: string, id: string) {
  return queryOptions({
    queryKey: [collectionOf(entityType), 'one', id],
    queryFn: ({ signal }) => callsOf(entityType).get(id, {}, signal),
  })
}

/** Reads one record of any kind, for its name on other pages. */
export function anyRecordQuery(entityType: string, id: string) {
  return queryOptions({
    ...recordQuery(entityType, id),
    queryFn: ({ signal }) => callsOf(entityType, beside.crm).get(id, {}, signal),
    staleTime: 60_000,
  })
}

/** Returns the title of a record: the fields that name it, otherwise its first known value. */
export function titleOf(kind: Pick<RecordKindSchema, 'key' | 'titleFields' | 'noun'>, record: AnyRecord): string {
  const text = (field: string) => (typeof record[field] === 'string' ? record[field] : '')
  const named = kind.titleFields.map(text).filter(Boolean).join(' ')
  const draft = draftOf(kind.key)
  if (named === '' && draft !== undefined) return draft
  const known = [named, ...['companyName', 'email', 'phone', 'name'].map(text)].find(Boolean)
  return known ?? t('{noun} without a name', { noun: capitalized(kind.noun) })
}

/** Returns the title of a record of a kind that every workspace has. */
export function titleOfKnown(entityType: string, record: AnyRecord): string {
  const { title = [], noun = '' } = kindOf(entityType) ?? {}
  return titleOf({ key: entityType, titleFields: [...title], noun: nounOfKnown(entityType) ?? noun }, record)
}

/** Returns what tells a record from others of the same title: an address, a number or a domain; null when nothing does. */
export function distinctionOf(kind: Parameters<typeof titleOf>[0], record: AnyRecord): string | null {
  const known = ['email', 'phone', 'domain'].map((key) => record[key]).find((value) => typeof value === 'string')
  return typeof known === 'string' && known !== titleOf(kind, record) ? known : null
}

/** Names a record with what tells it from others of the same name. */
export function labelOf(kind: Parameters<typeof titleOf>[0], record: AnyRecord): string {
  return [titleOf(kind, record), distinctionOf(kind, record)].filter(Boolean).join(' · ')
}

/** The outcome of a change to many records. */
export interface BulkAnswer {
  readonly matched: number
  readonly failed: number
  /** Undoes the change for ten minutes; null when nothing was changed. */
  readonly undoId: string | null
  readonly results: readonly {
    readonly id: string
    readonly status: 'OK' | 'ERROR'
    readonly code?: string
    readonly message?: string
  }[]
}

interface BulkCalls {
  bulkUpdate(args: object): Promise<{ readonly data: BulkAnswer | { readonly jobId: string } }>
  bulkDelete(args: object): Promise<{ readonly data: BulkAnswer | { readonly jobId: string } }>
}

/** Returns the API's bulk calls for one kind; undefined if there are none. */
export function bulkCallsOf(entityType: string) {
  const calls = (crm as unknown as Readonly<Record<string, BulkCalls>>)[collectionOf(entityType)]
  if (calls === undefined) throw new Error(`The API changes no many records of the kind ${entityType}.`)
  return {
    change: async (body: object) => (await calls.bulkUpdate({ body })).data,
    remove: async (body: object) => (await calls.bulkDelete({ body })).data,
  }
}
