import { sessionPauseMs } from '@crm/contract'
import { noteAgentCalls, type Agent, type AgentCallCounts, type Database } from '@crm/db'
import type { Caller, Workspace } from '@crm/identity'
import type { Clock, Logger } from '@crm/runtime'
import { LRUCache } from 'lru-cache'

/** How a call of an agent ended. */
export type AgentOutcome = 'reads' | 'writes' | 'refusals'

/** Notes the calls of agents, which make up their sessions (docs/decisions/agent-sessions.md). */
export interface AgentCalls {
  /** Makes sure, before an agent writes, that there is a session to which the write belongs. */
  begin(workspace: Pick<Workspace, 'id'>, caller: Caller): Promise<void>
  /** Counts a call; counts reach the database together, a few seconds later. */
  note(workspace: Pick<Workspace, 'id'>, caller: Caller, outcome: AgentOutcome): void
  /** Writes what is counted. */
  flush(): Promise<void>
}

/** Counts wait this long. A process that dies loses as much of them, but never a session in which something was written. */
const usualFlushMs = 5_000

/** The agents whose counts wait, and those whose sessions a process knows; beyond, counts are written early. */
const agentsMax = 5_000

interface Waiting {
  readonly agent: Agent
  readonly counts: AgentCallCounts
}

const noCalls = { reads: 0, writes: 0, refusals: 0 }

/** Makes the notes of one process. */
export function createAgentCalls({
  db,
  clock,
  logger,
  agentFlushMs: flushMs = usualFlushMs,
}: {
  readonly db: Database
  readonly clock: Clock
  readonly logger: Logger
  readonly agentFlushMs?: number
}): AgentCalls {
  // Bounded: written when it is full, and dropped where the database does not take it.
  let waiting = new Map<string, Waiting>()
  /** When each agent was last seen in a session that the database has. */
  const known = new LRUCache<string, number>({ max: agentsMax })
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  const write = async ({ agent, counts }: Waiting): Promise<void> => {
    await noteAgentCalls(db, agent, counts, sessionPauseMs)
    known.set(nameOf(agent), counts.lastMs)
  }

  const writeAll = async (): Promise<void> => {
    const taken = waiting
    waiting = new Map()
    for (const one of taken.values())
      await write(one).catch((error: unknown) => {
        logger.warn({ err: error }, 'calls of an agent were not counted')
        if (waiting.size < agentsMax) add(one)
      })
  }

  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(writeAll)
    return writing
  }

  const add = ({ agent, counts }: Waiting): void => {
    const name = nameOf(agent)
    waiting.set(name, { agent, counts: joined(waiting.get(name)?.counts, counts) })
    timer ??= setTimeout(() => void flush(), flushMs).unref()
  }

  return {
    begin: async (workspace, caller) => {
      const agent = agentOf(workspace, caller)
      const now = clock.now().getTime()
      const lastMs = agent && known.get(nameOf(agent))
      if (!agent || (lastMs !== undefined && now - lastMs < sessionPauseMs)) return
      // Reads that wait to be counted may have begun the session.
      const earlier = waiting.get(nameOf(agent))
      waiting.delete(nameOf(agent))
      if (earlier) await write(earlier)
      await write({ agent, counts: { firstMs: now, lastMs: now, ...noCalls } })
    },

    note: (workspace, caller, outcome) => {
      const agent = agentOf(workspace, caller)
      if (!agent) return
      const now = clock.now().getTime()
      add({ agent, counts: { firstMs: now, lastMs: now, ...noCalls, [outcome]: 1 } })
      const name = nameOf(agent)
      if (known.has(name)) known.set(name, now)
      if (waiting.size >= agentsMax) void flush()
    },

    flush,
  }
}

function joined(one: AgentCallCounts | undefined, other: AgentCallCounts): AgentCallCounts {
  if (!one) return other
  return {
    firstMs: Math.min(one.firstMs, other.firstMs),
    lastMs: Math.max(one.lastMs, other.lastMs),
    reads: one.reads + other.reads,
    writes: one.writes + other.writes,
    refusals: one.refusals + other.refusals,
  }
}

/** Returns the agent that a caller is; undefined for people, their workflows and directories. */
function agentOf(workspace: Pick<Workspace, 'id'>, { control, via, employee, credential }: Caller): Agent | undefined {
  if (!control) return undefined
  return {
    workspaceId: workspace.id,
    employeeId: employee.id,
    viaType: via.type,
    viaId: via.id ?? credential.id,
    viaName: via.name ?? credential.name,
  }
}

function nameOf({ workspaceId, viaId, employeeId }: Agent): string {
  return `${workspaceId} ${viaId} ${employeeId}`
}
