import fc from 'fast-check'
import { anyRequest, operationOf, Ref, type Thing, type WalkRequest } from '../../apps/crm-api/test/rights.requests.ts'
import { anyRights, marker, type WalkerRights } from '../../apps/crm-api/test/rights.walk.ts'

const ref = (thing: Thing): fc.Arbitrary<Ref> => fc.nat(12).map((n) => new Ref(thing, n))
const address = new Ref('address', 0)
const newest = (thing: Thing): Ref => new Ref(thing, -1)
/** The address of a walker's mails. */
const walkerMail = 'walker@walk.example'

const conditions = fc.constantFrom([], [{ field: 'data.lastName', op: 'CONTAINS', value: marker.slice(0, 4) }])
const leadEvent = fc.constantFrom('lead.created', 'lead.updated', 'task.created')

const actions = fc
  .constantFrom(null, '{"lead":{{data.lastName}},"task":{{data.title}}}')
  .map((bodyTemplate) => [{ type: 'WEBHOOK', url: address, bodyTemplate }])
const heard = fc.record({ event: leadEvent, conditions })

const trigger = fc.oneof(
  heard.map((event) => ({ type: 'EVENT', ...event })),
  fc.constant({ type: 'MANUAL' }),
)

/** Each step looks for hidden records, or carries received data to another place. */
const steps = fc
  .shuffledSubarray(
    [
      { key: 'leads', type: 'FIND_RECORDS', entityType: 'LEAD' },
      { key: 'tasks', type: 'FIND_RECORDS', entityType: 'TASK', filter: { search: marker.slice(0, 6) } },
      {
        key: 'tell',
        type: 'HTTP_REQUEST',
        url: address,
        bodyTemplate: '{"given":{{trigger}},"leads":{{steps.leads.data}},"tasks":{{steps.tasks.data}}}',
      },
      {
        key: 'mail',
        type: 'SEND_EMAIL',
        to: walkerMail,
        subject: '{{trigger.data.lastName}}',
        body: '{{trigger}} {{steps.leads.data}} {{steps.tasks.data}}',
      },
      {
        key: 'keep',
        type: 'CREATE_RECORD',
        entityType: 'LEAD',
        values: { lastName: 'Kept', description: '{{trigger.data.lastName}} {{trigger.data.description}}' },
      },
      {
        key: 'change',
        type: 'UPDATE_RECORD',
        entityType: 'LEAD',
        id: '{{trigger.entityId}}',
        values: { jobTitle: 'Changed' },
      },
    ],
    { minLength: 1 },
  )
  .map((chosen) => [...chosen].sort((a, b) => order.indexOf(a.type) - order.indexOf(b.type)))
const order = ['FIND_RECORDS', 'HTTP_REQUEST', 'SEND_EMAIL', 'CREATE_RECORD', 'UPDATE_RECORD']

/** Returns a request for an existing operation. */
function request(by: WalkRequest['by'], operation: string, body?: unknown, id?: Ref): WalkRequest {
  const made: WalkRequest = { by, operation, params: id ? { id } : {}, query: {}, body }
  operationOf(made)
  return made
}

const by = fc.nat(3)
const to = (
  operation: string,
  thing: Thing,
  body: fc.Arbitrary<unknown> = fc.constant(undefined),
): fc.Arbitrary<WalkRequest> =>
  fc.tuple(by, ref(thing), body).map(([who, id, sent]) => request(who, operation, sent, id))

const telling = (event: string): WalkRequest =>
  request(0, 'settings.automationRules.create', {
    name: 'Tell me',
    trigger: { event, conditions: [] },
    actions: [{ type: 'WEBHOOK', url: address }],
  })

/** A rule that notifies the walker of every new lead. */
export const tellingRule = telling('lead.created')

/** A rule that notifies the walker of every change of a lead. */
export const followingRule = telling('lead.updated')

/** A workflow that mails the walker about every new lead. */
export const writingWorkflow: readonly WalkRequest[] = [
  request(0, 'settings.workflows.create', {
    name: 'Write to me',
    trigger: { type: 'EVENT', event: 'lead.created' },
    steps: [{ key: 'mail', type: 'SEND_EMAIL', to: walkerMail, subject: 'A lead', body: '{{trigger.data.lastName}}' }],
  }),
  request(0, 'settings.workflows.publish', undefined, newest('workflow')),
]

