import { isAnyOf, readRights, schema, type Executor } from '@crm/db'
import { ApiError, invalidField } from '@crm/errors'
import { fullName } from '@crm/identity'
import { covers, reachesIn } from '@crm/permissions'
import { and, asc, eq, ne } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'

const { employees } = schema

/** Somebody who gets what belonged to another person. */
export interface Receiver {
  readonly id: string
  readonly name: string
}

/** The most people among whom a team's work is divided. */
const teamMax = 200

/** The person who leaves. */
export interface Leaving {
  readonly id: string
  readonly name: string
  readonly departmentId: string | null
}

/**
 * Returns those who get what belongs to a person: one person, or the active people of the same department in turn.
 * @throws ApiError VALIDATION_ERROR when there is nobody
 */
export async function findReceivers(
  db: Executor,
  { workspace }: CrmContext,
  leaving: Leaving,
  { toId }: { readonly toId?: string | undefined },
): Promise<readonly Receiver[]> {
  const isOther = and(
    eq(employees.workspaceId, workspace.id),
    eq(employees.status, 'ACTIVE'),
    eq(employees.kind, 'PERSON'),
    ne(employees.id, leaving.id),
  )
  if (toId === undefined && leaving.departmentId === null)
    throw invalidField('byTeam', 'The person has no department; choose somebody')
  const rows = await db
    .select({ id: employees.id, firstName: employees.firstName, lastName: employees.lastName, email: employees.email })
    .from(employees)
    .where(
      and(
        isOther,
        toId === undefined ? eq(employees.departmentId, leaving.departmentId ?? '') : eq(employees.id, toId),
      ),
    )
    .orderBy(asc(employees.id))
    .limit(teamMax)
  if (rows.length === 0)
    throw toId === undefined
      ? invalidField('byTeam', 'Nobody else is active in the department; choose somebody')
      : invalidField('toId', 'Choose another active person')
  return rows.map((row) => ({ id: row.id, name: fullName(row) }))
}

/** The rights of receivers, as far as they decide who may get what. */
export interface ReceivingRights {
  /** Returns those who may see their own records of a kind. */
  mayHave(entityType: string): readonly string[]
  /** Whether automation that acts as any of them stays within the caller's rights. */
  readonly isWithinCaller: boolean
}

/** Reads what receivers may get, by their present rights. */
export async function readReceivingRights(
  db: Executor,
  { workspace, caller }: CrmContext,
  toIds: readonly string[],
): Promise<ReceivingRights> {
  const rights = await readRights(db, workspace.id, [...new Set([caller.employee.id, ...toIds])])
  const active = rights.people.filter(({ id, isActive }) => isActive && toIds.includes(id)).map(({ id }) => id)
  const reachOf = reachesIn(rights)
  const reaches = new Map(active.map((id) => [id, reachOf(id)]))
  const mine = reachOf(caller.employee.id)
  return {
    mayHave: (entityType) => active.filter((id) => reaches.get(id)?.extents.has(`VIEW_${entityType}`)),
    isWithinCaller:
      active.length > 0 && [...reaches].every(([id, reach]) => id === caller.employee.id || covers(mine, reach)),
  }
}

/** Reads the person who leaves. Throws NOT_FOUND. */
export async function readLeaving(db: Executor, { workspace }: CrmContext, id: string): Promise<Leaving> {
  const [row] = await db
    .select()
    .from(employees)
    .where(and(eq(employees.workspaceId, workspace.id), isAnyOf(employees.id, [id])))
  if (!row) throw new ApiError('NOT_FOUND', { message: 'There is no such user' })
  return { id: row.id, name: fullName(row), departmentId: row.departmentId }
}
