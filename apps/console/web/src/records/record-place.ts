import { kindOf, kinds, resourceName, type entitiesWith, type Kind } from '@crm/model'
import { customPathOf, customTypeAt } from './custom-paths.ts'
import { nounOfKnown } from './kind-words.ts'
import { otherNouns } from './other-nouns.ts'

/** A record with comments, activities, files and a history. */
export interface RecordPlace {
  /** The entity type as in permissions, or that of a custom entity. */
  readonly entityType: string
  readonly entityId: string
}

/** Returns the first key of all queries about records of a kind; a change of such a record makes them stale. */
export function collectionOf(entityType: string): string {
  const { stem } = kindOf(entityType) ?? {}
  return stem === undefined ? `records:${entityType}` : resourceName(stem)
}

/** Returns the noun for a record of a kind. */
export function nounOf(entityType: string): string {
  return nounOfKnown(entityType) ?? otherNouns[entityType] ?? entityType.replaceAll('_', ' ').toLowerCase()
}

const stems: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values<Kind>(kinds).map(({ entity, stem, page = stem }) => [entity, page]),
)

/** The pages of what is no kind of record. */
const others = { FILE: '/files/$id', EMPLOYEE: '/people/$id', DEPARTMENT: '/departments/$id' } as const

/** Returns the address of a record's page, for any kind. */
export function addressOf({ entityType, entityId: id }: RecordPlace) {
  const other = Object.entries(others).find(([kind]) => kind === entityType)?.[1]
  if (other !== undefined) return { to: other, params: { id } } as const
  const stem = stems[entityType] ?? customPathOf(entityType)
  if (stem !== undefined) return { to: '/$stem/$id', params: { stem, id } } as const
  return { to: '/records/$key/$id', params: { key: entityType.toLowerCase(), id } } as const
}

/** Returns the path of the list of a kind. */
export function listOf(entityType: string): string {
  return pathOf({ entityType, entityId: '' }).replace(/\/$/, '')
}

/** Returns the page on which records of a kind are written; undefined for kinds with a form. */
export function writingPageOf(entityType: string) {
  return kindOf(entityType)?.numbered ? (`${listOf(entityType)}/new` as `/${NumberedStem}/new`) : undefined
}
type NumberedStem = (typeof kinds)[ReturnType<typeof entitiesWith<'numbered'>>[number]]['stem']

/** Whether records of a built-in kind have a page. */
export function hasPage(entityType: string): boolean {
  return Object.hasOwn(stems, entityType) || Object.hasOwn(others, entityType)
}

/** Returns the kind of the list at a path; undefined for other pages. */
export function kindAt(path: string): string | undefined {
  const own =
    Object.entries(stems).find(([, stem]) => path === `/${stem}`)?.[0] ??
    Object.entries(others).find(([, page]) => page === `${path}/$id`)?.[0]
  const [, key] = /^\/records\/([^/]+)$/.exec(path) ?? []
  return own ?? key?.toUpperCase() ?? customTypeAt(path.slice(1))
}

/** Returns the same address as a path. */
export function pathOf(record: RecordPlace): string {
  const { to, params } = addressOf(record)
  return Object.entries(params).reduce((path, [name, value]) => path.replace(`$${name}`, value), to as string)
}
