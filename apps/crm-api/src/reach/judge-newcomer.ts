import { readRights, type Executor } from '@crm/db'
import { findBreach, reachIn } from '@crm/permissions'

/** The rights of a person who is not in the workspace yet. */
export interface Newcomer {
  readonly roleIds: readonly string[]
  readonly departmentId: string | null
}

/** An id that nobody has. */
const newcomerId = 'newcomer'

/** Whether somebody may let a new person have these rights; only active people who manage people may. */
export async function mayLetIn(
  db: Executor,
  workspaceId: string,
  inviterId: string,
  { roleIds, departmentId }: Newcomer,
): Promise<boolean> {
  const before = await readRights(db, workspaceId, [inviterId])
  if (!before.people.some(({ id, isActive }) => id === inviterId && isActive)) return false
  const mine = reachIn(before, inviterId)
  if (!mine.extents.has('MANAGE_USERS')) return false
  const newcomer = { id: newcomerId, departmentId, roleIds: [...roleIds], isActive: true }
  const after = { ...before, people: [...before.people, newcomer] }
  return findBreach(before, after, mine, { gives: true, takes: false }) === null
}
