import { inPart, schema } from '@crm/db'
import { doSharedWork, type RoundDeps } from '@crm/jobs'
import { and, lt } from 'drizzle-orm'

const { budgetUses, proposals } = schema

const dayMs = 86_400_000
const proposalsKeptDays = 90
const usesKeptDays = 7

/** Deletes proposals whose time was over long ago, and what credentials used on days that are past. */
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
}
