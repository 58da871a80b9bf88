import type { ViaType } from '@crm/permissions'
import { and, desc, eq, gt, lt, sql } from 'drizzle-orm'
import type { Database } from './client.ts'
import { newId } from './new-id.ts'
import { agentSessions } from './schema/agents.ts'
import { inTransaction } from './transaction.ts'

/** The agent of a call: a key or a client, with the rights of a person. */
export interface Agent {
  readonly workspaceId: string
  readonly employeeId: string
  readonly viaType: ViaType
  readonly viaId: string
  readonly viaName: string
}

/** Calls of one agent that lie close together, in milliseconds since 1970, and how they ended. */
export interface AgentCallCounts {
  readonly firstMs: number
  readonly lastMs: number
  readonly reads: number
  readonly writes: number
  readonly refusals: number
}

/**
 * Adds calls to the session of an agent to which they belong, or begins one. Processes that note calls of one agent at the same time take
 * turns, so that they share its session.
 * @param pauseMs the pause after which a call begins a session
 */
export function noteAgentCalls(
  db: Database,
  agent: Agent,
  { firstMs, lastMs, reads, writes, refusals }: AgentCallCounts,
  pauseMs: number,
): Promise<void> {
  const { workspaceId, employeeId, viaId } = agent
  const at = (ms: number): string => new Date(ms).toISOString()
  return inTransaction(db, undefined, async (tx) => {
    const name = `${workspaceId} agent ${viaId} ${employeeId}`
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
    const [session] = await tx
      .select({ id: agentSessions.id })
      .from(agentSessions)
      .where(
        and(
          eq(agentSessions.workspaceId, workspaceId),
          eq(agentSessions.viaId, viaId),
          eq(agentSessions.employeeId, employeeId),
          gt(agentSessions.lastAt, at(firstMs - pauseMs)),
          lt(agentSessions.startedAt, at(lastMs + pauseMs)),
        ),
      )
      .orderBy(desc(agentSessions.startedAt))
      .limit(1)
    if (!session) {
      const times = { startedAt: at(firstMs), lastAt: at(lastMs) }
      await tx.insert(agentSessions).values({ ...agent, id: newId(), ...times, reads, writes, refusals })
      return
    }
    await tx
      .update(agentSessions)
      .set({
        viaName: agent.viaName,
        startedAt: sql`least(${agentSessions.startedAt}, ${at(firstMs)}::timestamptz)`,
        lastAt: sql`greatest(${agentSessions.lastAt}, ${at(lastMs)}::timestamptz)`,
        reads: sql`${agentSessions.reads} + ${reads}`,
        writes: sql`${agentSessions.writes} + ${writes}`,
        refusals: sql`${agentSessions.refusals} + ${refusals}`,
      })
      .where(and(eq(agentSessions.workspaceId, workspaceId), eq(agentSessions.id, session.id)))
  })
}
