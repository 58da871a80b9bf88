import { recordOperations } from '@crm/contract'
import { reaches, schema, scopeOf, type Executor, type Scope } from '@crm/db'
import { ApiError } from '@crm/errors'
import { readEmployeeCaller } from '@crm/identity'
import { kindOf } from '@crm/model'
import { and, eq, inArray } from 'drizzle-orm'
import type { CrmContext } from '../platform/context.ts'
import type { OwnedRow, RecordKind } from '../records/owned/kind.ts'
import { findRecords } from '../records/owned/repository.ts'
import { isSwitchedOff } from '../records/rights.ts'
import { kindsInSight } from './kinds.ts'
import type { RecordLink } from './record-links.ts'

/** The parts of a context that decide which records of switched-on modules a caller sees. */
export type Onlooker = Pick<CrmContext, 'workspace' | 'caller' | 'scopeIfAllowed'>

/** Returns what decides which records a person sees, whoever asks. */
export function onlookerOf(workspace: Onlooker['workspace'], caller: Onlooker['caller']): Onlooker {
  return { workspace, caller, scopeIfAllowed: (entityType) => scopeOf(workspace.id, caller, entityType) }
}

/** A record that was read, with its kind. */
export interface SeenRecord {
  readonly kind: RecordKind
  readonly row: OwnedRow
}

/** Returns the scope of a caller for a kind of record; null when they may see none, or when its module is switched off. */
export function sightOf(context: Omit<Onlooker, 'caller'>, entityType: string): Scope | null {
  return isSwitchedOff(context, `VIEW_${entityType}`) ? null : context.scopeIfAllowed(entityType)
}

/** Returns the record of a request whose address names one of any kind. */
export function linkOf({
  params,
}: {
  readonly params: { readonly entityType: string; readonly id: string }
}): RecordLink {
  return { entityType: params.entityType, entityId: params.id }
}

/** Returns the name of a record in a map of records. */
export function keyOf({ entityType, entityId }: RecordLink): string {
  return `${entityType}:${entityId}`
}

/** Returns the records that the caller may see, by `keyOf`; deleted ones only where they are asked for. */
export async function readSeen(
  db: Executor,
  context: Onlooker,
  wanted: readonly RecordLink[],
  options: { readonly withDeleted?: boolean } = {},
): Promise<ReadonlyMap<string, SeenRecord>> {
  const byType = Map.groupBy(wanted, ({ entityType }) => entityType)
  const found = new Map<string, SeenRecord>()
  for (const kind of kindsInSight(context)) {
    const ids = [...new Set(byType.get(kind.entityType)?.map(({ entityId }) => entityId) ?? [])]
    const scope = ids.length > 0 ? sightOf(context, kind.entityType) : null
    const rows = scope ? await findRecords(db, kind, scope, ids, options) : new Map<string, OwnedRow>()
    for (const [id, row] of rows) found.set(keyOf({ entityType: kind.entityType, entityId: id }), { kind, row })
  }
  return found
}

/**
 * Refuses a record that the caller does not see.
 * @throws ApiError NOT_FOUND
 */
export async function requireSeen(db: Executor, context: Onlooker, link: RecordLink): Promise<void> {
  const seen = await readSeen(db, context, [link])
  if (!seen.has(keyOf(link))) throw new ApiError('NOT_FOUND')
}

/** Returns which of some people do not see a record; neither does anybody who is not active. */
export function hiddenFrom(
  context: Pick<CrmContext, 'deps' | 'db' | 'workspace'>,
  link: RecordLink,
  employeeIds: Iterable<string>,
): Promise<readonly string[]> {
  return withoutSight(context, employeeIds, async (onlooker) => (await readSeen(context.db, onlooker, [link])).size > 0)
}

/** Returns which of some people may see no record of a kind, not even one of their own. */
export function blindTo(
  context: Pick<CrmContext, 'deps' | 'workspace'>,
  entityType: string,
  employeeIds: Iterable<string>,
): Promise<readonly string[]> {
  return withoutSight(context, employeeIds, (onlooker) => sightOf(onlooker, entityType) !== null)
}

/** Returns which of some people own records of a kind that the caller does not see. */
export async function outOfSight(
  context: Onlooker & Pick<CrmContext, 'db'>,
  entityType: string,
  employeeIds: readonly string[],
): Promise<readonly string[]> {
  const { employees } = schema
  const scope = sightOf(context, entityType)
  if (scope === null || employeeIds.length === 0) return employeeIds
  const owners = await context.db
    .select({ ownerId: employees.id, departmentId: employees.departmentId })
    .from(employees)
    .where(and(eq(employees.workspaceId, scope.workspaceId), inArray(employees.id, [...employeeIds])))
  return owners.filter((owner) => !reaches(scope, owner)).map(({ ownerId }) => ownerId)
}

async function withoutSight(
  { deps, workspace }: Pick<CrmContext, 'deps' | 'workspace'>,
  employeeIds: Iterable<string>,
  sees: (onlooker: Onlooker) => boolean | Promise<boolean>,
): Promise<readonly string[]> {
  const without: string[] = []
  for (const id of new Set(employeeIds)) {
    const caller = await readEmployeeCaller(deps.pool, workspace.id, id)
    const isThere = caller?.employee.status === 'ACTIVE'
    if (!isThere || !(await sees(onlookerOf(workspace, caller)))) without.push(id)
  }
  return without
}

/** Returns the address of a record in the console; its path is mostly the path in the API. */
export function addressOf(baseUrl: string, { entityType, entityId }: RecordLink): string {
  const { list, pathParams = {} } = recordOperations(entityType) ?? {}
  const own = pathParams['key'] === undefined ? (list?.path.replace('/api/', '') ?? '') : `records/${pathParams['key']}`
  return `${baseUrl}/${kindOf(entityType)?.page ?? own}/${entityId}`
}
