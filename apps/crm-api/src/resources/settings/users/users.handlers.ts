import { success, users, type UserInput, type UserPatch } from '@crm/contract'
import { fieldChanges, isAnyOf, newId, recordChange, schema, type Executor, type Transaction } from '@crm/db'
import { ApiError, invalidReference } from '@crm/errors'
import { fullName, hashPassword } from '@crm/identity'
import { and, count, desc, eq, isNull, sql, type SQL } from 'drizzle-orm'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit, changingWorkspace } from '../../../records/audit.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import { withUniqueFields } from '../../../records/unique.ts'

const { apiKeys, employees, employeeRoles, departments, oauthGrants, roles, sessions } = schema
const uniqueFields = { employees_email: 'email' }

type EmployeeRow = typeof employees.$inferSelect

export const implementedUsers = implement(users, {
  list: async ({ query }, { db, workspace }) => {
    const where = and(
      eq(employees.workspaceId, workspace.id),
      query.status ? eq(employees.status, query.status) : undefined,
      query.departmentId ? eq(employees.departmentId, query.departmentId) : undefined,
      query.search ? matches(query.search) : undefined,
    )
    const [total] = await db.select({ n: count() }).from(employees).where(where)
    const rows = await db
      .select()
      .from(employees)
      .where(where)
      .orderBy(desc(employees.createdAt), desc(employees.id))
      .limit(query.pageSize)
      .offset(offsetOf(query))
    return pageOf({ items: await withRoles(db, workspace.id, rows), total: total?.n ?? 0 }, query)
  },

  get: async ({ params }, context) => success(await readUser(context.db, context, params.id)),

  create: async ({ body }, context) => {
    const id = newId()
    const { password, roleIds = [], ...fields } = body
    const passwordHash = await hashPassword(password)
    await changingWorkspace(context, async (tx) => {
      await requireReferences(tx, context, body)
      const values = {
        ...fields,
        passwordHash,
        workspaceId: context.workspace.id,
        id,
        createdById: context.caller.employee.id,
        createdAt: context.at,
        updatedAt: context.at,
      }
      await withUniqueFields(uniqueFields, () => tx.insert(employees).values(values))
      await replaceRoles(tx, context, id, roleIds)
      await audit(tx, context, {
        action: 'user.created',
        subjectType: 'EMPLOYEE',
        subjectId: id,
        summary: `Added ${fullName({ firstName: null, lastName: null, ...fields })}`,
        changes: fieldChanges({}, { ...fields, roleIds }),
        data: { roleIds },
      })
      await tell(tx, context, 'employee.created', id)
    })
    return success(await readUser(context.db, context, id))
  },

  update: async ({ params, body }, context) => {
    const { password, endConnections = true, roleIds, ...fields } = body
    const passwordHash = password === undefined ? undefined : await hashPassword(password)
    await changingWorkspace(context, async (tx) => {
      const current = await lockUser(tx, context, params.id)
      await requireReferences(tx, context, body)
      await withUniqueFields(uniqueFields, () =>
        tx
          .update(employees)
          .set({ ...fields, ...(passwordHash ? { passwordHash } : {}), updatedAt: context.at })
          .where(isUser(context, params.id)),
      )
      const held = await rolesOf(tx, context, params.id)
      if (roleIds !== undefined) await replaceRoles(tx, context, params.id, roleIds)
      // The session of a disabled person is refused as such (403), and a person who comes back signs in again.
      if (passwordHash || (fields.status === 'ACTIVE' && current.status !== 'ACTIVE'))
        await endSessions(tx, context, params.id)
      const ended = passwordHash && endConnections ? await endCredentials(tx, context, params.id) : undefined
      const changed = Object.keys(body).filter((name) => name !== 'password' && name !== 'endConnections')
      const changes = fieldChanges({ ...current, roleIds: held }, { ...fields, ...(roleIds ? { roleIds } : {}) })
      await audit(tx, context, {
        action: 'user.changed',
        subjectType: 'EMPLOYEE',
        subjectId: params.id,
        summary: `Changed ${fullName(current)}`,
        changes,
        data: {
          fields: changed,
          status: fields.status,
          roleIds,
          hasNewPassword: passwordHash ? true : undefined,
          ...ended,
        },
      })
      await tell(tx, context, 'employee.updated', params.id)
    })
    return success(await readUser(context.db, context, params.id))
  },

  delete: async ({ params }, context) => {
    await changingWorkspace(context, async (tx) => {
      const current = await lockUser(tx, context, params.id)
      await tx.update(employees).set({ status: 'TERMINATED', updatedAt: context.at }).where(isUser(context, params.id))
      await audit(tx, context, {
        action: 'user.terminated',
        subjectType: 'EMPLOYEE',
        subjectId: params.id,
        summary: `Terminated ${fullName(current)}`,
        changes: fieldChanges(current, { status: 'TERMINATED' }),
      })
      await tell(tx, context, 'employee.deleted', params.id)
    })
    return success({ id: params.id })
  },
})

