import { and, eq } from 'drizzle-orm'
import { scimPeople, type employees } from './schema/index.ts'
import type { PeopleTransaction } from './way-in.ts'

/** Notes that somebody chose the state of a person by hand, so that no directory undoes it as its own. */
export async function noteStatusByHand(tx: PeopleTransaction, workspaceId: string, employeeId: string): Promise<void> {
  await tx
    .update(scimPeople)
    .set({ isSuspended: false })
    .where(and(eq(scimPeople.workspaceId, workspaceId), eq(scimPeople.employeeId, employeeId)))
}

type PersonStatus = (typeof employees.$inferSelect)['status']

/** Returns the name under which the audit log keeps a change of a person, by their state before and after. */
export function personAction(from: PersonStatus, to: PersonStatus): string {
  if (from === to) return 'user.changed'
  return { ACTIVE: 'user.reactivated', SUSPENDED: 'user.suspended', TERMINATED: 'user.terminated' }[to]
}
