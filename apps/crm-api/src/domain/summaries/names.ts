import { namedPermissions, type DeclaredOperation } from '@crm/contract'
import { targetOf, type Target, type StagedEntity } from '@crm/model'
import { addressKey, isAnyOf, schema, type Executor, type RecordTable } from '@crm/db'
import { and, eq, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import { shownName } from '../../records/person-names.ts'
import { findRecords } from '../../records/owned/repository.ts'
import { readSeen, sightOf } from '../../kinds/in-sight.ts'
import { kindOf } from '../../kinds/kinds.ts'
import type { RecordLink } from '../../kinds/record-links.ts'

const { departments, employees, industries, leadSources, pipelines, productCategories, stages, taxRates, units } =
  schema

/** An object whose name everybody who sees a record may see. */
interface Named {
  readonly table: RecordTable
  readonly name: SQLWrapper
}

/** The objects whose names everybody may know who sees a record, by what the fields of records refer to. */
const named: Readonly<Partial<Record<Target, Named>>> = {
  EMPLOYEE: { table: employees, name: shownName },
  DEPARTMENT: { table: departments, name: departments.name },
  PIPELINE: { table: pipelines, name: pipelines.name },
  STAGE: { table: stages, name: stages.name },
  LEAD_SOURCE: { table: leadSources, name: leadSources.name },
  INDUSTRY: { table: industries, name: industries.name },
  PRODUCT_CATEGORY: { table: productCategories, name: productCategories.name },
  UNIT: { table: units, name: units.name },
  TAX_RATE: { table: taxRates, name: taxRates.name },
}

/** Whether the ids in a field of records belong to something with a name. */
export function hasNames(entityType: string, field: string): boolean {
  const target = targetOf(entityType, field)
  return target !== undefined && (target in named || kindOf(target) !== undefined)
}

type Reader = Pick<CrmContext, 'workspace' | 'caller' | 'scopeIfAllowed'>

/** Returns the entity type of the records that an operation shows; records above them have the same type. */
export function parentTypeOf({ operation: { access } }: DeclaredOperation): string {
  return namedPermissions(access)[0]?.replace(/^VIEW_/, '') ?? ''
}

/** Returns the names behind ids of one field of records of an entity type; records out of the caller's sight have none. */
export async function readNames(
  db: Executor,
  context: Reader,
  entityType: string,
  field: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (field === 'links') return readTitles(db, context, ids.map(linkNamed))
  const target = targetOf(entityType, field)
  const known = target && named[target]
  if (known) return readNamed(db, context, known, ids)
  const of = kindOf(target ?? '')
  const scope = of && sightOf(context, of.entityType)
  if (!scope) return new Map()
  const found = await findRecords(db, of, scope, ids)
  return new Map([...found].map(([id, row]) => [id, of.title(row)]))
}

/** Returns the titles of records that the caller may see, by `keyOf`. */
async function readTitles(
  db: Executor,
  context: Reader,
  links: readonly RecordLink[],
): Promise<ReadonlyMap<string, string>> {
  const seen = await readSeen(db, context, links)
  return new Map([...seen].map(([key, { kind, row }]) => [key, kind.title(row)]))
}

/** Returns the record that a key of `keyOf` names. */
function linkNamed(key: string): RecordLink {
  const [entityType = '', entityId = ''] = key.split(':')
  return { entityType, entityId }
}

/** Returns the objects of the workspace that have one of some names, by the name; ids and, of people, addresses are names too. */
export async function findNamed(
  db: Executor,
  { workspace }: Pick<CrmContext, 'workspace'>,
  target: Target,
  texts: readonly string[],
  entityType: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const known = named[target]
  if (!known || texts.length === 0) return new Map()
  const { table, name } = known
  const isSame = or(
    sql`crm_fold(${name}) = crm_fold(asked.text)`,
    sql`${table.id}::text = lower(asked.text)`,
    target === 'EMPLOYEE' ? sql`${addressKey(employees.email)} = ${addressKey(sql`asked.text`)}` : undefined,
  )
  const where = and(eq(table.workspaceId, workspace.id), isUsable(target, entityType))
  const { rows } = await db.execute<{ text: string; ids: string[] }>(sql`
    SELECT asked.text, (array_agg(DISTINCT ${table.id}))[1:2] AS ids
    FROM unnest(${sql.param([...texts])}::text[]) asked (text) JOIN ${table} ON ${isSame} WHERE ${where} GROUP BY 1`)
  return new Map(rows.map(({ text, ids }) => [text, ids]))
}

/** Whether records of a kind may get an object: people who are still here, and stages of their own pipelines. */
function isUsable(target: Target, entityType: string): SQL | undefined {
  if (target === 'EMPLOYEE') return sql`${employees.status} <> 'TERMINATED'`
  if (target === 'PIPELINE') return eq(pipelines.entityType, entityType as StagedEntity)
  return target === 'STAGE'
    ? sql`EXISTS (SELECT FROM ${pipelines} WHERE ${pipelines.workspaceId} = ${stages.workspaceId} AND ${pipelines.id} = ${stages.pipelineId} AND ${pipelines.entityType} = ${entityType})`
    : undefined
}

async function readNamed(
  db: Executor,
  { workspace }: Reader,
  { table, name }: Named,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const where = and(eq(table.workspaceId, workspace.id), isAnyOf(table.id, ids)) as SQL
  const { rows } = await db.execute<{ id: string; name: string }>(
    sql`SELECT ${table.id} AS id, ${name} AS name FROM ${table} WHERE ${where}`,
  )
  return new Map(rows.map((row) => [row.id, row.name]))
}
