import { schema, type Executor, type Transaction } from '@crm/db'
import { digest, instantText, newSecret, sessionEnd, sessionExpiry } from '@crm/identity'
import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import { audit, changingWorkspace, userAgentOf } from '../../records/audit.ts'

const { sessions, workspaces } = schema

/** The way in which a session begins. */
export interface SessionStart {
  readonly employeeId: string
  readonly method: schema.SignInMethod
  readonly secondFactor: boolean
  /** The longest life in hours, where the way of signing in sets one of its own. */
  readonly hoursMax?: number | null
  /** The sign-in at an identity provider that it began with. */
  readonly ssoId?: string | null
}

/** Inserts a session and returns the value of its cookie. */
export async function insertSession(tx: Transaction, context: CrmContext, start: SessionStart): Promise<string> {
  const { workspace, at } = context
  const token = newSecret()
  await tx.insert(sessions).values({
    ...start,
    workspaceId: workspace.id,
    tokenHash: digest(token),
    createdAt: at,
    lastUsedAt: at,
    authenticatedAt: at,
    expiresAt: new Date(Date.parse(at) + sessionIdleMs(context)).toISOString(),
    address: context.address(),
    userAgent: userAgentOf(context.requestHeaders),
  })
  return token
}

/** Returns how long a session lasts without a use. */
export function sessionIdleMs({ workspace }: Pick<CrmContext, 'workspace'>): number {
  return workspace.signInPolicy.sessionIdleHours * 3_600_000
}

/** Makes a session fresh and returns the new value of its cookie. */
export async function renewSession(tx: Transaction, { workspace, at }: CrmContext, id: string): Promise<string> {
  const token = newSecret()
  await tx
    .update(sessions)
    .set({ tokenHash: digest(token), authenticatedAt: at })
    .where(and(eq(sessions.workspaceId, workspace.id), eq(sessions.id, id)))
  return token
}

/** Whether the session of the request has not been ended since it arrived. */
export async function isStillSession(db: Executor, { workspace, caller }: CrmContext): Promise<boolean> {
  const [found] = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.workspaceId, workspace.id), eq(sessions.id, caller.credential.id)))
  return found !== undefined
}

/** Reads the sessions of a person that have not ended, the last used first. */
export async function readSessions(db: Executor, { workspace, caller, at }: CrmContext, employeeId: string) {
  const expiry = sessionExpiry('sessions', 'workspaces')
  const rows = await db
    .select({
      id: sessions.id,
      createdAt: sessions.createdAt,
      lastUsedAt: sessions.lastUsedAt,
      expiresAt: sql<string>`${sql.raw(instantText(expiry))}`,
      endsAt: sql<string>`${sql.raw(instantText(sessionEnd('sessions', 'workspaces')))}`,
      method: sessions.method,
      secondFactor: sessions.secondFactor,
      address: sessions.address,
      userAgent: sessions.userAgent,
    })
    .from(sessions)
    .innerJoin(workspaces, eq(workspaces.id, sessions.workspaceId))
    .where(
      and(
        eq(sessions.workspaceId, workspace.id),
        eq(sessions.employeeId, employeeId),
        sql`${sql.raw(expiry)} > ${at}::timestamptz`,
      ),
    )
    .orderBy(desc(sessions.lastUsedAt))
  return rows.map((row) => ({ ...row, isCurrent: row.id === caller.credential.id }))
}

/** The sessions of a person: one of them, or all but one. */
export interface SessionChoice {
  readonly employeeId: string
  readonly id?: string
  readonly exceptId?: string
}

/** Ends sessions of a person, writes it down, and returns how many there were. */
export async function endSessionsNoted(
  context: CrmContext,
  choice: SessionChoice,
  person: { readonly id: string; readonly name: string },
): Promise<number> {
  return changingWorkspace(context, async (tx) => {
    const endedSessions = await endSessions(tx, context, choice)
    if (endedSessions > 0)
      await audit(tx, context, {
        action: 'session.ended',
        subjectType: 'EMPLOYEE',
        subjectId: person.id,
        summary: `Ended sessions of ${person.name}`,
        data: { endedSessions },
      })
    return endedSessions
  })
}

/** Ends sessions of a person and returns how many there were. */
export async function endSessions(
  tx: Transaction,
  { workspace }: Pick<CrmContext, 'workspace'>,
  { employeeId, id, exceptId }: SessionChoice,
): Promise<number> {
  const { rowCount } = await tx
    .delete(sessions)
    .where(
      and(
        eq(sessions.workspaceId, workspace.id),
        eq(sessions.employeeId, employeeId),
        id === undefined ? undefined : eq(sessions.id, id),
        exceptId === undefined ? undefined : ne(sessions.id, exceptId),
      ),
    )
  return rowCount ?? 0
}
