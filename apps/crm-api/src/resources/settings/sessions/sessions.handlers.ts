import { sessions, success } from '@crm/contract'
import { schema, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import {
  digest,
  fullName,
  hashPassword,
  newSecret,
  sessionCookie,
  sessionLifetimeMs,
  verifyPassword,
} from '@crm/identity'
import { unitePermissions } from '@crm/permissions'
import { and, desc, eq, gt, ne, sql } from 'drizzle-orm'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit, changingWorkspace, userAgentOf } from '../../../records/audit.ts'
import { deviceCookie, knownDevice } from './device-cookie.ts'
import { signInLimits } from './sign-in-limits.ts'
import { countSignInTry, forgiveSignInTries, type CountedUnder } from './sign-in-tries.repository.ts'

export const implementedSessions = implement(sessions, {
  login: ({ body }, context) =>
    inTurn(context, async () => {
      const person = await findPerson(context, body.email)
      const device = knownDevice(context, person)
      const under = countedUnder(context, body.email, device)
      const { isLast } = await requireTry(context, under)
      const matches = await verifyPassword(person?.passwordHash ?? null, body.password)
      if (!person || !matches) {
        await auditRefusal(context, body.email, person, person ? 'PASSWORD' : 'UNKNOWN')
        if (isLast) await auditRefusal(context, body.email, person, 'THROTTLED')
        throw new ApiError('AUTHENTICATION_ERROR', { message: 'The e-mail address or the password is wrong' })
      }
      await forgiveSignInTries(context.deps.db, context.workspace.id, under)
      if (person.status !== 'ACTIVE') {
        await auditRefusal(context, body.email, person, 'DISABLED')
        throw new ApiError('ACCOUNT_DISABLED')
      }
      const token = newSecret()
      const actor = { type: 'EMPLOYEE' as const, id: person.id, name: fullName(person), source: 'UI' as const }
      await context.transact(async (tx) => {
        await insertSession(tx, context, person.id, token)
        await audit(
          tx,
          { ...context, actor },
          {
            action: 'session.started',
            subjectType: 'EMPLOYEE',
            subjectId: person.id,
            summary: `${actor.name} signed in`,
          },
        )
      })
      context.setHeader('set-cookie', [
        cookieFor(context, token, sessionLifetimeMs / 1000),
        deviceCookie(context, person),
      ])
      return success({ user: await describePerson(context, person) })
    }),

  logout: async (_input, context) => {
    const id = context.caller.credential.id
    await changingWorkspace(context, (tx) => deleteSession(tx, context, id))
    context.setHeader('set-cookie', cookieFor(context, '', 0))
    return success({ id })
  },

  password: ({ body }, context) =>
    inTurn(context, async () => {
      const { caller, workspace, deps } = context
      const person = await findPerson(context, caller.employee.email)
      // Other people cannot use up the tries of a session.
      const under = [{ limit: signInLimits.device, key: `session:${caller.credential.id}` }]
      await requireTry(context, under)
      if (!(await verifyPassword(person?.passwordHash ?? null, body.current))) {
        throw new ApiError('AUTHENTICATION_ERROR', { message: 'The current password is wrong' })
      }
      await forgiveSignInTries(deps.db, workspace.id, under)
      const passwordHash = await hashPassword(body.next)
      const endedSessions = await changingWorkspace(context, (tx) => replacePassword(tx, context, passwordHash))
      context.setHeader('set-cookie', deviceCookie(context, { id: caller.employee.id, passwordHash }))
      return success({ endedSessions })
    }),

  list: async (_input, context) => {
    const { sessions: table } = schema
    const rows = await context.db
      .select()
      .from(table)
      .where(
        and(
          eq(table.workspaceId, context.workspace.id),
          eq(table.employeeId, context.caller.employee.id),
          gt(table.expiresAt, context.at),
        ),
      )
      .orderBy(desc(table.lastUsedAt))
    return {
      data: rows.map(({ id, createdAt, lastUsedAt, expiresAt, address, userAgent }) => ({
        id,
        createdAt,
        lastUsedAt,
        expiresAt,
        address,
        userAgent,
        isCurrent: id === context.caller.credential.id,
      })),
    }
  },

  delete: async ({ params }, context) => {
    const ended = await changingWorkspace(context, (tx) => deleteSession(tx, context, params.id))
    if (ended === 0) throw context.refuse('NOT_FOUND', { message: 'There is no such session' })
    return success({ id: params.id })
  },
})

/** Checks passwords in turn: guesses in one workspace delay no other workspace, and leave the database to it. */
async function inTurn<T>({ deps, workspace }: CrmContext, work: () => Promise<T>): Promise<T> {
  const end = await deps.passwordChecks.enter(workspace.id)
  if (!end) throw new ApiError('RATE_LIMITED', { message: 'Too many people sign in at this moment', retryAfterS: 5 })
  try {
    return await work()
  } finally {
    end()
  }
}

