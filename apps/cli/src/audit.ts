import { newId, schema, type Executor, type FieldChange } from '@crm/db'
import { userInfo } from 'node:os'

/** What a command did. */
interface CommandLine {
  /** As the same deed is called when it is done in the product. */
  readonly action: string
  readonly subjectType: string
  readonly subjectId: string | null
  readonly summary: string
  readonly changes?: readonly FieldChange[]
}

/** Leaves what a command did in the audit log of the workspace, under the name of whoever is signed in to the machine. */
export async function audit(db: Executor, workspaceId: string, { changes = [], ...line }: CommandLine): Promise<void> {
  const actorName = `crm command (${operatorName()})`
  await db
    .insert(schema.auditLog)
    .values({ workspaceId, id: newId(), actorType: 'CLI', actorId: null, actorName, changes: [...changes], ...line })
}

function operatorName(): string {
  try {
    return userInfo().username
  } catch {
    // In containers a process may belong to nobody.
    return 'unknown'
  }
}
