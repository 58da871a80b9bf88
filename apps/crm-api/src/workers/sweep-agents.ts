import { inPart, schema } from '@crm/db'
import { doSharedWork, type RoundDeps } from '@crm/jobs'
import { and, lt } from 'drizzle-orm'

const { agentActs, agentSessions, budgetUses, confirmations, proposals } = schema

const dayMs = 86_400_000
const proposalsKeptDays = 90
const usesKeptDays = 7
const sessionsKeptDays = 90

/** Deletes what is kept of agents for a time: proposals, sessions, what was used of days, and questions to people. */
export async function sweepAgents(deps: RoundDeps): Promise<void> {
  const { db, clock } = deps
  const before = (days: number): string => new Date(clock.now().getTime() - days * dayMs).toISOString()
  await doSharedWork(deps, {
    name: 'delete-old-proposals',
    perform: (part) =>
      db
        .delete(proposals)
        .where(and(lt(proposals.expiresAt, before(proposalsKeptDays)), inPart(proposals.workspaceId, part))),
  })
  await doSharedWork(deps, {
    name: 'delete-old-budgets',
    perform: (part) =>
      db
        .delete(budgetUses)
        .where(and(lt(budgetUses.createdAt, before(usesKeptDays)), inPart(budgetUses.workspaceId, part))),
  })
  await doSharedWork(deps, {
    name: 'delete-old-agent-sessions',
    perform: (part) =>
      db
        .delete(agentSessions)
        .where(and(lt(agentSessions.lastAt, before(sessionsKeptDays)), inPart(agentSessions.workspaceId, part))),
  })
  await doSharedWork(deps, {
    name: 'delete-old-agent-acts',
    perform: (part) =>
      db.delete(agentActs).where(and(lt(agentActs.at, before(sessionsKeptDays)), inPart(agentActs.workspaceId, part))),
  })
  await doSharedWork(deps, {
    name: 'delete-old-confirmations',
    perform: (part) =>
      db
        .delete(confirmations)
        .where(and(lt(confirmations.expiresAt, before(1)), inPart(confirmations.workspaceId, part))),
  })
}