async function findPerson({ db, workspace }: CrmContext, email: string) {
  const { employees } = schema
  const [row] = await db
    .select()
    .from(employees)
    .where(and(eq(employees.workspaceId, workspace.id), sql`lower(${employees.email}) = lower(${email.trim()})`))
  return row
}

/**
 * Returns the keys under which a sign-in try is counted. A known device has tries of its own, which no stranger can use up.
 * Without one the account, the address and both together count, as far as addresses can be distinguished.
 */
function countedUnder(context: CrmContext, email: string, device: string | null): CountedUnder[] {
  const account = email.trim().toLowerCase()
  if (device !== null) return [{ limit: signInLimits.device, key: `device:${account}:${device}` }]
  const address = context.countedAddress()
  const ofAddress =
    address === null
      ? []
      : [
          { limit: signInLimits.accountAndAddress, key: `account-address:${account}:${address}` },
          { limit: signInLimits.address, key: `address:${address}`, isShared: true },
        ]
  return [{ limit: signInLimits.account, key: `account:${account}` }, ...ofAddress]
}

/** Refuses a try that has to wait; any other try is counted before it is checked. */
async function requireTry(
  { deps, workspace, at }: CrmContext,
  under: readonly CountedUnder[],
): Promise<{ readonly isLast: boolean }> {
  const { waitMs, isLast } = await countSignInTry(deps.db, workspace.id, under, Date.parse(at))
  if (waitMs > 0)
    throw new ApiError('RATE_LIMITED', {
      message: 'Too many attempts to sign in',
      retryAfterS: Math.ceil(waitMs / 1_000),
    })
  return { isLast }
}

/** Writes a refused try to the audit log; of the tries that have to wait only the first is written. */
async function auditRefusal(
  context: CrmContext,
  email: string,
  person: { readonly id: string } | undefined,
  reason: 'PASSWORD' | 'UNKNOWN' | 'DISABLED' | 'THROTTLED',
): Promise<void> {
  const actor = { type: 'ANONYMOUS' as const, id: null, name: email.trim().slice(0, 255) }
  await context.transact((tx) =>
    audit(
      tx,
      { ...context, actor },
      {
        action: 'session.refused',
        outcome: 'FAILURE',
        subjectType: 'EMPLOYEE',
        subjectId: person?.id ?? null,
        summary: `A sign-in as ${actor.name} was refused`,
        data: { reason },
      },
    ),
  )
}

async function insertSession(tx: Transaction, context: CrmContext, employeeId: string, token: string): Promise<void> {
  await tx.insert(schema.sessions).values({
    workspaceId: context.workspace.id,
    employeeId,
    tokenHash: digest(token),
    createdAt: context.at,
    lastUsedAt: context.at,
    expiresAt: new Date(Date.parse(context.at) + sessionLifetimeMs).toISOString(),
    address: context.address(),
    userAgent: userAgentOf(context.requestHeaders),
  })
}

async function deleteSession(tx: Transaction, { workspace, caller }: CrmContext, id: string): Promise<number> {
  const { sessions: table } = schema
  const { rowCount } = await tx
    .delete(table)
    .where(and(eq(table.workspaceId, workspace.id), eq(table.employeeId, caller.employee.id), eq(table.id, id)))
  return rowCount ?? 0
}

async function replacePassword(tx: Transaction, context: CrmContext, passwordHash: string): Promise<number> {
  const { workspace, caller, at } = context
  const { employees, sessions: table } = schema
  await tx
    .update(employees)
    .set({ passwordHash, updatedAt: at })
    .where(and(eq(employees.workspaceId, workspace.id), eq(employees.id, caller.employee.id)))
  const { rowCount } = await tx
    .delete(table)
    .where(
      and(
        eq(table.workspaceId, workspace.id),
        eq(table.employeeId, caller.employee.id),
        ne(table.id, caller.credential.id),
      ),
    )
  await audit(tx, context, {
    action: 'password.changed',
    subjectType: 'EMPLOYEE',
    subjectId: caller.employee.id,
    summary: `${caller.employee.name} changed their password`,
  })
  return rowCount ?? 0
}

function cookieFor({ workspace }: CrmContext, token: string, maxAgeS: number): string {
  const secure = workspace.baseUrl.startsWith('https:') ? '; Secure' : ''
  return `${sessionCookie}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeS}${secure}`
}

async function describePerson({ db, workspace }: CrmContext, person: typeof schema.employees.$inferSelect) {
  const { employeeRoles, roles } = schema
  const held = await db
    .select({ id: roles.id, permissions: roles.permissions, access: roles.access })
    .from(employeeRoles)
    .innerJoin(roles, and(eq(roles.workspaceId, employeeRoles.workspaceId), eq(roles.id, employeeRoles.roleId)))
    .where(and(eq(employeeRoles.workspaceId, workspace.id), eq(employeeRoles.employeeId, person.id)))
  return {
    id: person.id,
    email: person.email,
    name: fullName(person),
    roleIds: held.map((role) => role.id),
    permissions: [...unitePermissions(held)],
  }
}