/** Emits an event about a person for rules and workflows, with the person as the settings show them. */
async function tell(tx: Transaction, context: CrmContext, event: string, id: string): Promise<void> {
  const { workspace, actor, at } = context
  await recordChange(tx, {
    workspaceId: workspace.id,
    actor,
    at,
    events: [
      {
        topic: 'change',
        event,
        entityType: 'EMPLOYEE',
        entityId: id,
        payload: { record: await readUser(tx, context, id), changes: [] },
      },
    ],
  })
}

function matches(search: string): SQL {
  const pattern = `%${search.trim().replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`
  return sql`crm_fold(coalesce(${employees.firstName}, '') || ' ' || coalesce(${employees.lastName}, '') || ' ' || ${employees.email}) LIKE crm_fold(${pattern})`
}

function isUser({ workspace }: CrmContext, id: string): SQL {
  return and(eq(employees.workspaceId, workspace.id), eq(employees.id, id)) as SQL
}

async function readUser(db: Executor, context: CrmContext, id: string) {
  const [user] = await withRoles(db, context.workspace.id, await db.select().from(employees).where(isUser(context, id)))
  if (!user) throw notFound()
  return user
}

async function lockUser(tx: Transaction, context: CrmContext, id: string): Promise<EmployeeRow> {
  const [row] = await tx.select().from(employees).where(isUser(context, id)).for('update')
  if (!row) throw notFound()
  return row
}

function notFound(): ApiError {
  return new ApiError('NOT_FOUND', { message: 'There is no such user' })
}

async function withRoles(db: Executor, workspaceId: string, rows: readonly EmployeeRow[]) {
  const ids = rows.map((row) => row.id)
  const held =
    ids.length === 0
      ? []
      : await db
          .select()
          .from(employeeRoles)
          .where(and(eq(employeeRoles.workspaceId, workspaceId), isAnyOf(employeeRoles.employeeId, ids)))
  return rows.map(({ workspaceId: _workspace, passwordHash: _hash, ...row }) => ({
    ...row,
    name: fullName(row),
    roleIds: held.filter((role) => role.employeeId === row.id).map((role) => role.roleId),
  }))
}

/** Locks the department, so that it is not deleted before the person is in it. */
async function requireReferences(
  tx: Transaction,
  { workspace }: CrmContext,
  body: Partial<UserInput & UserPatch>,
): Promise<void> {
  const { departmentId, managerId } = body
  if (
    departmentId &&
    !(
      await tx
        .select({ id: departments.id })
        .from(departments)
        .where(and(eq(departments.workspaceId, workspace.id), eq(departments.id, departmentId)))
        .for('key share')
    ).length
  )
    throw invalidReference('departmentId')
  if (
    managerId &&
    !(
      await tx
        .select({ id: employees.id })
        .from(employees)
        .where(and(eq(employees.workspaceId, workspace.id), eq(employees.id, managerId)))
    ).length
  )
    throw invalidReference('managerId')
}

/** Gives a person exactly these roles. */
async function replaceRoles(
  tx: Transaction,
  context: CrmContext,
  employeeId: string,
  roleIds: readonly string[],
): Promise<void> {
  const wanted = [...new Set(roleIds)]
  const found =
    wanted.length === 0
      ? []
      : await tx
          .select({ id: roles.id })
          .from(roles)
          .where(and(eq(roles.workspaceId, context.workspace.id), isAnyOf(roles.id, wanted)))
  if (found.length !== wanted.length) throw invalidReference('roleIds')
  await tx
    .delete(employeeRoles)
    .where(and(eq(employeeRoles.workspaceId, context.workspace.id), eq(employeeRoles.employeeId, employeeId)))
  if (wanted.length > 0)
    await tx
      .insert(employeeRoles)
      .values(wanted.map((roleId) => ({ workspaceId: context.workspace.id, employeeId, roleId })))
}

async function rolesOf(tx: Transaction, { workspace }: CrmContext, employeeId: string): Promise<string[]> {
  const held = await tx
    .select({ roleId: employeeRoles.roleId })
    .from(employeeRoles)
    .where(and(eq(employeeRoles.workspaceId, workspace.id), eq(employeeRoles.employeeId, employeeId)))
  return held.map(({ roleId }) => roleId)
}

/** Ends the API keys and the connected clients of a person: somebody who knew the old password may have made them. */
async function endCredentials(
  tx: Transaction,
  { workspace, at }: CrmContext,
  employeeId: string,
): Promise<{ endedKeys: number; endedConnections: number }> {
  const keys = await tx
    .update(apiKeys)
    .set({ revokedAt: at })
    .where(and(eq(apiKeys.workspaceId, workspace.id), eq(apiKeys.ownerId, employeeId), isNull(apiKeys.revokedAt)))
  const grants = await tx
    .update(oauthGrants)
    .set({ revokedAt: at })
    .where(
      and(
        eq(oauthGrants.workspaceId, workspace.id),
        eq(oauthGrants.employeeId, employeeId),
        isNull(oauthGrants.revokedAt),
      ),
    )
  return { endedKeys: keys.rowCount ?? 0, endedConnections: grants.rowCount ?? 0 }
}

async function endSessions(tx: Transaction, { workspace }: CrmContext, employeeId: string): Promise<void> {
  await tx.delete(sessions).where(and(eq(sessions.workspaceId, workspace.id), eq(sessions.employeeId, employeeId)))
}
