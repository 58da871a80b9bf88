import { ApiError } from '@crm/errors'
import { hasAdministrator, type RightsRole } from '@crm/permissions'
import { and, arrayContains, eq, sql, type SQL } from 'drizzle-orm'
import { isAnyOf } from './any-of.ts'
import { heldRoleIds, lockRights } from './rights.ts'
import { employeeRoles, employees, passkeys, roles, totpFactors, workspaces } from './schema/index.ts'
import { beforeCommit, type Executor, type Transaction } from './transaction.ts'

declare const keepsWayIn: unique symbol

/** A transaction that may change people, their rights and their ways of signing in, because it is judged before its commit. */
export type PeopleTransaction = Transaction & { readonly [keepsWayIn]: true }

/** Whether somebody can still repair a workspace. */
export interface WayIn {
  readonly hasAdministrator: boolean
  /** Whether somebody gets in without an identity provider; true where the workspace enforces none. */
  readonly hasEmergencyAccess: boolean
}

/** The rules for the emergency access of a workspace. */
export interface EmergencyRules {
  readonly enforceSso?: boolean
  readonly breakGlassUserIds?: readonly string[]
}

/**
 * Begins a change of people, roles, states or second factors: the transaction is refused before its commit when it takes the last
 * active administrator or the emergency access from the workspace. Other such changes wait until it ends.
 * At the commit: LAST_ADMINISTRATOR, BREAK_GLASS_REQUIRED.
 */
export async function keepWayIn(tx: Transaction, workspaceId: string): Promise<PeopleTransaction> {
  await lockRights(tx, workspaceId)
  const before = await readWayIn(tx, workspaceId)
  beforeCommit(tx, `way-in:${workspaceId}`, () => requireWayIn(tx, workspaceId, before))
  return tx as PeopleTransaction
}

/** Refuses what a change has taken from the way into a workspace. A workspace that had none before can be repaired step by step. */
export async function requireWayIn(db: Executor, workspaceId: string, before: WayIn): Promise<void> {
  const after = await readWayIn(db, workspaceId)
  if (before.hasAdministrator && !after.hasAdministrator) throw new ApiError('LAST_ADMINISTRATOR')
  if (before.hasEmergencyAccess && !after.hasEmergencyAccess) throw new ApiError('BREAK_GLASS_REQUIRED')
}

/** Reads whether somebody can repair a workspace. */
export async function readWayIn(db: Executor, workspaceId: string): Promise<WayIn> {
  const grants = await readGrants(db, workspaceId)
  const [workspace] = await db
    .select({ rules: sql<EmergencyRules>`${workspaces.signInPolicy}` })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId))
  return {
    hasAdministrator: await findsAdministrator(db, workspaceId, grants),
    hasEmergencyAccess: await hasEmergencyAccess(db, workspaceId, workspace?.rules ?? {}, grants),
  }
}

type Grants = ReadonlyMap<string, RightsRole>

async function readGrants(db: Executor, workspaceId: string): Promise<Grants> {
  const rows = await db
    .select({ id: roles.id, permissions: roles.permissions, access: roles.access })
    .from(roles)
    .where(eq(roles.workspaceId, workspaceId))
  return new Map(rows.map((role) => [role.id, role]))
}

/** Whether an active person with these roles is an administrator; departments and types of record of one's own make no difference. */
function grantAll(grants: Grants, roleIds: readonly string[]): boolean {
  const held = roleIds.flatMap((id) => grants.get(id) ?? [])
  const person = { id: '', departmentId: null, isActive: true, roleIds }
  return hasAdministrator({ people: [person], roles: held, departments: [], customTypes: [] })
}

/** Usually somebody has one role that grants everything; only otherwise are people read, and of these the ones who may be meant. */
async function findsAdministrator(db: Executor, workspaceId: string, grants: Grants): Promise<boolean> {
  const complete = [...grants.keys()].filter((id) => grantAll(grants, [id]))
  const [holder] = await db
    .select({ id: employees.id })
    .from(employeeRoles)
    .innerJoin(
      employees,
      and(eq(employees.workspaceId, employeeRoles.workspaceId), eq(employees.id, employeeRoles.employeeId)),
    )
    .where(and(eq(employeeRoles.workspaceId, workspaceId), isAnyOf(employeeRoles.roleId, complete), isActivePerson))
    .limit(1)
  if (holder) return true
  const people = await db
    .select({ roleIds: heldRoleIds(workspaceId) })
    .from(employees)
    .where(and(eq(employees.workspaceId, workspaceId), isActivePerson, holdsOneWith(workspaceId, 'MANAGE_ROLES')))
  return people.some(({ roleIds }) => grantAll(grants, roleIds))
}

/** Whether one of the people of the emergency access is an active administrator with a password and a second factor. */
export async function hasEmergencyAccess(
  db: Executor,
  workspaceId: string,
  { enforceSso = false, breakGlassUserIds = [] }: EmergencyRules,
  grants?: Grants,
): Promise<boolean> {
  if (!enforceSso) return true
  const known = grants ?? (await readGrants(db, workspaceId))
  const people = await db
    .select({ roleIds: heldRoleIds(workspaceId) })
    .from(employees)
    .where(
      and(
        eq(employees.workspaceId, workspaceId),
        isAnyOf(employees.id, breakGlassUserIds),
        isActivePerson,
        sql`${employees.passwordHash} IS NOT NULL`,
        sql`(EXISTS (${ofPerson(workspaceId, totpFactors)} AND ${totpFactors.confirmedAt} IS NOT NULL) OR EXISTS (${ofPerson(workspaceId, passkeys)}))`,
      ),
    )
  return people.some(({ roleIds }) => grantAll(known, roleIds))
}

const isActivePerson = sql`${employees.status} = 'ACTIVE' AND ${employees.kind} = 'PERSON'`

function holdsOneWith(workspaceId: string, permission: string): SQL {
  return sql`EXISTS (SELECT FROM ${employeeRoles} JOIN ${roles} ON ${roles.workspaceId} = ${employeeRoles.workspaceId} AND ${roles.id} = ${employeeRoles.roleId}
    WHERE ${isTheirs(workspaceId, employeeRoles)} AND ${arrayContains(roles.permissions, [permission])})`
}

function ofPerson(workspaceId: string, table: typeof totpFactors | typeof passkeys): SQL {
  return sql`SELECT FROM ${table} WHERE ${isTheirs(workspaceId, table)}`
}

/** A distributed database that asked every machine for people would refuse to change the workspace in the same transaction. */
function isTheirs(workspaceId: string, table: typeof employeeRoles | typeof totpFactors | typeof passkeys): SQL {
  return sql`${table.workspaceId} = ${workspaceId} AND ${table.employeeId} = ${employees.id}`
}
