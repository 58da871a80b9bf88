import { automationRules, conditionData, success, type RuleAction, type RuleInput } from '@crm/contract'
import { type Executor, type FieldChange, fieldChanges, type FrozenRequest, newId, type Transaction } from '@crm/db'
import { freezeRequest } from '@crm/egress'
import { ApiError, invalidField } from '@crm/errors'
import { ruleHeaders, sealHeaders } from '@crm/secrets'
import { evaluateConditions, TemplateError, type Condition } from '@crm/templates'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit } from '../../../records/audit.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import { hideHeaders, keepActions } from '../automation/header-secrets.ts'
import { findAddresses, refuseIssues, type Findings, type Path, type Warning } from '../automation/findings.ts'
import { refuseUnknownEvent } from '../automation/known-events.ts'
import { checkRule } from './automation-rules.check.ts'
import {
  deleteRule,
  findRule,
  insertRule,
  listRuleRuns,
  lockRuleRun,
  requeueRuleRun,
  listRules,
  updateRule,
  type RuleRow,
} from './automation-rules.repository.ts'
import { sampleChange } from './automation-rules.sample.ts'
import { insertTestDelivery } from './deliveries.repository.ts'
import { deliveryRecord, sendDelivery } from './deliveries.sending.ts'

export const implementedAutomationRules = implement(automationRules, {
  list: async ({ query }, context) => {
    const { items, total } = await listRules(
      context.db,
      context.workspace.id,
      query.event,
      query.pageSize,
      offsetOf(query),
    )
    return pageOf({ items: items.map((row) => toRecord(context, row)), total }, query)
  },

  get: async ({ params }, context) => success(toRecord(context, await requireRule(context.db, context, params.id))),

  create: async ({ body }, context) => {
    await refuseUnknownEvent(context, body.trigger.event)
    const actions = keepActions(body.actions, [])
    const { warnings } = await check(context, body.trigger, actions)
    const { workspace, caller, at } = context
    const id = newId()
    return context.transact(async (tx) => {
      const stamps = { createdById: caller.employee.id, createdAt: at, updatedAt: at }
      const row = await insertRule(tx, {
        workspaceId: workspace.id,
        id,
        name: body.name,
        isActive: body.isActive,
        ...toColumns({ ...body, actions: await sealActions(tx, context, id, actions) }),
        ...stamps,
      })
      await trace(tx, context, 'automation-rule.created', row)
      return success(toRecord(context, row, warnings))
    })
  },

  update: async ({ params, body }, context) => {
    const current = await requireRule(context.db, context, params.id)
    if (body.trigger) await refuseUnknownEvent(context, body.trigger.event)
    const actions = body.actions && keepActions(body.actions, actionsOf(current))
    const { warnings } = await check(
      context,
      body.trigger ?? { event: current.event, conditions: conditionsOf(current) },
      actions ?? actionsOf(current),
    )
    return context.transact(async (tx) => {
      // A paused rule that is switched on by hand starts to count failures again.
      const resumed = body.isActive === true ? { failuresInRow: 0, pausedAt: null } : {}
      const { name, isActive } = body
      const row = await updateRule(tx, context.workspace.id, params.id, {
        ...definedOnly({ name, isActive }),
        ...toColumns({ ...body, actions: actions && (await sealActions(tx, context, params.id, actions)) }),
        ...resumed,
        updatedAt: context.at,
      })
      if (!row) throw notFound()
      await trace(tx, context, 'automation-rule.changed', row, fieldChanges(shownSettings(current), shownSettings(row)))
      return success(toRecord(context, row, warnings))
    })
  },

  delete: async ({ params }, context) =>
    context.transact(async (tx) => {
      const row = await deleteRule(tx, context.workspace.id, params.id)
      if (!row) throw notFound()
      await trace(tx, context, 'automation-rule.deleted', row)
      return success({ id: params.id })
    }),

  runs: async ({ params, query }, context) => {
    await requireRule(context.db, context, params.id)
    const { items, total } = await listRuleRuns(
      context.db,
      context.workspace.id,
      params.id,
      query.state,
      query.pageSize,
      offsetOf(query),
    )
    return pageOf({ items, total }, query)
  },

  replayRun: async ({ params }, context) =>
    context.transact(async (tx) => {
      const rule = await requireRule(tx, context, params.id)
      const run = await lockRuleRun(tx, context.workspace.id, params.id, params.runId)
      if (!run) throw new ApiError('NOT_FOUND', { message: 'There is no such run' })
      if (run.state !== 'SKIPPED')
        throw context.refuse('INVALID_TRANSITION', { message: 'Only a skipped run can be replayed' })
      if (!rule.isActive) throw context.refuse('INVALID_TRANSITION', { message: 'The rule is switched off' })
      await requeueRuleRun(tx, run, context.at)
      await trace(tx, context, 'automation-rule.run-replayed', rule)
      return success({ id: run.id })
    }),

  test: async ({ params, body }, context) => {
    const rule = await requireRule(context.db, context, params.id)
    const { workspace, at } = context
    const change = sampleChange(rule.event, { tenantId: workspace.id, at, data: body.data })
    const requests = actionsOf(rule).map((action, index) =>
      planRequest(action, change, ['actions', index, 'bodyTemplate']),
    )
    const ids = await context.transact(async (tx) => {
      await trace(tx, context, 'automation-rule.tested', rule)
      const inserted: string[] = []
      for (const request of requests)
        inserted.push(await insertTestDelivery(tx, { workspaceId: workspace.id, ruleId: rule.id, request }, at))
      return inserted
    })
    const sent = await Promise.all(
      requests.map((request, index) =>
        sendDelivery(context, ids[index] as string, request, ruleHeaders(workspace.id, rule.id)),
      ),
    )
    return success({
      fires: evaluateConditions(conditionsOf(rule) as Condition[], conditionData(change)),
      deliveries: sent.map(deliveryRecord),
    })
  },
})

