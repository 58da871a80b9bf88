import { newId, schema, type Database } from '@crm/db'
import { digest, newSecret } from '@crm/identity'
import { createTestWorkspace, type TestWorkspace } from '../../packages/testkit/src/workspace.ts'
import { call, type Answer, type Call } from '../stage/requests.ts'

/** A workspace of a drill, with a key that has every permission. */
export interface Tenant extends TestWorkspace {
  readonly key: string
  /** Sends a request with the key. */
  send(request: Omit<Call, 'host'>): Promise<Answer>
  /** Sends a request with the key and parses the JSON of its answer; fails when it is refused. */
  ask<T>(request: Omit<Call, 'host'>): Promise<T>
  link(values?: Partial<typeof schema.bookingLinks.$inferInsert>): Promise<Link>
  hook(steps?: readonly Record<string, unknown>[]): Promise<Hook>
  /** Makes a rule that notifies an address of an event. */
  rule(event: string, url: string): Promise<string>
}

export interface Link {
  readonly id: string
  readonly slug: string
  readonly organizerId: string
}

/** The address of a published workflow. */
interface Hook {
  readonly workflowId: string
  readonly path: string
  readonly secret: string
}

const everyHour = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, start: '00:00', end: '24:00' }))

/** Makes a workspace in a running installation, through the connection of its owner. */
export async function createTenant(db: Database, port: number): Promise<Tenant> {
  const workspace = await createTestWorkspace(db)
  const { key } = await workspace.apiKey()
  const { workspaceId, adminUserId, host } = workspace
  const send: Tenant['send'] = (request) =>
    call(port, { ...request, host, headers: { authorization: `Bearer ${key}`, ...request.headers } })
  return {
    ...workspace,
    key,
    send,
    ask: async <T>(request: Omit<Call, 'host'>) => {
      const { status, body } = await send(request)
      if (status >= 300) throw new Error(`${request.path} answered ${status}: ${body}`)
      return JSON.parse(body.toString()) as T
    },
    link: async (values = {}) => {
      const link = {
        workspaceId,
        id: newId(),
        slug: `link-${newId().slice(-12)}`,
        name: 'Drill',
        organizerId: adminUserId,
        durationMin: 30,
        timezone: 'UTC',
        weeklyHours: everyHour,
        linkGuest: false,
        ...values,
      }
      await db.insert(schema.bookingLinks).values(link)
      return link
    },
    hook: async (steps = []) => {
      const hook = { workflowId: newId(), path: newSecret(), secret: newSecret() }
      const { workflowId } = hook
      const version = { workspaceId, trigger: { type: 'WEBHOOK', method: 'POST' }, steps: [...steps] }
      await db.insert(schema.workflows).values({
        ...version,
        id: workflowId,
        name: 'Drill',
        status: 'PUBLISHED',
        publishedVersion: 1,
        runAsId: adminUserId,
        createdById: adminUserId,
      })
      await db.insert(schema.workflowVersions).values({ ...version, workflowId, version: 1 })
      await db.insert(schema.webhookTriggers).values({
        workspaceId,
        workflowId,
        path: hook.path,
        pathHash: digest(hook.path),
        secretHash: digest(hook.secret),
        isPublished: true,
      })
      return hook
    },
    rule: async (event, url) => {
      const id = newId()
      const actions = [{ type: 'WEBHOOK', url, method: 'POST', headers: {}, bodyTemplate: null }]
      await db
        .insert(schema.automationRules)
        .values({ workspaceId, id, name: 'Drill', event, actions, createdById: adminUserId })
      return id
    },
  }
}
