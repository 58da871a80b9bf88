import { isAnyOf, schema, type Executor, type Transaction } from '@crm/db'
import { and, asc, count, desc, eq, isNull, type SQL } from 'drizzle-orm'

const { automationRules, deliveries, outbox, ruleRuns } = schema

export type RuleRunRow = typeof ruleRuns.$inferSelect
export type RuleRow = typeof automationRules.$inferSelect

/** Returns one page of rules, newest first. */
export async function listRules(
  db: Executor,
  workspaceId: string,
  event: string | undefined,
  limit: number,
  offset: number,
) {
  const where = and(eq(automationRules.workspaceId, workspaceId), event ? eq(automationRules.event, event) : undefined)
  const [total] = await db.select({ n: count() }).from(automationRules).where(where)
  const items = await db
    .select()
    .from(automationRules)
    .where(where)
    .orderBy(desc(automationRules.createdAt), desc(automationRules.id))
    .limit(limit)
    .offset(offset)
  return { items, total: total?.n ?? 0 }
}

/** Returns one rule, or undefined. */
export async function findRule(db: Executor, workspaceId: string, id: string): Promise<RuleRow | undefined> {
  const [row] = await db.select().from(automationRules).where(isRule(workspaceId, id))
  return row
}

export async function insertRule(tx: Transaction, values: typeof automationRules.$inferInsert): Promise<RuleRow> {
  const [row] = await tx.insert(automationRules).values(values).returning()
  return row as RuleRow
}

/** Changes a rule; undefined when there is none. */
export async function updateRule(
  tx: Transaction,
  workspaceId: string,
  id: string,
  set: Partial<typeof automationRules.$inferInsert>,
): Promise<RuleRow | undefined> {
  const [row] = await tx.update(automationRules).set(set).where(isRule(workspaceId, id)).returning()
  return row
}

/** Deletes a rule with its runs; its deliveries stay. Returns undefined when there is none. */
export async function deleteRule(tx: Transaction, workspaceId: string, id: string): Promise<RuleRow | undefined> {
  const [row] = await tx.delete(automationRules).where(isRule(workspaceId, id)).returning()
  return row
}

/** Returns one page of a rule's runs with the ids of their deliveries, newest first. */
export async function listRuleRuns(
  db: Executor,
  workspaceId: string,
  ruleId: string,
  state: RuleRunRow['state'] | undefined,
  limit: number,
  offset: number,
) {
  const where = and(
    eq(ruleRuns.workspaceId, workspaceId),
    eq(ruleRuns.ruleId, ruleId),
    state ? eq(ruleRuns.state, state) : undefined,
  )
  const [total] = await db.select({ n: count() }).from(ruleRuns).where(where)
  const runs = await db.select().from(ruleRuns).where(where).orderBy(desc(ruleRuns.id)).limit(limit).offset(offset)
  const sent =
    runs.length === 0
      ? []
      : await deliveriesOf(
          db,
          workspaceId,
          runs.map(({ id }) => id),
        )
  const idsByRun = Map.groupBy(sent, ({ ruleRunId }) => ruleRunId)
  return {
    items: runs.map((run) => ({ ...run, deliveryIds: (idsByRun.get(run.id) ?? []).map(({ id }) => id) })),
    total: total?.n ?? 0,
  }
}

/** Returns a run of a rule, locked; undefined when there is none. */
export async function lockRuleRun(
  tx: Transaction,
  workspaceId: string,
  ruleId: string,
  id: string,
): Promise<RuleRunRow | undefined> {
  const [run] = await tx
    .select()
    .from(ruleRuns)
    .where(and(eq(ruleRuns.workspaceId, workspaceId), eq(ruleRuns.ruleId, ruleId), eq(ruleRuns.id, id)))
    .for('update')
  return run
}

/** Queues a skipped run again; it continues after the deliveries that were tried. */
export async function requeueRuleRun(
  tx: Transaction,
  { workspaceId, id, skipped }: RuleRunRow,
  at: string,
): Promise<void> {
  await tx
    .update(ruleRuns)
    .set({ state: 'QUEUED', skipped: null, startedAt: at, finishedAt: null })
    .where(and(eq(ruleRuns.workspaceId, workspaceId), eq(ruleRuns.id, id)))
  const row = {
    topic: 'rule' as const,
    event: 'rule.queued',
    entityType: 'RULE_RUN',
    entityId: id,
    payload: skipped ?? {},
    attempts: 0,
    relayedAt: null,
    doneAt: null,
  }
  await tx
    .insert(outbox)
    .values({ workspaceId, id, ...row })
    .onConflictDoUpdate({ target: [outbox.workspaceId, outbox.id], set: row })
}

function deliveriesOf(db: Executor, workspaceId: string, runIds: readonly string[]) {
  return db
    .select({ id: deliveries.id, ruleRunId: deliveries.ruleRunId })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.workspaceId, workspaceId),
        isAnyOf(deliveries.ruleRunId, runIds),
        isNull(deliveries.redeliveryOf),
      ),
    )
    .orderBy(asc(deliveries.id))
}

function isRule(workspaceId: string, id: string): SQL {
  return and(eq(automationRules.workspaceId, workspaceId), eq(automationRules.id, id)) as SQL
}
