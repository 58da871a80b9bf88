import type { RecordKindSchema } from '@crm/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { crm } from '../base/api.ts'
import { collectionOf } from './record-place.ts'

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

interface ResourceCalls {
  list(args: object): Promise<AnyPage>
  get(args: object): Promise<{ readonly data: AnyRecord }>
  create(args: object): Promise<{ readonly data: AnyRecord }>
  update(args: object): Promise<{ readonly data: AnyRecord }>
  delete(args: object): Promise<unknown>
}

/** The calls on records of one kind, whatever it is. */
export function callsOf(entityType: string) {
  const all = crm as unknown as Readonly<Record<string, ResourceCalls>>
  const calls = all[collectionOf(entityType)]
  const own = calls ?? all['customRecords']
  if (own === undefined) throw new Error(`The API has no records of the kind ${entityType}.`)
  // Records of custom entities lie below the key of theirs.
  const below = calls ? {} : { key: entityType.toLowerCase() }
  return {
    list: (query: Query, signal?: AbortSignal) => own.list({ params: below, query, signal }),
    get: async (id: string, query: Query = {}, signal?: AbortSignal) =>
      (await own.get({ params: { ...below, id }, query, signal })).data,
    create: async (body: object) => (await own.create({ params: below, body })).data,
    update: async (id: string, body: object) => (await own.update({ params: { ...below, id }, body })).data,
    remove: (id: string) => own.delete({ params: { ...below, id } }),
  }
}

/** The first records of a kind that a text finds. */
export function foundRecordsQuery(entityType: string, search: string) {
  return queryOptions({
    queryKey: [collectionOf(entityType), 'found', search],
    queryFn: ({ signal }) => callsOf(entityType).list({ search: search || undefined, ...firstOf(entityType) }, signal),
    placeholderData: keepPreviousData,
  })
}

const foundMax = 20
/** The kinds whose lists call the size of a page otherwise. */
const limited: readonly string[] = ['QUOTE', 'ORDER', 'INVOICE']

function firstOf(entityType: string): Query {
  return limited.includes(entityType) ? { limit: foundMax } : { pageSize: foundMax }
}

/** One record of any kind, to be named by others. */
export function anyRecordQuery(entityType: string, id: string) {
  return queryOptions({
    queryKey: [collectionOf(entityType), 'one', id],
    queryFn: ({ signal }) => callsOf(entityType).get(id, {}, signal),
    staleTime: 60_000,
  })
}

/** What a record is called: the fields that name it, else the first thing that is known of it. */
export function titleOf(kind: Pick<RecordKindSchema, 'titleFields' | 'noun'>, record: AnyRecord): string {
  const text = (field: string) => (typeof record[field] === 'string' ? record[field] : '')
  const named = kind.titleFields.map(text).filter(Boolean).join(' ')
  const known = [named, ...['companyName', 'email', 'phone', 'name'].map(text)].find(Boolean)
  return known ?? `${kind.noun.charAt(0).toUpperCase()}${kind.noun.slice(1)} without a name`
}

/** What came of a change to many records. */
export interface BulkAnswer {
  readonly matched: number
  readonly failed: number
  readonly results: readonly { readonly id: string; readonly status: 'OK' | 'ERROR'; readonly message?: string }[]
}

interface BulkCalls {
  bulkUpdate(args: object): Promise<{ readonly data: BulkAnswer | { readonly jobId: string } }>
  bulkDelete(args: object): Promise<{ readonly data: BulkAnswer | { readonly jobId: string } }>
}

/** The calls on many records of one kind; undefined where the API has none. */
export function bulkCallsOf(entityType: string) {
  const calls = (crm as unknown as Readonly<Record<string, BulkCalls>>)[collectionOf(entityType)]
  if (calls === undefined) throw new Error(`The API changes no many records of the kind ${entityType}.`)
  return {
    change: async (body: object) => (await calls.bulkUpdate({ body })).data,
    remove: async (body: object) => (await calls.bulkDelete({ body })).data,
  }
}
