import { and, eq } from 'drizzle-orm'
import { scimPeople } from './schema/index.ts'
import type { PeopleTransaction } from './way-in.ts'

/** Notes that somebody chose the state of a person by hand, so that no directory undoes it as its own. */
export async function noteStatusByHand(tx: PeopleTransaction, workspaceId: string, employeeId: string): Promise<void> {
  await tx
    .update(scimPeople)
    .set({ isSuspended: false })
    .where(and(eq(scimPeople.workspaceId, workspaceId), eq(scimPeople.employeeId, employeeId)))
}
