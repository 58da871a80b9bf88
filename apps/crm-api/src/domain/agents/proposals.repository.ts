import { schema, type Executor, type Transaction } from '@crm/db'
import { and, eq, gt, lte, or, type SQL } from 'drizzle-orm'

const { proposals } = schema

export type ProposalRow = typeof proposals.$inferSelect
type ProposalState = ProposalRow['state']

/** Returns the condition for proposals in a state; one whose time is over counts as expired. */
export function inState(state: ProposalState, at: string): SQL {
  const isState = eq(proposals.state, state)
  if (state === 'PENDING') return and(isState, gt(proposals.expiresAt, at)) as SQL
  if (state !== 'EXPIRED') return isState
  return or(isState, and(eq(proposals.state, 'PENDING'), lte(proposals.expiresAt, at))) as SQL
}

/** Returns the state of a proposal at a moment. */
export function stateAt({ state, expiresAt }: Pick<ProposalRow, 'state' | 'expiresAt'>, at: string): ProposalState {
  return state === 'PENDING' && expiresAt <= at ? 'EXPIRED' : state
}

/** Returns one proposal, locked where it is to be decided. */
export async function findProposal(
  db: Executor,
  workspaceId: string,
  id: string,
  { isLocked = false }: { readonly isLocked?: boolean } = {},
): Promise<ProposalRow | undefined> {
  const asked = db
    .select()
    .from(proposals)
    .where(and(eq(proposals.workspaceId, workspaceId), eq(proposals.id, id)))
    .$dynamic()
  const [row] = await (isLocked ? asked.for('update') : asked)
  return row
}

/** How a proposal was decided. */
export type Decision = Pick<ProposalRow, 'state' | 'code' | 'comment' | 'decidedById'>

/** Notes how a proposal was decided, and returns it. */
export async function decideProposal(
  tx: Transaction,
  { workspaceId, id }: Pick<ProposalRow, 'workspaceId' | 'id'>,
  decision: Decision,
  at: string,
): Promise<ProposalRow> {
  const [row] = await tx
    .update(proposals)
    .set({ ...decision, decidedAt: at })
    .where(and(eq(proposals.workspaceId, workspaceId), eq(proposals.id, id)))
    .returning()
  return row as ProposalRow
}

/** Closes what credentials that were ended have proposed: nobody could do it any more. */
export async function closeProposals(
  tx: Transaction,
  workspaceId: string,
  ofCredentials: SQL,
  at: string,
): Promise<void> {
  await tx
    .update(proposals)
    .set({ state: 'EXPIRED', decidedAt: at })
    .where(and(eq(proposals.workspaceId, workspaceId), eq(proposals.state, 'PENDING'), ofCredentials))
}

/** Lets the proposals of a replaced key wait for the word about its successor. */
export async function handOnProposals(tx: Transaction, workspaceId: string, from: string, to: string): Promise<void> {
  await tx
    .update(proposals)
    .set({ credentialId: to })
    .where(
      and(eq(proposals.workspaceId, workspaceId), eq(proposals.state, 'PENDING'), eq(proposals.credentialId, from)),
    )
}
