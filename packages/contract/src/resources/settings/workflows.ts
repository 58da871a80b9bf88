import * as z from 'zod'
import { byId, id, instant, recordFields, requiredText } from '../../fields.ts'
import { found } from '../../found.ts'
import { pagedList, usualPages } from '../../lists.ts'
import { settingsResource } from '../../resource.ts'
import { data, managedBy, standard } from '../../standard.ts'
import { conditions, eventName, outboundSettings, warning } from './automation.ts'

export const workflowStatuses = ['DRAFT', 'PUBLISHED', 'UNPUBLISHED'] as const
export const hookMethods = ['POST', 'GET', 'PUT', 'ANY'] as const
export const hookBodies = ['JSON', 'FORM', 'ANY'] as const
export const challengePlaces = ['QUERY', 'BODY', 'HEADER'] as const
export const challengeAnswers = ['TEXT', 'JSON', 'HEADER'] as const

const placeName = requiredText(200)
const challenge = z
  .strictObject({
    in: z.enum(challengePlaces),
    echo: placeName.meta({
      description: 'The parameter, path in the body or header that is given back: hub.challenge, 0.data.validationCode',
    }),
    as: z.enum(challengeAnswers).default('TEXT'),
    name: placeName
      .optional()
      .meta({ description: 'The member or header of the answer; the one of the call unless told' }),
    require: z
      .strictObject({ name: placeName, equals: requiredText(500) })
      .optional()
      .meta({ description: 'What the call must carry as well, such as hub.verify_token' }),
  })
  // An answer to strangers sets no header that browsers and proxies obey.
  .refine(({ as, name, echo }) => as !== 'HEADER' || /^x-[a-z0-9-]+$/i.test(name ?? echo), {
    message: 'A header of the answer begins with X-',
    path: ['name'],
  })
export const runStates = ['QUEUED', 'RUNNING', 'WAITING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const
export const stepStates = ['RUNNING', 'SUCCEEDED', 'FAILED', 'SKIPPED'] as const
export const runFailureCodes = [
  'STEP_FAILED',
  'ACCESS_DENIED',
  'OWNER_DISABLED',
  'TIMED_OUT',
  'WORKER_LOST',
  'OUTCOME_UNKNOWN',
  'TOO_DEEP',
] as const
export type RunFailureCode = (typeof runFailureCodes)[number]

const trigger = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('WEBHOOK'),
    method: z.enum(hookMethods).default('POST'),
    // An empty name or value is kept: every call is then answered with 401 (docs/guide/webhooks.md).
    headerAuth: z
      .strictObject({
        name: z
          .string()
          .trim()
          .max(200)
          .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]*$/, 'This is not a valid header name.'),
        value: z
          .string()
          .trim()
          .max(2000)
          .regex(/^[\t\x20-\x7e]*$/, 'The value of a header must be one line of ASCII characters.'),
      })
      .nullable()
      .optional(),
    accept: z.enum(hookBodies).optional().meta({ description: 'How bodies are read; JSON unless told' }),
    challenge: challenge
      .nullable()
      .optional()
      .meta({ description: 'The question by which a sender makes sure of its receiver' }),
    cloudEvents: z.boolean().optional().meta({ description: 'Whether OPTIONS of CloudEvents are answered' }),
  }),
  z.strictObject({ type: z.literal('EVENT'), event: eventName, conditions: conditions.default([]) }),
  z.strictObject({
    type: z.literal('SCHEDULE'),
    at: z
      .string()
      .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Expected a time such as 09:00.')
      .meta({ description: 'The time of day at which it starts, in the time zone of the workspace' }),
  }),
  z.strictObject({ type: z.literal('MANUAL') }),
])
export type WorkflowTrigger = z.output<typeof trigger>

const reservedKeys = ['__proto__', 'constructor', 'prototype']

