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

/** Reads the names behind ids of a field; records that the caller may not see have none. */
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
      namesOf: await namesOf(records, shaped.expandable[name] as string, readNames),
    })),
  )
  for (const record of records) {
    const beside = expanded.map(({ name, namesOf: nameOf }) => [name, nameOf(record)] as const)
    if (fields) keepOnly(record, fields)
    for (const [name, value] of beside) record[name] = isCompact ? value?.name : value
    if (isCompact) dropEmpty(record)
  }
}

interface NamedRecord {
  readonly id: string
  readonly name: string
}

async function namesOf(
  records: readonly Fields[],
  field: string,
  readNames: ReadNames,
): Promise<(record: Fields) => NamedRecord | null> {
  const ids = [...new Set(records.flatMap((record) => (record[field] as string | null | undefined) ?? []))]
  const names = ids.length === 0 ? new Map<string, string>() : await readNames(field, ids)
  return (record) => {
    const id = record[field] as string | null | undefined
    const name = id ? names.get(id) : undefined
    return id && name !== undefined ? { id, name } : null
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
