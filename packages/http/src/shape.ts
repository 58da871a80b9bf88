import type { Shaped } from '@crm/contract'

/** The requested shape of an answer's records. */
export interface Shape {
  readonly shaped: Shaped
  /** The only fields to return; undefined for all. Custom ones begin with `cf_`. */
  readonly fields: ReadonlySet<string> | undefined
  /** The names under which ids are expanded. */
  readonly expand: readonly string[]
  readonly isCompact: boolean
}

type Fields = Record<string, unknown>

/**
 * Reads the names behind ids of a field; records that the caller may not see have none. The ids of links say the kind of their record
 * too, as `DEAL:<id>`.
 */
export type ReadNames = (field: string, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>

/** Shapes records of an answer in place. */
export async function shapeRecords(
  records: readonly Fields[],
  { shaped, fields, expand, isCompact }: Shape,
  readNames: ReadNames,
): Promise<void> {
  const expanded = await Promise.all(
    expand.map(async (name) => ({
      name,
      valueOf: await (name === linksField ? titledLinks : namesOf)(
        records,
        shaped.expandable[name] as string,
        readNames,
        isCompact,
      ),
    })),
  )
  for (const record of records) {
    const beside = expanded.map(({ name, valueOf }) => [name, valueOf(record)] as const)
    if (fields) keepOnly(record, fields)
    for (const [name, value] of beside) record[name] = value
    if (isCompact) dropEmpty(record)
  }
}

/** The field with the records that a task or an activity is for. */
const linksField = 'links'

interface ShownLink {
  readonly entityType: string
  readonly entityId: string
}

type ValueOf = (record: Fields) => unknown

/** Returns the links of records with the titles of the linked records; in a compact answer a link is its kind and title. */
async function titledLinks(
  records: readonly Fields[],
  field: string,
  readNames: ReadNames,
  isCompact: boolean,
): Promise<ValueOf> {
  const linksOf = (record: Fields) => (record[field] ?? []) as readonly ShownLink[]
  const keyOf = ({ entityType, entityId }: ShownLink) => `${entityType}:${entityId}`
  const keys = [...new Set(records.flatMap(linksOf).map(keyOf))]
  const titles = keys.length === 0 ? new Map<string, string>() : await readNames(field, keys)
  return (record) =>
    linksOf(record).flatMap((link) => {
      const title = titles.get(keyOf(link))
      if (title === undefined) return []
      return [isCompact ? `${link.entityType.toLowerCase()}: ${title}` : { ...link, title }]
    })
}

async function namesOf(
  records: readonly Fields[],
  field: string,
  readNames: ReadNames,
  isCompact: boolean,
): Promise<ValueOf> {
  const ids = [...new Set(records.flatMap((record) => (record[field] as string | null | undefined) ?? []))]
  const names = ids.length === 0 ? new Map<string, string>() : await readNames(field, ids)
  return (record) => {
    const id = record[field] as string | null | undefined
    const name = id ? names.get(id) : undefined
    if (!id || name === undefined) return null
    return isCompact ? name : { id, name }
  }
}

/** The members of records with values of custom fields; records of custom entities have all their values in one. */
const customMembers = ['customFields', 'values'] as const

function keepOnly(record: Fields, fields: ReadonlySet<string>): void {
  const custom = [...fields].filter((name) => name.startsWith('cf_')).map((name) => name.slice('cf_'.length))
  for (const key of Object.keys(record)) {
    if (key === 'id' || fields.has(key)) continue
    const isPartlyKept = custom.length > 0 && customMembers.some((member) => member === key)
    if (isPartlyKept)
      record[key] = Object.fromEntries(Object.entries(record[key] as Fields).filter(([name]) => custom.includes(name)))
    else delete record[key]
  }
}

/** Returns an answer without empty members, at every depth; the key of a group stays, because it may be empty. */
export function compacted(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(compacted)
  if (typeof answer !== 'object' || answer === null) return answer
  const members = Object.entries(answer).map(([key, value]) => [key, compacted(value)] as const)
  return Object.fromEntries(members.filter(([key, value]) => key === 'value' || !isEmpty(value)))
}

function dropEmpty(record: Fields): void {
  for (const [key, value] of Object.entries(record)) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) dropEmpty(value as Fields)
    if (isEmpty(value)) delete record[key]
  }
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true
  if (Array.isArray(value)) return value.length === 0
  return typeof value === 'object' && Object.keys(value).length === 0
}