const stepFields = {
  key: requiredText(60)
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'A key starts with a letter and has only letters, digits and _')
    .refine((key) => !reservedKeys.includes(key), 'This key is reserved')
    .meta({ description: 'Later steps read what the step gives under steps.<key>.data' }),
  name: z.string().trim().max(200).default(''),
}

const entityType = requiredText(60).meta({ description: 'As in permissions, for example LEAD' })
const templates = z.record(z.string(), z.unknown()).meta({
  description:
    'Values that may hold variables, such as {{trigger.email}}. A date may be {"inDays": 2}, counted from the day on which the step runs',
})
const text = (charactersMax: number) => z.string().max(charactersMax).meta({ description: 'May hold variables' })

const amongPeople = z
  .union([z.strictObject({ departmentId: id }), z.strictObject({ employeeIds: z.array(id).min(1).max(100) })])
  .meta({ description: 'The people who take turns: the active members of a department, or the active ones of a list' })
/** The people who take turns as new owners. */
export type AmongPeople = z.output<typeof amongPeople>

const plainSteps = [
  z.strictObject({ ...stepFields, type: z.literal('CREATE_RECORD'), entityType, values: templates }),
  z.strictObject({ ...stepFields, type: z.literal('UPDATE_RECORD'), entityType, id: text(500), values: templates }),
  z.strictObject({
    ...stepFields,
    type: z.literal('ASSIGN_OWNER'),
    entityType,
    id: text(500),
    among: amongPeople,
  }),
  z.strictObject({
    ...stepFields,
    type: z.literal('FIND_RECORDS'),
    entityType,
    filter: templates.default({}),
    limit: z.int().min(1).max(100).default(20),
  }),
  z.strictObject({ ...stepFields, type: z.literal('HTTP_REQUEST'), ...outboundSettings }),
  z.strictObject({
    ...stepFields,
    type: z.literal('SEND_EMAIL'),
    to: z.union([text(1000), z.array(text(1000)).max(20)]),
    subject: text(500),
    body: text(50_000),
  }),
  z.strictObject({
    ...stepFields,
    type: z.literal('DELAY'),
    minutes: z
      .int()
      .min(0)
      .max(60 * 24 * 90),
  }),
  z.strictObject({ ...stepFields, type: z.literal('SET'), values: templates }),
  z.strictObject({ ...stepFields, type: z.literal('START_WORKFLOW'), workflowId: id }),
] as const

/** A step without steps inside. */
export type PlainStep = z.output<(typeof plainSteps)[number]>

/** A fork: `then` when all conditions hold, else `else`. */
export interface ConditionStep {
  readonly key: string
  readonly name: string
  readonly type: 'CONDITION'
  readonly if: z.output<typeof conditions>
  readonly then: readonly WorkflowStep[]
  readonly else: readonly WorkflowStep[]
}

/** One step of a workflow, as it is stored and run. */
export type WorkflowStep = PlainStep | ConditionStep

const stepsMax = 50
const nestingMax = 4

/** Steps with forks to a fixed depth; a recursive schema would not fit into the documents, which show the first level only. */
function stepsWithin(nesting: number): z.ZodType<WorkflowStep[], unknown[]> {
  if (nesting === 0) return z.array(z.discriminatedUnion('type', plainSteps)).max(stepsMax)
  const inner = z
    .array(z.unknown())
    .meta({ description: 'Steps like those around the fork' })
    .pipe(stepsWithin(nesting - 1))
  const fork = z.strictObject({
    ...stepFields,
    type: z.literal('CONDITION'),
    if: conditions,
    then: inner.default([]),
    else: inner.default([]),
  })
  return z.array(z.discriminatedUnion('type', [...plainSteps, fork])).max(stepsMax)
}

const steps = stepsWithin(nestingMax)

const workflow = z.object({
  ...recordFields,
  name: z.string(),
  status: z.enum(workflowStatuses),
  trigger: z.record(z.string(), z.unknown()),
  steps: z.array(z.record(z.string(), z.unknown())),
  publishedVersion: z.int().nullable(),
  runAsId: id.meta({ description: 'The person whose rights its runs use' }),
  url: z.string().nullable().meta({ description: 'The address of the webhook, once it was published' }),
  warnings: z.array(warning),
})

