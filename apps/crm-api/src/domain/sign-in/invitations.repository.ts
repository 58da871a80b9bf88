import { newId, schema, type Executor, type Transaction, isAddress } from '@crm/db'
import { digest } from '@crm/identity'
import { and, count, desc, eq, gt, lte, ne, sql, type SQL } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import { offsetOf } from '../../records/pages.ts'

const { invitations } = schema

export type Invitation = typeof invitations.$inferSelect

/** The workspace of an invitation. */
interface OfWorkspace {
  readonly workspace: Pick<CrmContext['workspace'], 'id'>
}

const inWorkspace = ({ workspace }: OfWorkspace): SQL => eq(invitations.workspaceId, workspace.id)

/** Returns the invitation as it is at a time: a pending one whose end has passed is expired. */
function asOf(invitation: Invitation, at: string): Invitation {
  const isOver = invitation.status === 'PENDING' && Date.parse(invitation.expiresAt) <= Date.parse(at)
  return isOver ? { ...invitation, status: 'EXPIRED' } : invitation
}

/** Reads a page of invitations, the newest first. */
export async function listInvitations(
  context: CrmContext,
  query: { readonly status?: Invitation['status']; readonly page: number; readonly pageSize: number },
): Promise<{ items: Invitation[]; total: number }> {
  const where = and(inWorkspace(context), query.status && hasStatus(query.status, context.at))
  const [total] = await context.db.select({ n: count() }).from(invitations).where(where)
  const rows = await context.db
    .select()
    .from(invitations)
    .where(where)
    .orderBy(desc(invitations.createdAt), desc(invitations.id))
    .limit(query.pageSize)
    .offset(offsetOf(query))
  return { items: rows.map((row) => asOf(row, context.at)), total: total?.n ?? 0 }
}

function hasStatus(status: Invitation['status'], at: string): SQL | undefined {
  if (status === 'PENDING') return and(eq(invitations.status, status), gt(invitations.expiresAt, at))
  if (status === 'EXPIRED')
    return sql`(${invitations.status} = 'EXPIRED' OR ${and(eq(invitations.status, 'PENDING'), lte(invitations.expiresAt, at))})`
  return eq(invitations.status, status)
}

/** Reads an invitation by its id. */
export async function readInvitation(
  db: Executor,
  context: Pick<CrmContext, 'workspace' | 'at'>,
  id: string,
): Promise<Invitation | undefined> {
  const [row] = await db
    .select()
    .from(invitations)
    .where(and(inWorkspace(context), eq(invitations.id, id)))
  return row && asOf(row, context.at)
}

/** Finds an open invitation by the token of its last link; `tx` locks it. */
export async function findOpenInvitation(
  db: Executor,
  context: Pick<CrmContext, 'workspace' | 'at'>,
  token: string,
  { locks = false } = {},
): Promise<Invitation | undefined> {
  const found = db
    .select()
    .from(invitations)
    .where(
      and(
        inWorkspace(context),
        eq(invitations.tokenHash, digest(token)),
        eq(invitations.status, 'PENDING'),
        gt(invitations.expiresAt, context.at),
      ),
    )
  const [row] = await (locks ? found.for('update') : found)
  return row
}

/** The parts of a new invitation that its inviter chooses. */
export type InvitedPerson = Pick<Invitation, 'email' | 'roleIds'> &
  Partial<Pick<Invitation, 'firstName' | 'lastName' | 'departmentId' | 'managerId'>>

/** Inserts an invitation; null while another one for the address is open. */
export async function insertInvitation(
  tx: Transaction,
  context: CrmContext,
  person: InvitedPerson,
  token: string,
): Promise<Invitation | null> {
  const { workspace, caller, at } = context
  await endOver(tx, context, person.email)
  const [row] = await tx
    .insert(invitations)
    .values({
      ...person,
      workspaceId: workspace.id,
      id: newId(),
      invitedById: caller.employee.id,
      tokenHash: digest(token),
      createdAt: at,
      expiresAt: endOf(context),
    })
    .onConflictDoNothing()
    .returning()
  return row ?? null
}

/** Writes down that pending invitations of an address are over whose end has passed: only one may be pending. */
async function endOver(tx: Transaction, context: CrmContext, email: string): Promise<void> {
  await tx
    .update(invitations)
    .set({ status: 'EXPIRED' })
    .where(and(isFor(context, email), eq(invitations.status, 'PENDING'), lte(invitations.expiresAt, context.at)))
}

function isFor(context: CrmContext, email: string): SQL {
  return and(inWorkspace(context), isAddress(invitations.email, email)) as SQL
}

/** Gives an invitation another link, and another inviter; false while another one for the address is open. */
export async function renewInvitation(
  tx: Transaction,
  context: CrmContext,
  { id, email }: Invitation,
  { token, resentAt }: { readonly token: string; readonly resentAt: readonly string[] },
): Promise<boolean> {
  await endOver(tx, context, email)
  const [other] = await tx
    .select({ id: invitations.id })
    .from(invitations)
    .where(and(isFor(context, email), eq(invitations.status, 'PENDING'), ne(invitations.id, id)))
  if (other) return false
  await tx
    .update(invitations)
    .set({
      tokenHash: digest(token),
      resentAt: [...resentAt],
      invitedById: context.caller.employee.id,
      status: 'PENDING',
      emailSent: false,
      expiresAt: endOf(context),
    })
    .where(and(inWorkspace(context), eq(invitations.id, id)))
  return true
}

function endOf({ workspace, at }: CrmContext): string {
  return new Date(Date.parse(at) + workspace.signInPolicy.invitationHours * 3_600_000).toISOString()
}

/** Changes the state of an invitation. */
export async function setInvitation(
  db: Executor,
  context: OfWorkspace,
  id: string,
  set: Partial<Pick<Invitation, 'status' | 'emailSent' | 'employeeId' | 'tokenHash'>>,
): Promise<void> {
  await db
    .update(invitations)
    .set(set)
    .where(and(inWorkspace(context), eq(invitations.id, id)))
}

/** Reads and locks an invitation. */
export async function lockInvitation(
  tx: Transaction,
  context: OfWorkspace & Pick<CrmContext, 'at'>,
  id: string,
): Promise<Invitation | undefined> {
  const [row] = await tx
    .select()
    .from(invitations)
    .where(and(inWorkspace(context), eq(invitations.id, id)))
    .for('update')
  return row && asOf(row, context.at)
}
