import { newId, schema, type Executor, type FieldChange } from '@crm/db'
import { userInfo } from 'node:os'

/** The outcome of a command, as the audit log keeps it. */
interface CommandLine {
  /** The name that the product uses for the same action. */
  readonly action: string
  readonly subjectType: string
  readonly subjectId: string | null
  readonly summary: string
  readonly changes?: readonly FieldChange[]
}

/** Writes the outcome of a command to the audit log of the workspace, under the name of the operating system's user. */
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
    // In containers the user of a process may have no name.
    return 'unknown'
  }
}