const workflowInput = z.strictObject({ name: requiredText(200), trigger, steps: steps.default([]) })
export type WorkflowInput = z.output<typeof workflowInput>
const workflowPatch = z.strictObject({
  name: requiredText(200).optional(),
  trigger: trigger.optional(),
  steps: steps.optional(),
})
export type WorkflowPatch = z.output<typeof workflowPatch>

const mayManage = { all: ['MANAGE_WORKFLOWS'] } as const

const operations = standard({
  path: '/api/settings/workflows',
  noun: 'workflow',
  plural: 'workflows',
  record: workflow,
  create: workflowInput,
  update: workflowPatch,
  list: pagedList(workflow, usualPages, {
    status: z.enum(workflowStatuses).optional(),
    search: z.string().max(200).optional(),
  }),
  access: managedBy(mayManage),
  reach: {
    view: 'none',
    create: 'none',
    update: { actsAs: 'workflow', when: ['trigger', 'steps'] },
    delete: { takes: 'workflow' },
  } as const,
})

const published = z.object({
  url: z.string().nullable(),
  path: z.string().nullable(),
  version: z.int(),
  secret: z.string().optional().meta({ description: 'Only in the answer of the first publish' }),
  warnings: z.array(warning),
})

const lastRequest = z.object({
  receivedAt: instant,
  method: z.string(),
  contentType: z.string().nullable(),
  sizeBytes: z.int(),
  /** The trigger data of the workflow. */
  body: found(z.unknown(), null),
  /** The bytes as received: text, or Base64 for other bytes. */
  raw: found(z.string(), ''),
  rawEncoding: z.enum(['utf8', 'base64']),
  isHidden: found(
    z.boolean().meta({
      description: 'Whether the body is kept from you, because you may not see a record that was made of it',
    }),
    true,
  ),
})

const version = z.object({
  version: z.int(),
  trigger: z.record(z.string(), z.unknown()),
  steps: z.array(z.record(z.string(), z.unknown())),
  publishedAt: instant,
  publishedById: id.nullable(),
})

const plannedStep = z.object({
  position: z.string(),
  key: z.string(),
  type: z.string(),
  input: found(z.unknown(), null),
  problem: found(z.string().nullable(), null),
})

const anyData = z.strictObject({ data: z.unknown().optional() })
const one = '/api/settings/workflows/{id}'

