import { success, users, type UserInput, type UserPatch } from '@crm/contract'
import { fieldChanges, newId, schema, type Transaction } from '@crm/db'
import { invalidField, invalidReference } from '@crm/errors'
import { fullName, hashPassword } from '@crm/identity'
import { and, count, desc, eq, sql, type SQL } from 'drizzle-orm'
import { endCredentials, endSessions } from '../../../domain/people/people.credentials.ts'
import {
  isUser,
  lockUser,
  readUser,
  tellOfPerson,
  withRoles,
  type EmployeeRow,
} from '../../../domain/people/people.records.ts'
import { replaceRoles, rolesOf } from '../../../domain/people/people.roles.ts'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit, changingWorkspace } from '../../../records/audit.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import { withUniqueFields } from '../../../records/unique.ts'

const { employees, departments } = schema
const uniqueFields = { employees_email: 'email' }

export const implementedUsers = implement(users, {
  list: async ({ query }, { db, workspace }) => {
    const where = and(
      eq(employees.workspaceId, workspace.id),
      query.status ? eq(employees.status, query.status) : undefined,
      query.kind ? eq(employees.kind, query.kind) : undefined,
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
    const { password, roleIds = [], name, kind, ...others } = body
    const passwordHash = password === undefined ? null : await hashPassword(password)
    const fields = kind === 'SERVICE' ? { ...others, kind, firstName: name } : { ...others, kind }
    const email = fields.email ?? serviceAddress(id)
    await changingWorkspace(context, async (tx) => {
      await requireReferences(tx, context, body)
      const values = {
        ...fields,
        email,
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
        summary: `Added ${fullName({ firstName: fields.firstName ?? null, lastName: fields.lastName ?? null, email })}`,
        changes: fieldChanges({}, { ...fields, roleIds }),
        data: { roleIds },
      })
      await tellOfPerson(tx, context, 'employee.created', id)
    })
    return success(await readUser(context.db, context, id))
  },

  update: async ({ params, body }, context) => {
    const { password, endConnections = true, roleIds, name, ...others } = body
    const fields = name === undefined ? others : { ...others, firstName: name }
    const passwordHash = password === undefined ? undefined : await hashPassword(password)
    await changingWorkspace(context, async (tx) => {
      const current = await lockUser(tx, context, params.id)
      refuseMisfits(current, body)
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
      await tellOfPerson(tx, context, 'employee.updated', params.id)
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
      await tellOfPerson(tx, context, 'employee.deleted', params.id)
    })
    return success({ id: params.id })
  },
})

function matches(search: string): SQL {
  const pattern = `%${search.trim().replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`
  return sql`crm_fold(coalesce(${employees.firstName}, '') || ' ' || coalesce(${employees.lastName}, '') || ' ' || ${employees.email}) LIKE crm_fold(${pattern})`
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

/** The address of a service account: it is unique, and nobody can receive mail or sign in with it. */
function serviceAddress(id: string): string {
  return `${id}@service.invalid`
}

/** Refuses fields that only people or only service accounts have. */
function refuseMisfits({ kind }: EmployeeRow, body: UserPatch): void {
  const misfits =
    kind === 'SERVICE'
      ? (['email', 'password', 'firstName', 'lastName', 'managerId', 'timezone'] as const)
      : (['name'] as const)
  const misfit = misfits.find((field) => (body[field] ?? null) !== null)
  if (misfit)
    throw invalidField(
      misfit,
      kind === 'SERVICE' ? 'A service account has no such thing' : 'People have a first and a last name',
    )
}
