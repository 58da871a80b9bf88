import { isUnavailable, isContention, type Database, type Replicas } from '@crm/db'
import type { Exchange, ReplicaUse } from '@crm/http'
import type { Caller, Workspace } from '@crm/identity'
import type { ChangeMarks } from '@crm/redis'

/** The replicas of an installation, and how far each credential has to see. */
export interface LateReads {
  readonly replicas: Replicas
  readonly marks: ChangeMarks
}

type CrmExchange = Exchange<Workspace, Caller>

/** The parts of the pipeline's ports that lead reads to replicas. */
export interface LateReadPorts {
  useReplica(exchange: CrmExchange): Promise<ReplicaUse | undefined>
  noteChange(exchange: CrmExchange): Promise<void>
}

/** A position that no replica reaches: without knowledge of the real one, reads go to the primary for a while. */
const unreachable = 2n ** 64n - 1n

/** Notes that credentials have seen everything that is committed now: their reads show at least that. */
export async function noteSeen(
  { replicas, marks }: LateReads,
  workspaceId: string,
  credentialIds: readonly string[],
): Promise<void> {
  const position = await replicas.position().catch(() => unreachable)
  await Promise.all(credentialIds.map((id) => marks.note(workspaceId, id, position)))
}

/** Makes the ports, and the function that returns the replica of a request that uses one. */
export function createLateReads(late: LateReads): {
  readonly ports: LateReadPorts
  readonly databaseOf: (exchange: object) => Database | undefined
} {
  const used = new WeakMap<object, Database>()
  return {
    databaseOf: (exchange) => used.get(exchange),
    ports: {
      useReplica: async (exchange) => {
        const { workspace, caller } = exchange.recognition
        if (!workspace || !caller) return undefined
        const position = await late.marks.read(workspace.id, caller.credential.id)
        const replica = position === undefined ? undefined : late.replicas.upTo(position)
        if (!replica) return undefined
        used.set(exchange, replica.db)
        return {
          giveUp: (error) => {
            used.delete(exchange)
            if (isUnavailable(error) && !isContention(error)) replica.leaveOut()
          },
        }
      },
      noteChange: async ({ recognition: { workspace, caller } }) => {
        if (workspace && caller) await noteSeen(late, workspace.id, [caller.credential.id])
      },
    },
  }
}