export const workflows = settingsResource('settings.workflows', {
  ...operations,
  publish: {
    method: 'POST',
    path: `${one}/publish`,
    summary: 'Publish a workflow; its first publish gives a webhook its address and its secret',
    access: mayManage,
    reach: { actsAs: 'workflow' },
    params: byId,
    reply: data(200, published),
  },
  unpublish: {
    method: 'POST',
    path: `${one}/unpublish`,
    summary: 'Stop a workflow from starting; address and secret are kept',
    access: mayManage,
    reach: { takes: 'workflow' },
    params: byId,
    reply: data(200, workflow),
    errors: ['INVALID_TRANSITION'],
  },
  regenerateSecret: {
    method: 'POST',
    path: `${one}/regenerate-secret`,
    summary: 'Replace the secret of a webhook; the old one is dead at once',
    access: mayManage,
    reach: { actsAs: 'workflow' },
    params: byId,
    reply: data(200, z.object({ secret: z.string() })),
    errors: ['INVALID_TRANSITION'],
  },
  lastRequest: {
    method: 'GET',
    path: `${one}/last-request`,
    summary: 'Read the most recent accepted call of a webhook',
    access: mayManage,
    reach: { reveals: 'last-request' },
    params: byId,
    reply: data(200, lastRequest.nullable()),
  },
  refusedCalls: {
    method: 'GET',
    path: `${one}/refused-calls`,
    summary: 'List the calls of a webhook that were refused, newest first',
    access: mayManage,
    reach: 'none',
    params: byId,
    ...pagedList(z.object({ id, at: instant, reason: z.string(), sizeBytes: z.int().nullable() }), usualPages, {}),
  },
  versions: {
    method: 'GET',
    path: `${one}/versions`,
    summary: 'List the published versions of a workflow, newest first',
    access: mayManage,
    reach: 'none',
    params: byId,
    ...pagedList(version, usualPages, {}),
  },
  test: {
    method: 'POST',
    path: `${one}/test`,
    summary: 'Show what the steps would do with some trigger data, or with the last request, without doing it',
    access: mayManage,
    // Data from the caller is no finding of anybody.
    reach: { reveals: 'last-request', unless: ['data'] },
    params: byId,
    body: anyData,
    reply: data(
      200,
      z.object({
        starts: z.boolean().meta({ description: 'Whether the conditions of the trigger hold for the data' }),
        steps: z.array(plannedStep),
        warnings: z.array(warning),
      }),
    ),
    readOnly: true,
  },
  run: {
    method: 'POST',
    path: `${one}/run`,
    summary: 'Start a published workflow by hand',
    access: mayManage,
    reach: { actsAs: 'workflow' },
    params: byId,
    body: anyData,
    reply: data(202, z.object({ runId: id })),
    errors: ['INVALID_TRANSITION'],
  },
})

const run = z.object({
  id,
  workflowId: id,
  workflowName: z.string(),
  version: z.int(),
  state: z.enum(runStates),
  failureCode: z.enum(runFailureCodes).nullable(),
  failureMessage: found(z.string().nullable(), null),
  runAsId: id,
  createdAt: instant,
  startedAt: instant.nullable(),
  finishedAt: instant.nullable(),
})

const stepRun = z.object({
  position: z.string(),
  key: z.string(),
  type: z.string(),
  state: z.enum(stepStates),
  input: found(z.unknown(), null),
  output: found(z.unknown(), null),
  failureCode: z.string().nullable(),
  failureMessage: found(z.string().nullable(), null),
  warnings: z
    .array(z.string())
    .meta({ description: 'What did not keep the step from working, and yet is worth a look' }),
  startedAt: instant,
  finishedAt: instant.nullable(),
})

const runInFull = run.extend({
  trigger: found(z.unknown(), null),
  steps: z.array(stepRun),
  isHidden: found(
    z.boolean().meta({
      description: 'Whether what went in and came out is kept from you, because you may not see a record in it',
    }),
    true,
  ),
})
const oneRun = '/api/settings/workflow-runs/{id}'

export const workflowRuns = settingsResource('settings.workflowRuns', {
  list: {
    method: 'GET',
    path: '/api/settings/workflow-runs',
    summary: 'List runs of workflows, newest first',
    access: mayManage,
    reach: { reveals: 'workflow-run' },
    ...pagedList(run, usualPages, { workflowId: id.optional(), state: z.enum(runStates).optional() }),
  },
  get: {
    method: 'GET',
    path: oneRun,
    summary: 'Read a run with its steps',
    access: mayManage,
    reach: { reveals: 'workflow-run' },
    params: byId,
    reply: data(200, runInFull),
  },
  retry: {
    method: 'POST',
    path: `${oneRun}/retry`,
    summary: 'Go on with a failed run from its failed step',
    access: mayManage,
    reach: { actsAs: 'workflow-run', reveals: 'workflow-run' },
    params: byId,
    reply: data(200, run),
    errors: ['INVALID_TRANSITION'],
  },
  cancel: {
    method: 'POST',
    path: `${oneRun}/cancel`,
    summary: 'Stop a run that is not finished',
    access: mayManage,
    reach: { takes: 'workflow-run', reveals: 'workflow-run' },
    params: byId,
    reply: data(200, run),
    errors: ['INVALID_TRANSITION'],
  },
})
