import { lead as leadKind } from '@crm/model'
import { newId, schema, type Executor } from '@crm/db'
import { digest, newSecret } from '@crm/identity'
import type { DemoLead } from './leads.ts'

const receiver = { url: 'https://example.com/hooks/crm', method: 'POST', headers: { 'x-source': '' } }

/** The address and secret of the demo's webhook workflow. */
export interface DemoHook {
  readonly path: string
  readonly secret: string
}

/** Adds a published webhook workflow that has created leads, and one automation rule that is off but has been on. */
export async function addAutomation(
  tx: Executor,
  workspaceId: string,
  adminId: string,
  leads: readonly DemoLead[],
): Promise<DemoHook> {
  const { workflowId, hook } = await addWebhook(tx, workspaceId, adminId)
  await addRuns(tx, workspaceId, workflowId, adminId, leads.slice(0, 4))
  const ruleId = newId()
  await tx.insert(schema.automationRules).values({
    workspaceId,
    id: ruleId,
    name: 'Tell another system of every new lead',
    isActive: false,
    event: 'lead.created',
    createdById: adminId,
    actions: [{ type: 'WEBHOOK', ...receiver, bodyTemplate: null }],
  })
  await addDeliveries(tx, workspaceId, ruleId, leads.slice(0, 3))
  return hook
}

/** Adds a published webhook workflow that makes a lead of each call. */
export async function addWebhook(
  tx: Executor,
  workspaceId: string,
  adminId: string,
): Promise<{ readonly workflowId: string; readonly hook: DemoHook }> {
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
  await tx.insert(schema.workflows).values({
    workspaceId,
    id: workflowId,
    name: 'Website form',
    status: 'PUBLISHED',
    trigger,
    steps,
    publishedVersion: 1,
    runAsId: adminId,
    createdById: adminId,
  })
  await tx
    .insert(schema.workflowVersions)
    .values({ workspaceId, workflowId, version: 1, trigger, steps, publishedById: adminId })
  const hook = { path: newSecret(), secret: newSecret() }
  await tx.insert(schema.webhookTriggers).values({
    workspaceId,
    workflowId,
    path: hook.path,
    pathHash: digest(hook.path),
    secretHash: digest(hook.secret),
    isPublished: true,
    method: 'POST',
  })
  return { workflowId, hook }
}

/** The calls of the website: each led to a lead, but the last one, which had no name. */
async function addRuns(
  tx: Executor,
  workspaceId: string,
  workflowId: string,
  runAsId: string,
  leads: readonly DemoLead[],
): Promise<void> {
  const byTime = leads.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
  for (const [at, lead] of byTime.entries()) {
    const isLast = at === byTime.length - 1
    const { email, phone, name: company, createdAt: startedAt } = lead
    const names = isLast ? {} : { firstName: lead.firstName, lastName: lead.lastName }
    const finishedAt = new Date(Date.parse(startedAt) + 240 + at).toISOString()
    const failure = isLast
      ? { failureCode: 'STEP_FAILED', failureMessage: 'The CRM refused the record: firstName is required' }
      : {}
    const state = isLast ? ('FAILED' as const) : ('SUCCEEDED' as const)
    const trigger = { ...names, company, email, phone, utmSource: 'website' }
    const runId = newId()
    await tx.insert(schema.workflowRuns).values({
      workspaceId,
      id: runId,
      workflowId,
      version: 1,
      runAsId,
      state,
      trigger,
      ...failure,
      createdAt: startedAt,
      startedAt,
      finishedAt,
    })
    await tx.insert(schema.workflowStepRuns).values({
      workspaceId,
      runId,
      position: '0',
      stepKey: 'lead',
      type: 'CREATE_RECORD',
      epoch: 1,
      state,
      startedAt,
      finishedAt,
      ...failure,
      input: {
        entityType: leadKind.entity,
        values: { ...names, companyName: company, email, phone, utmSource: 'website' },
      },
      output: isLast ? null : { id: lead.id, ...names, companyName: company, email, phone },
    })
  }
}

/** The deliveries of the rule while it was on; one of them got no answer. */
async function addDeliveries(
  tx: Executor,
  workspaceId: string,
  ruleId: string,
  leads: readonly DemoLead[],
): Promise<void> {
  const answers = [
    { state: 'SUCCEEDED', status: 200, durationMs: 143, responseBody: '{"ok":true}' },
    { state: 'FAILED', durationMs: 10_000, error: 'The receiver did not answer in time' },
    { state: 'SUCCEEDED', status: 202, durationMs: 96, responseBody: '' },
  ] as const
  for (const [at, { id: entityId, email, name: companyName, createdAt: startedAt }] of leads
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
    .entries()) {
    const answer = answers[at % answers.length] as (typeof answers)[number]
    const ruleRunId = newId()
    const subject = { subjectType: leadKind.entity, subjectId: entityId }
    const finishedAt = new Date(Date.parse(startedAt) + answer.durationMs).toISOString()
    await tx.insert(schema.ruleRuns).values({
      workspaceId,
      id: ruleRunId,
      ruleId,
      eventId: newId(),
      event: 'lead.created',
      entityId,
      ...subject,
      state: answer.state,
      startedAt,
      finishedAt,
    })
    const body = JSON.stringify({ event: 'lead.created', record: { id: entityId, companyName, email } })
    await tx.insert(schema.deliveries).values({
      workspaceId,
      id: newId(),
      ruleId,
      ruleRunId,
      ...subject,
      request: { ...receiver, body },
      attemptedAt: startedAt,
      ...answer,
    })
  }
}
