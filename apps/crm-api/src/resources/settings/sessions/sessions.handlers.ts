import { sessions, success } from '@crm/contract'
import { schema, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { digest, fullName, hashPassword, newSecret, sessionCookie, sessionLifetimeMs, verifyPassword } from '@crm/identity'
import { createFixedWindow, workspaceTag, type FixedWindow, type RedisConnection } from '@crm/redis'
import { unitePermissions } from '@crm/permissions'
import { and, desc, eq, gt, ne, sql } from 'drizzle-orm'
import { implement, type CrmContext } from '../../../context.ts'
import { audit, changingWorkspace } from '../../../records/audit.ts'

const failuresMax = 10
const failureWindowMs = 15 * 60 * 1000

const windows = new WeakMap<RedisConnection, FixedWindow>()

function failureWindow({ deps }: CrmContext): FixedWindow {
  const known = windows.get(deps.redis) ?? createFixedWindow({ redis: deps.redis, name: 'sign-in', points: failuresMax, windowMs: failureWindowMs })
  windows.set(deps.redis, known)
  return known
}

export const implementedSessions = implement(sessions, {
  login: async ({ body }, context) => {
    const person = await findPerson(context, body.email)
    await countFailure(context, body.email)
    const matches = await verifyPassword(person?.passwordHash ?? null, body.password)
    if (!person || !matches) throw new ApiError('AUTHENTICATION_ERROR', { message: 'The e-mail address or the password is wrong' })
    if (person.status !== 'ACTIVE') throw new ApiError('ACCOUNT_DISABLED')
    await forgiveFailures(context, body.email)
    const token = newSecret()
    const actor = { type: 'EMPLOYEE' as const, id: person.id, name: fullName(person), source: 'UI' as const }
    await context.transact(async (tx) => {
      await insertSession(tx, context, person.id, token)
      await audit(tx, { ...context, actor }, { action: 'session.started', subjectType: 'EMPLOYEE', subjectId: person.id, summary: `${actor.name} signed in` })
    })
    context.setHeader('set-cookie', cookieFor(context, token, sessionLifetimeMs / 1000))
    return success({ user: await describePerson(context, person) })
  },

  logout: async (_input, context) => {
    const id = context.caller.credential.id
    await changingWorkspace(context, (tx) => deleteSession(tx, context, id))
    context.setHeader('set-cookie', cookieFor(context, '', 0))
    return success({ id })
  },

  password: async ({ body }, context) => {
    const person = await findPerson(context, context.caller.employee.email)
    await countFailure(context, context.caller.employee.email)
    if (!(await verifyPassword(person?.passwordHash ?? null, body.current))) {
      throw new ApiError('AUTHENTICATION_ERROR', { message: 'The current password is wrong' })
    }
    await forgiveFailures(context, context.caller.employee.email)
    const passwordHash = await hashPassword(body.next)
    const endedSessions = await changingWorkspace(context, (tx) => replacePassword(tx, context, passwordHash))
    return success({ endedSessions })
  },

  list: async (_input, context) => {
    const { sessions: table } = schema
    const rows = await context.db.select().from(table)
      .where(and(eq(table.workspaceId, context.workspace.id), eq(table.employeeId, context.caller.employee.id), gt(table.expiresAt, context.at)))
      .orderBy(desc(table.lastUsedAt))
    return {
      data: rows.map(({ id, createdAt, lastUsedAt, expiresAt, address, userAgent }) => ({
        id, createdAt, lastUsedAt, expiresAt, address, userAgent, isCurrent: id === context.caller.credential.id,
      })),
    }
  },

  delete: async ({ params }, context) => {
    const ended = await changingWorkspace(context, (tx) => deleteSession(tx, context, params.id))
    if (ended === 0) throw context.refuse('NOT_FOUND', { message: 'There is no such session' })
    return success({ id: params.id })
  },
})

async function findPerson({ db, workspace }: CrmContext, email: string) {
  const { employees } = schema
  const [row] = await db.select().from(employees).where(and(eq(employees.workspaceId, workspace.id), sql`lower(${employees.email}) = lower(${email.trim()})`))
  return row
}

/** Counts a try before it is checked, for the account and for the address; a success is taken back. */
async function countFailure(context: CrmContext, email: string): Promise<void> {
  const verdicts = await Promise.all(failureKeys(context, email).map((key) => failureWindow(context).consume(key)))
  const over = verdicts.find((verdict) => !verdict.allowed)
  if (over) throw new ApiError('RATE_LIMITED', { message: 'Too many attempts to sign in', retryAfterS: over.retryAfterS })
}

async function forgiveFailures(context: CrmContext, email: string): Promise<void> {
  await Promise.all(failureKeys(context, email).map((key) => failureWindow(context).forgive(key)))
}

function failureKeys({ workspace, address }: CrmContext, email: string): string[] {
  const tag = workspaceTag(workspace.id)
  return [`${tag}:account:${email.trim().toLowerCase()}`, `${tag}:address:${address()}`]
}

async function insertSession(tx: Transaction, context: CrmContext, employeeId: string, token: string): Promise<void> {
  const userAgent = context.requestHeaders['user-agent']
  await tx.insert(schema.sessions).values({
    workspaceId: context.workspace.id,
    employeeId,
    tokenHash: digest(token),
    createdAt: context.at,
    lastUsedAt: context.at,
    expiresAt: new Date(Date.parse(context.at) + sessionLifetimeMs).toISOString(),
    address: context.address(),
    userAgent: typeof userAgent === 'string' ? userAgent.slice(0, 300) : null,
  })
}

async function deleteSession(tx: Transaction, { workspace, caller }: CrmContext, id: string): Promise<number> {
  const { sessions: table } = schema
  const { rowCount } = await tx.delete(table)
    .where(and(eq(table.workspaceId, workspace.id), eq(table.employeeId, caller.employee.id), eq(table.id, id)))
  return rowCount ?? 0
}

async function replacePassword(tx: Transaction, context: CrmContext, passwordHash: string): Promise<number> {
  const { workspace, caller, at } = context
  const { employees, sessions: table } = schema
  await tx.update(employees).set({ passwordHash, updatedAt: at }).where(and(eq(employees.workspaceId, workspace.id), eq(employees.id, caller.employee.id)))
  const { rowCount } = await tx.delete(table)
    .where(and(eq(table.workspaceId, workspace.id), eq(table.employeeId, caller.employee.id), ne(table.id, caller.credential.id)))
  await audit(tx, context, { action: 'password.changed', subjectType: 'EMPLOYEE', subjectId: caller.employee.id, summary: `${caller.employee.name} changed their password` })
  return rowCount ?? 0
}

function cookieFor({ workspace }: CrmContext, token: string, maxAgeS: number): string {
  const secure = workspace.baseUrl.startsWith('https:') ? '; Secure' : ''
  return `${sessionCookie}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeS}${secure}`
}

async function describePerson({ db, workspace }: CrmContext, person: typeof schema.employees.$inferSelect) {
  const { employeeRoles, roles } = schema
  const held = await db.select({ id: roles.id, permissions: roles.permissions, access: roles.access }).from(employeeRoles)
    .innerJoin(roles, and(eq(roles.workspaceId, employeeRoles.workspaceId), eq(roles.id, employeeRoles.roleId)))
    .where(and(eq(employeeRoles.workspaceId, workspace.id), eq(employeeRoles.employeeId, person.id)))
  return { id: person.id, email: person.email, name: fullName(person), roleIds: held.map((role) => role.id), permissions: [...unitePermissions(held)] }
}
