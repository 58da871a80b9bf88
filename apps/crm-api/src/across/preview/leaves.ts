import { conditionData, readChangeEvent, type Leave, type RuleAction } from '@crm/contract'
import { isPublishedVersion, isAnyOf, schema, type ChangeRecord, type Executor, type OutboxEvent } from '@crm/db'
import type { Caller } from '@crm/identity'
import { evaluateConditions, type Condition } from '@crm/templates'
import { and, eq } from 'drizzle-orm'

const { automationRules, workflows, workflowVersions } = schema

/** Returns the mails, deliveries, runs and jobs that a request would set off. */
export async function readLeaves(
  tx: Executor,
  workspaceId: string,
  caller: Pick<Caller, 'effective'>,
  written: readonly ChangeRecord[],
): Promise<readonly Leave[]> {
  const events = written.flatMap(({ events: some = [], at, actor }) =>
    some.map((event) => ({ ...event, payload: { ...event.payload, at, actor } })),
  )
  const mayName = caller.effective.has('MANAGE_WORKFLOWS')
  const told = (leave: Leave): Leave => (mayName ? leave : { ...leave, name: null, to: [] })
  return [
    ...events.flatMap(leavesAtOnce),
    ...(
      await automationOf(
        tx,
        workspaceId,
        events.filter(({ topic }) => topic === 'change'),
      )
    ).map(told),
  ]
}

function leavesAtOnce({ topic, event, payload = {} }: OutboxEvent): readonly Leave[] {
  const { mail } = payload as { readonly mail?: { readonly to?: readonly string[]; readonly cc?: readonly string[] } }
  if (topic === 'job') return [{ kind: 'JOB', name: event, to: [] }]
  if (topic === 'run') return [{ kind: 'RUN', name: event, to: [] }]
  return topic === 'mail' ? [{ kind: 'MAIL', name: event, to: [...(mail?.to ?? []), ...(mail?.cc ?? [])] }] : []
}

/** Returns the rules and workflows whose conditions hold for one of the changes. */
async function automationOf(
  tx: Executor,
  workspaceId: string,
  events: readonly OutboxEvent[],
): Promise<readonly Leave[]> {
  const names = [...new Set(events.map(({ event }) => event))]
  if (names.length === 0) return []
  const rules = await tx
    .select({
      name: automationRules.name,
      event: automationRules.event,
      conditions: automationRules.conditions,
      actions: automationRules.actions,
    })
    .from(automationRules)
    .where(
      and(
        eq(automationRules.workspaceId, workspaceId),
        isAnyOf(automationRules.event, names),
        automationRules.isActive,
      ),
    )
  const listening = await tx
    .select({ name: workflows.name, event: workflows.listensTo, trigger: workflowVersions.trigger })
    .from(workflows)
    .innerJoin(workflowVersions, isPublishedVersion())
    .where(and(eq(workflows.workspaceId, workspaceId), isAnyOf(workflows.listensTo, names)))
  const holds = (name: string | null, conditions: unknown): number =>
    events.filter(
      (event) =>
        event.event === name &&
        evaluateConditions((conditions ?? []) as readonly Condition[], conditionData(changeOf(workspaceId, event))),
    ).length
  return [
    ...rules.flatMap(({ name, event, conditions, actions }) =>
      Array.from({ length: holds(event, conditions) }, () =>
        leavesOfRule(name, actions as unknown as readonly RuleAction[]),
      ).flat(),
    ),
    ...listening.flatMap(({ name, event, trigger }) =>
      Array.from({ length: holds(event, trigger['conditions']) }, (): Leave => ({ kind: 'RUN', name, to: [] })),
    ),
  ]
}

function changeOf(workspaceId: string, { event, entityType, entityId, payload = {} }: OutboxEvent) {
  const of = { entityType: entityType ?? null, entityId: entityId ?? null }
  return readChangeEvent({ event, ...of, workspaceId, createdAt: '', payload })
}

function leavesOfRule(name: string, actions: readonly RuleAction[]): readonly Leave[] {
  return actions.map(({ url }) => ({ kind: 'DELIVERY', name, to: [hostOf(url)] }))
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url
}