/** An export of all records that the walker sees. */
export const walkersExport: WalkRequest = request(0, 'settings.exports.create', { entityType: 'LEAD', filters: {} })

/** Creates a lead that the walker may not see. */
export const hiddenLead: WalkRequest = request('boss', 'leads.create', { lastName: marker, description: marker })

const alone = (arbitrary: fc.Arbitrary<WalkRequest>): fc.Arbitrary<readonly WalkRequest[]> =>
  arbitrary.map((one) => [one])

const publishedWorkflow = fc
  .record({ trigger, steps })
  .map((workflow) => [
    request(0, 'settings.workflows.create', { name: 'Walk', ...workflow }),
    request(0, 'settings.workflows.publish', undefined, newest('workflow')),
    ...(workflow.trigger.type === 'MANUAL' ? [request(0, 'settings.workflows.run', {}, newest('workflow'))] : []),
  ])

/** Automation of the walker. */
const automation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({ trigger: heard, actions })
      .map((rule) => request(0, 'settings.automationRules.create', { name: 'Walk', ...rule })),
  },
  {
    weight: 3,
    arbitrary: to(
      'settings.automationRules.update',
      'rule',
      fc.oneof(fc.record({ actions }), fc.record({ trigger: heard }), fc.record({ isActive: fc.boolean() })),
    ),
  },
  {
    weight: 2,
    arbitrary: to('settings.workflows.update', 'workflow', fc.oneof(fc.record({ trigger }), fc.record({ steps }))),
  },
  { weight: 2, arbitrary: to('settings.workflows.publish', 'workflow') },
  { weight: 3, arbitrary: to('settings.workflows.run', 'workflow', fc.constant({})) },
  { weight: 1, arbitrary: to('settings.workflowRuns.retry', 'run') },
  { weight: 1, arbitrary: to('settings.deliveries.redeliver', 'delivery') },
  {
    weight: 2,
    arbitrary: fc
      .tuple(by, fc.constantFrom('LEAD', 'TASK', 'CONTACT', 'DEAL'))
      .map(([who, entityType]) => request(who, 'settings.exports.create', { entityType, filters: {} })),
  },
)

/** Changes of records that the walker may not see. */
const hiddenChange = fc.oneof(
  fc.constant(hiddenLead),
  fc.constant(request('boss', 'tasks.create', { title: marker })),
  fc
    .tuple(fc.constantFrom(0, 2), fc.nat(1000))
    .map(([n, times]) => request('boss', 'leads.update', { description: `${marker} ${times}` }, new Ref('record', n))),
)

/** Changes of the walker's own records, of which automation may notify. */
const ownChange = fc.oneof(
  fc.constant(request(0, 'leads.create', { lastName: 'Own' })),
  fc.nat(1000).map((times) => request(0, 'leads.update', { description: `Own ${times}` }, newest('record'))),
)

/** Permissions with which a walk reaches the background work of the API. */
const automating = ['MANAGE_WORKFLOWS', 'EXPORT_DATA', 'VIEW_LEAD', 'VIEW_TASK', 'CREATE_LEAD', 'UPDATE_LEAD']

export const automatingRights: fc.Arbitrary<WalkerRights> = anyRights.map((rights) => ({
  ...rights,
  permissions: [...new Set([...automating, ...rights.permissions])],
}))

/** Any request or a few that belong together, most of them about automation, with changes in between that only the boss may see. */
export function anyStep(permissions: readonly string[]): fc.Arbitrary<readonly WalkRequest[]> {
  return fc.oneof(
    { weight: 3, arbitrary: publishedWorkflow },
    { weight: 5, arbitrary: alone(automation) },
    { weight: 4, arbitrary: alone(hiddenChange) },
    { weight: 2, arbitrary: alone(ownChange) },
    { weight: 2, arbitrary: alone(anyRequest(permissions)) },
  )
}
