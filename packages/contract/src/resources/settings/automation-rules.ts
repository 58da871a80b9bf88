import * as z from 'zod'
import { byId, id, instant, recordFields, requiredText } from '../../fields.ts'
import { found } from '../../found.ts'
import { pagedList, usualPages } from '../../lists.ts'
import { settingsResource } from '../../resource.ts'
import { data, managedBy, standard } from '../../standard.ts'
import { conditions, eventName, outboundSettings, warning } from './automation.ts'

const action = z.strictObject({ type: z.literal('WEBHOOK'), ...outboundSettings })
/** An action of a rule. */
export type RuleAction = z.output<typeof action>

const trigger = z.strictObject({ event: eventName, conditions: conditions.default([]) })
const actions = z.array(action).min(1).max(5)

const rule = z.object({
  ...recordFields,
  name: z.string(),
  isActive: z.boolean(),
  trigger: z.object({ event: z.string(), conditions: z.array(z.record(z.string(), z.unknown())) }),
  actions: z.array(z.record(z.string(), z.unknown())),
  failuresInRow: z.int(),
  pausedAt: instant.nullable().meta({ description: 'When it was paused after too many failures in a row' }),
  warnings: z.array(warning),
})

const ruleInput = z.strictObject({
  name: requiredText(200),
  isActive: z.boolean().default(true),
  trigger,
  actions,
})
export type RuleInput = z.output<typeof ruleInput>
const rulePatch = z.strictObject({
  name: requiredText(200).optional(),
  isActive: z.boolean().optional(),
  trigger: trigger.optional(),
  actions: actions.optional(),
})
export type RulePatch = z.output<typeof rulePatch>

export const ruleRunStates = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'SKIPPED'] as const

const ruleRun = z.object({
  id,
  ruleId: id,
  state: z.enum(ruleRunStates),
  event: z.string(),
  entityId: found(id.nullable(), null),
  startedAt: instant,
  finishedAt: instant.nullable(),
  deliveryIds: z.array(id),
})

const request = z.object({
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: found(z.string().nullable(), null),
})

const mayManage = { all: ['MANAGE_WORKFLOWS'] } as const
const one = '/api/settings/automation-rules/{id}'

export const deliveryStates = ['SENDING', 'SUCCEEDED', 'FAILED'] as const

const delivery = z.object({
  id,
  ruleId: id.nullable(),
  runId: id.nullable(),
  state: z.enum(deliveryStates),
  request,
  status: z.int().nullable(),
  durationMs: z.int().nullable(),
  responseBody: found(z.string().nullable(), null),
  truncated: z.boolean().meta({ description: 'Whether the answer went on after the part that is kept' }),
  error: found(z.string().nullable(), null),
  attemptedAt: instant,
  redeliveryOf: id.nullable(),
  isTest: z.boolean().meta({ description: 'Sent by the test of a rule' }),
  isHidden: found(
    z.boolean().meta({ description: 'Whether its bodies are kept from you, because you may not see a record in them' }),
    true,
  ),
})

export const automationRules = settingsResource('settings.automationRules', {
  ...standard({
    path: '/api/settings/automation-rules',
    noun: 'automation rule',
    plural: 'automation rules',
    record: rule,
    create: ruleInput,
    update: rulePatch,
    list: pagedList(rule, usualPages, { event: z.string().max(80).optional() }),
    access: managedBy(mayManage),
    reach: {
      view: 'none',
      create: 'none',
      update: { actsAs: 'automation-rule', when: ['trigger', 'actions', 'isActive'] },
      delete: { takes: 'automation-rule' },
    } as const,
  }),
  runs: {
    method: 'GET',
    path: `${one}/runs`,
    summary: 'List the runs of an automation rule, newest first',
    access: mayManage,
    reach: { reveals: 'rule-run' },
    params: byId,
    description: 'A run that waited while its rule was paused is SKIPPED; it can be replayed.',
    ...pagedList(ruleRun, usualPages, { state: z.enum(ruleRunStates).optional() }),
  },
  replayRun: {
    method: 'POST',
    path: `${one}/runs/{runId}/replay`,
    summary: 'Queue a skipped run of an automation rule again',
    access: mayManage,
    reach: { actsAs: 'automation-rule' },
    params: byId.extend({ runId: id }),
    reply: data(200, z.object({ id })),
    errors: ['INVALID_TRANSITION'],
  },
  test: {
    method: 'POST',
    path: `${one}/test`,
    summary:
      'Send the requests of a rule once, for given data or a sample, and tell whether the rule would fire for it',
    access: mayManage,
    reach: { actsAs: 'automation-rule', reveals: 'delivery' },
    params: byId,
    body: z.strictObject({ data: z.record(z.string(), z.unknown()).optional() }),
    reply: data(200, z.object({ fires: z.boolean(), deliveries: z.array(delivery) })),
  },
})

export const deliveries = settingsResource('settings.deliveries', {
  list: {
    method: 'GET',
    path: '/api/settings/deliveries',
    summary: 'List outbound requests with their answers, newest first',
    access: mayManage,
    reach: { reveals: 'delivery' },
    ...pagedList(delivery, usualPages, { ruleId: id.optional(), runId: id.optional() }),
  },
  get: {
    method: 'GET',
    path: '/api/settings/deliveries/{id}',
    summary: 'Read an outbound request with its answer',
    access: mayManage,
    reach: { reveals: 'delivery' },
    params: byId,
    reply: data(200, delivery),
  },
  redeliver: {
    method: 'POST',
    path: '/api/settings/deliveries/{id}/redeliver',
    summary: 'Send an outbound request again exactly as it was',
    access: mayManage,
    reach: { actsAs: 'delivery', reveals: 'delivery' },
    params: byId,
    reply: data(201, delivery),
    errors: ['INVALID_TRANSITION'],
  },
})
