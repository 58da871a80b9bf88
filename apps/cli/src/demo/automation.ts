import { newId, schema } from '@crm/db'
import { digest, newSecret } from '@crm/identity'
import { lead as leadKind } from '@crm/model'
import type { DemoLead } from './sales.ts'
import { add, inTurn, type Story } from './story.ts'

const receiver = { url: 'https://example.com/hooks/crm', method: 'POST', headers: { 'x-source': '' } }

/** The answers of the receiver while the rule was on; once there was none. */
const answers = [
  { state: 'SUCCEEDED', status: 200, durationMs: 143, responseBody: '{"ok":true}' },
  { state: 'FAILED', durationMs: 10_000, error: 'The receiver did not answer in time' },
  { state: 'SUCCEEDED', status: 202, durationMs: 96, responseBody: '' },
] as const

/** The address and secret of the demo's webhook workflow. */
export interface DemoHook {
  readonly path: string
  readonly secret: string
}

/** Adds a published webhook workflow that has created leads, and one automation rule that is off but has been on. */
export async function addAutomation(story: Story, leads: readonly DemoLead[]): Promise<DemoHook> {
  const { workflowId, hook } = await addWebhook(story)
  await addRuns(story, workflowId, leads.slice(0, 4).toSorted(byAge))
  const ruleId = newId()
  await add(story, schema.automationRules, [
    {
      id: ruleId,
      name: 'Tell another system of every new lead',
      isActive: false,
      event: 'lead.created',
      createdById: story.adminId,
      actions: [{ type: 'WEBHOOK', ...receiver, bodyTemplate: null }],
    },
  ])
  await addDeliveries(story, ruleId, leads.slice(0, 3).toSorted(byAge))
  return hook
}

/** Adds a published webhook workflow that makes a lead of each call. */
export async function addWebhook(
  story: Pick<Story, 'tx' | 'workspaceId' | 'adminId'>,
): Promise<{ readonly workflowId: string; readonly hook: DemoHook }> {
  const { adminId } = story
  const workflowId = newId()
  const trigger = { type: 'WEBHOOK', method: 'POST' }
  const values = {
    firstName: '{{trigger.firstName}}',
    lastName: '{{trigger.lastName}}',
    companyName: '{{trigger.company}}',
    email: '{{trigger.email}}',
    phone: '{{trigger.phone}}',
    utmSource: '{{trigger.utmSource}}',
  }
  const steps = [{ key: 'lead', name: 'Create a lead', type: 'CREATE_RECORD', entityType: leadKind.entity, values }]
  await add(story, schema.workflows, [
    {
      id: workflowId,
      name: 'Website form',
      status: 'PUBLISHED',
      trigger,
      steps,
      publishedVersion: 1,
      runAsId: adminId,
      createdById: adminId,
    },
  ])
  await add(story, schema.workflowVersions, [{ workflowId, version: 1, trigger, steps, publishedById: adminId }])
  const hook = { path: newSecret(), secret: newSecret() }
  await add(story, schema.webhookTriggers, [
    {
      workflowId,
      path: hook.path,
      pathHash: digest(hook.path),
      secretHash: digest(hook.secret),
      isPublished: true,
      method: 'POST',
    },
  ])
  return { workflowId, hook }
}

function byAge(a: DemoLead, b: DemoLead): number {
  return a.createdAt.localeCompare(b.createdAt)
}

/** The calls of the website: each led to a lead, but the last one, which had no name. */
async function addRuns(story: Story, workflowId: string, leads: readonly DemoLead[]): Promise<void> {
  const { adminId } = story
  for (const [at, { id, firstName, lastName, companyName, email, phone, createdAt }] of leads.entries()) {
    const isLast = at === leads.length - 1
    const given = { ...(isLast ? {} : { firstName, lastName }), email, phone }
    const outcome = isLast
      ? {
          state: 'FAILED' as const,
          failureCode: 'STEP_FAILED',
          failureMessage: 'The CRM refused the record: firstName is required',
        }
      : { state: 'SUCCEEDED' as const }
    const when = { startedAt: createdAt, finishedAt: new Date(Date.parse(createdAt) + 240 + at).toISOString() }
    const [runId, trigger] = [newId(), { ...given, company: companyName, utmSource: 'website' }]
    const run = { id: runId, workflowId, version: 1, runAsId: adminId, trigger, createdAt }
    await add(story, schema.workflowRuns, [{ ...run, ...outcome, ...when }])
    const values = { ...given, companyName, utmSource: 'website' }
    const output = isLast ? null : { id, ...given, companyName }
    const step = { runId, position: '0', stepKey: 'lead', type: 'CREATE_RECORD', epoch: 1 } as const
    const input = { entityType: leadKind.entity, values }
    await add(story, schema.workflowStepRuns, [{ ...step, ...outcome, ...when, input, output }])
  }
}

/** The deliveries of the rule while it was on. */
async function addDeliveries(story: Story, ruleId: string, leads: readonly DemoLead[]): Promise<void> {
  for (const [at, { id, email, companyName, createdAt: startedAt }] of leads.entries()) {
    const answer = inTurn(answers, at)
    const [runId, event] = [newId(), 'lead.created']
    const subject = { subjectType: leadKind.entity, subjectId: id }
    const finishedAt = new Date(Date.parse(startedAt) + answer.durationMs).toISOString()
    const run = { id: runId, ruleId, eventId: newId(), event, entityId: id, ...subject }
    await add(story, schema.ruleRuns, [{ ...run, state: answer.state, startedAt, finishedAt }])
    const request = { ...receiver, body: JSON.stringify({ event, record: { id, companyName, email } }) }
    const delivery = { ruleId, ruleRunId: runId, ...subject, request, attemptedAt: startedAt }
    await add(story, schema.deliveries, [{ ...delivery, ...answer }])
  }
}
