import { success, users, type UserPatch } from '@crm/contract'
import {
  fieldChanges,
  findPeopleWithoutSight,
  holdsFolded,
  isAnyOf,
  newId,
  noteStatusByHand,
  personAction,
  schema,
  type Transaction,
} from '@crm/db'
import { invalidField } from '@crm/errors'
import { fullName, hashPassword, type PasswordOwner } from '@crm/identity'
import { and, count, desc, eq, sql, type SQL } from 'drizzle-orm'
import { createAccount, requireReferences, uniqueAccountFields } from '../../../domain/people/people.accounts.ts'
import { endCredentials } from '../../../domain/people/people.credentials.ts'
import { leaveAddress } from '../../../domain/sign-in/leave-address.ts'
import { endSessions } from '../../../domain/sign-in/sessions.repository.ts'
import {
  isUser,
  lockUser,
  readUser,
  tellOfPerson,
  withRoles,
  type EmployeeRow,
} from '../../../domain/people/people.records.ts'
import { replaceRoles, rolesOf } from '../../../domain/people/people.roles.ts'
import { requireGoodPassword, requireTypedPasswords } from '../../../domain/sign-in/new-password.ts'
import { inTurn } from '../../../domain/sign-in/password-checks.ts'
import { replacePassword } from '../../../domain/sign-in/passwords.repository.ts'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit, changingPeople } from '../../../records/audit.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import { withUniqueFields } from '../../../records/unique.ts'

const { employees } = schema

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

  withoutSight: async (_input, { db, workspace }) => {
    const ids = await findPeopleWithoutSight(db, workspace.id)
    if (ids.length === 0) return { data: [] }
    const rows = await db
      .select()
      .from(employees)
      .where(and(eq(employees.workspaceId, workspace.id), isAnyOf(employees.id, ids)))
      .orderBy(desc(employees.createdAt), desc(employees.id))
    return { data: rows.map((row) => ({ id: row.id, name: fullName(row) })) }
  },

  get: async ({ params }, context) => success(await readUser(context.db, context, params.id)),

  create: async ({ body }, context) => {
    const id = newId()
    const { password, roleIds = [], name, kind, ...others } = body
    const passwordHash = await typedPassword(context, password, async () => ({ email: '', ...body }))
    const fields = kind === 'SERVICE' ? { ...others, kind, firstName: name } : { ...others, kind }
    const email = fields.email ?? serviceAddress(id)
    await changingPeople(context, async (tx) => {
      await createAccount(tx, context, { ...fields, id, email, passwordHash, roleIds })
      const { firstName = null, lastName = null } = fields
      if (passwordHash) await noteTyped(tx, context, { id, email, firstName, lastName })
    })
    return success(await readUser(context.db, context, id))
  },

  update: async ({ params, body }, context) => {
    const { password, endConnections = true, roleIds, name, ...others } = body
    const fields = name === undefined ? others : { ...others, firstName: name }
    const passwordHash = await typedPassword(context, password, () => ownerOf(context, params.id, body))
    await changingPeople(context, async (tx) => {
      const current = await lockUser(tx, context, params.id)
      refuseMisfits(current, body)
      await requireReferences(tx, context, body)
      await withUniqueFields(uniqueAccountFields, () =>
        tx
          .update(employees)
          .set({ ...fields, updatedAt: context.at })
          .where(isUser(context, params.id)),
      )
      if (fields.status !== undefined && fields.status !== current.status)
        await noteStatusByHand(tx, context.workspace.id, params.id)
      await leaveAddress(tx, context, current, fields.email)
      if (passwordHash) await typePassword(tx, context, current, passwordHash)
      const held = await rolesOf(tx, context, params.id)
      if (roleIds !== undefined) await replaceRoles(tx, context, params.id, roleIds)
      // The session of a disabled person is refused as such (403), and a person who comes back signs in again.
      if (passwordHash || (fields.status === 'ACTIVE' && current.status !== 'ACTIVE'))
        await endSessions(tx, context, { employeeId: params.id })
      const ended = passwordHash && endConnections ? await endCredentials(tx, context, params.id) : undefined
      if (roleIds !== undefined) await noteRoles(tx, context, current, { held, roleIds })
      const changed = Object.keys(body).filter((name) => !['password', 'endConnections', 'roleIds'].includes(name))
      if (changed.length > 0 || passwordHash)
        await audit(tx, context, {
          action: personAction(current.status, fields.status ?? current.status),
          subjectType: 'EMPLOYEE',
          subjectId: params.id,
          summary: `Changed ${fullName(current)}`,
          changes: fieldChanges(current, fields),
          data: { fields: changed, status: fields.status, hasNewPassword: passwordHash ? true : undefined, ...ended },
        })
      await tellOfPerson(tx, context, 'employee.updated', params.id)
    })
    return success(await readUser(context.db, context, params.id))
  },

  delete: async ({ params }, context) => {
    await changingPeople(context, async (tx) => {
      const current = await lockUser(tx, context, params.id)
      await tx.update(employees).set({ status: 'TERMINATED', updatedAt: context.at }).where(isUser(context, params.id))
      await noteStatusByHand(tx, context.workspace.id, params.id)
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

/** Writes down that somebody gave a person other roles. */
async function noteRoles(
  tx: Transaction,
  context: CrmContext,
  person: EmployeeRow,
  { held, roleIds }: { readonly held: readonly string[]; readonly roleIds: readonly string[] },
): Promise<void> {
  const changes = fieldChanges({ roleIds: held.toSorted() }, { roleIds: roleIds.toSorted() })
  if (changes.length === 0) return
  await audit(tx, context, {
    action: 'user.roles-changed',
    subjectType: 'EMPLOYEE',
    subjectId: person.id,
    summary: `Changed the roles of ${fullName(person)}`,
    changes,
    data: { roleIds },
  })
}

/** Hashes the password that somebody types for another person; null when there is none. */
async function typedPassword(
  context: CrmContext,
  password: string | undefined,
  readOwner: () => Promise<PasswordOwner>,
): Promise<string | null> {
  if (password === undefined) return null
  requireTypedPasswords(context)
  await requireGoodPassword(context, 'password', password, await readOwner())
  return inTurn(context, () => hashPassword(password))
}

async function ownerOf(context: CrmContext, id: string, body: UserPatch): Promise<PasswordOwner> {
  return { ...(await readUser(context.db, context, id)), ...body }
}

async function typePassword(
  tx: Transaction,
  context: CrmContext,
  person: EmployeeRow,
  passwordHash: string,
): Promise<void> {
  await replacePassword(tx, context, person.id, passwordHash)
  await noteTyped(tx, context, person)
}

async function noteTyped(
  tx: Transaction,
  context: CrmContext,
  person: Pick<EmployeeRow, 'id' | 'email' | 'firstName' | 'lastName'>,
): Promise<void> {
  await audit(tx, context, {
    action: 'password.typed',
    subjectType: 'EMPLOYEE',
    subjectId: person.id,
    summary: `Typed a new password for ${fullName(person)}`,
  })
}

function matches(search: string): SQL {
  const text = sql`coalesce(${employees.firstName}, '') || ' ' || coalesce(${employees.lastName}, '') || ' ' || ${employees.email}`
  return holdsFolded(text, search.trim())
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
