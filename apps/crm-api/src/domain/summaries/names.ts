import { namedPermissions, type DeclaredOperation } from '@crm/contract'
import { isAnyOf, schema, type Executor, type RecordTable } from '@crm/db'
import { and, eq, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import { shownName } from '../../records/person-names.ts'
import { findRecords } from '../../records/owned/repository.ts'
import { sightOf } from '../../kinds/in-sight.ts'
import { kindOf } from '../../kinds/kinds.ts'

const { departments, employees, industries, leadSources, pipelines, productCategories, stages, taxRates, units } =
  schema

/** An object whose name everybody who sees a record may see. */
interface Named {
  readonly table: RecordTable
  readonly name: SQLWrapper
}

const person: Named = { table: employees, name: shownName }

/** The objects behind ids whose names everybody may know, by the field that holds the ids. */
const named: Readonly<Record<string, Named>> = {
  ownerId: person,
  createdById: person,
  assigneeId: person,
  memberIds: person,
  departmentId: { table: departments, name: departments.name },
  pipelineId: { table: pipelines, name: pipelines.name },
  stageId: { table: stages, name: stages.name },
  sourceId: { table: leadSources, name: leadSources.name },
  industryId: { table: industries, name: industries.name },
  categoryId: { table: productCategories, name: productCategories.name },
  unitId: { table: units, name: units.name },
  taxRateId: { table: taxRates, name: taxRates.name },
}

/** The records behind ids whose names only some people may see, by the field that holds the ids. */
const recordFields: Readonly<Record<string, string>> = {
  contactId: 'CONTACT',
  companyId: 'COMPANY',
  companyIds: 'COMPANY',
  leadId: 'LEAD',
  dealId: 'DEAL',
  projectId: 'PROJECT',
  parentTaskId: 'TASK',
  quoteId: 'QUOTE',
  orderId: 'ORDER',
  invoiceId: 'INVOICE',
}

/** The field that refers to a record of the same kind. */
const parentField = 'parentId'

/** Whether the ids of a field belong to something with a name. */
export function hasNames(field: string): boolean {
  return Object.hasOwn(named, field) || Object.hasOwn(recordFields, field) || field === parentField
}

type Reader = Pick<CrmContext, 'workspace' | 'scopeIfAllowed'>

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
  const known = named[field]
  if (known) return readNamed(db, context, known, ids)
  const of = kindOf(field === parentField ? entityType : (recordFields[field] ?? ''))
  const scope = of && sightOf(context, of.entityType)
  if (!scope) return new Map()
  const found = await findRecords(db, of, scope, ids)
  return new Map([...found].map(([id, row]) => [id, of.title(row)]))
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