/** Returns the request of an action, in the form in which the dispatcher sends it. */
function planRequest(action: RuleAction, change: unknown, path: Path): FrozenRequest {
  try {
    return freezeRequest(action, change, JSON.stringify(change))
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    throw invalidField(path, error.message)
  }
}

type Conditions = RuleInput['trigger']['conditions']

function conditionsOf(row: RuleRow): Conditions {
  return row.conditions as unknown as Conditions
}

function actionsOf(row: RuleRow): readonly RuleAction[] {
  return row.actions as unknown as readonly RuleAction[]
}

function sealActions(
  tx: Transaction,
  { deps, workspace }: CrmContext,
  ruleId: string,
  actions: readonly RuleAction[],
): Promise<readonly RuleAction[]> {
  return sealHeaders(deps.secrets, tx, ruleHeaders(workspace.id, ruleId), actions)
}

/** Returns the declared settings in the form of the columns. */
function toColumns({
  trigger,
  actions,
}: {
  readonly trigger?: RuleInput['trigger']
  readonly actions?: readonly RuleAction[]
}) {
  return {
    ...(trigger ? { event: trigger.event, conditions: trigger.conditions } : {}),
    ...(actions ? { actions: actions as unknown as Record<string, unknown>[] } : {}),
  } as { event: string; conditions: Record<string, unknown>[]; actions: Record<string, unknown>[] }
}

function definedOnly<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>
}

async function check(
  { deps }: CrmContext,
  { event, conditions }: RuleInput['trigger'],
  actions: readonly RuleAction[],
): Promise<Findings> {
  const allowCidrs = deps.outboundAllowCidrs ?? []
  const found = checkRule({ event, conditions, actions }, allowCidrs)
  refuseIssues(found)
  await findAddresses(
    found,
    actions.map(({ url }, index) => ({ path: ['actions', index], url })),
    { allowCidrs, resolver: deps.outboundResolver },
  )
  refuseIssues(found)
  return found
}

async function requireRule(db: Executor, { workspace }: CrmContext, id: string): Promise<RuleRow> {
  const row = await findRule(db, workspace.id, id)
  if (!row) throw notFound()
  return row
}

function notFound(): ApiError {
  return new ApiError('NOT_FOUND', { message: 'There is no such automation rule' })
}

/** Returns the settings of a rule that the audit log compares; never the value of a header. */
function shownSettings({ name, isActive, event, conditions, actions }: RuleRow) {
  return { name, isActive, event, conditions, actions: actions.map(hideHeaders) }
}

async function trace(
  tx: Transaction,
  context: CrmContext,
  action: string,
  { id, name }: RuleRow,
  changes?: readonly FieldChange[],
): Promise<void> {
  await audit(tx, context, {
    action,
    subjectType: 'AUTOMATION_RULE',
    subjectId: id,
    summary: `The automation rule ${name}`,
    changes,
  })
}

function toRecord({ deps }: CrmContext, row: RuleRow, warnings?: readonly Warning[]) {
  const { workspaceId: _workspace, event, conditions, actions, ...record } = row
  const found =
    warnings ??
    checkRule({ event, conditions: conditionsOf(row), actions: actionsOf(row) }, deps.outboundAllowCidrs ?? []).warnings
  return {
    ...record,
    trigger: { event, conditions: [...conditions] },
    actions: actions.map(hideHeaders),
    warnings: [...found],
  }
}
