import { newId, schema, type Executor } from '@crm/db'
import { digest, newSecret } from '@crm/identity'

/** The address and secret of the demo's webhook workflow. */
export interface DemoHook {
  readonly path: string
  readonly secret: string
}

/** Adds a published webhook workflow that creates a lead, and one automation rule that is off. */
export async function addAutomation(tx: Executor, workspaceId: string, adminId: string): Promise<DemoHook> {
  const workflowId = newId()
  const trigger = { type: 'WEBHOOK', method: 'POST' }
  const values = {
    firstName: '{{trigger.firstName}}', lastName: '{{trigger.lastName}}', companyName: '{{trigger.company}}', email: '{{trigger.email}}',
    phone: '{{trigger.phone}}', utmSource: '{{trigger.utmSource}}',
  }
  const steps = [{ key: 'lead', name: 'Create a lead', type: 'CREATE_RECORD', entityType: 'LEAD', values }]
  await tx.insert(schema.workflows).values({
    workspaceId, id: workflowId, name: 'Website form', status: 'PUBLISHED', trigger, steps, publishedVersion: 1, runAsId: adminId, createdById: adminId,
  })
  await tx.insert(schema.workflowVersions).values({ workspaceId, workflowId, version: 1, trigger, steps, publishedById: adminId })
  const hook = { path: newSecret(), secret: newSecret() }
  await tx.insert(schema.webhookTriggers).values({
    workspaceId, workflowId, path: hook.path, pathHash: digest(hook.path), secretHash: digest(hook.secret), isPublished: true, method: 'POST',
  })
  await tx.insert(schema.automationRules).values({
    workspaceId, id: newId(), name: 'Tell another system of every new lead', isActive: false, event: 'lead.created', createdById: adminId,
    actions: [{ type: 'WEBHOOK', url: 'https://example.com/hooks/crm', method: 'POST', headers: { 'x-token': 'change-me' }, bodyTemplate: null }],
  })
  return hook
}
