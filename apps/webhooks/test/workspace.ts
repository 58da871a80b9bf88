import { createHash, randomBytes } from 'node:crypto'
import { createDatabase, newId, provisionWorkspace, schema, type Pool } from '@crm/db'

/** A workspace and what its tests need of it. */
export interface TestWorkspace {
  readonly workspaceId: string
  readonly adminUserId: string
  readonly host: string
}

/** A new workspace with a host of its own. */
export async function makeWorkspace(pool: Pool, passwordHash = 'none'): Promise<TestWorkspace> {
  const slug = `w${randomBytes(4).toString('hex')}`
  const host = `${slug}.example.com`
  const admin = { email: `admin@${host}`, passwordHash, firstName: 'Ada', lastName: 'Admin' }
  const { workspaceId, adminUserId } = await provisionWorkspace(createDatabase(pool), { slug, name: slug, baseUrl: `http://${host}`, hosts: [host], admin })
  return { workspaceId, adminUserId, host }
}

export interface HookOptions {
  readonly method?: 'POST' | 'GET' | 'PUT' | 'ANY'
  readonly headerAuth?: { readonly name: string; readonly value: string }
  readonly isPublished?: boolean
  readonly steps?: readonly Record<string, unknown>[]
}

/** A webhook workflow as publishing leaves it. */
export interface TestHook {
  readonly workflowId: string
  readonly path: string
  readonly secret: string
}

/** Stores a webhook workflow with its version and its address. */
export async function makeHook(pool: Pool, { workspaceId, adminUserId }: TestWorkspace, options: HookOptions = {}): Promise<TestHook> {
  const db = createDatabase(pool)
  const { method = 'POST', headerAuth, isPublished = true, steps = [] } = options
  const workflowId = newId()
  const [path, secret] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')]
  const trigger = { type: 'WEBHOOK', method }
  const workflow = { workspaceId, id: workflowId, name: 'Hook', status: 'PUBLISHED' as const, trigger, steps: [...steps], publishedVersion: 1, runAsId: adminUserId, createdById: adminUserId }
  await db.insert(schema.workflows).values(workflow)
  await db.insert(schema.workflowVersions).values({ workspaceId, workflowId, version: 1, trigger, steps: [...steps] })
  await db.insert(schema.webhookTriggers).values({ workspaceId, workflowId, path, pathHash: sha256(path), secretHash: sha256(secret), isPublished, method, headerAuth })
  return { workflowId, path, secret }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
