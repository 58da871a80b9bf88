import { createHash, randomBytes } from 'node:crypto'
import { createDatabase, newId, schema, type HookOptions as KeptOptions, type Pool } from '@crm/db'
import { createTestWorkspace, type TestWorkspace } from '@crm/testkit'

export type { TestWorkspace }

/** Makes a new workspace with a host of its own. */
export function makeWorkspace(pool: Pool): Promise<TestWorkspace> {
  return createTestWorkspace(createDatabase(pool))
}

export interface HookOptions {
  readonly method?: 'POST' | 'GET' | 'PUT' | 'ANY'
  readonly headerAuth?: { readonly name: string; readonly value: string }
  readonly isPublished?: boolean
  readonly options?: KeptOptions
  readonly steps?: readonly Record<string, unknown>[]
}

/** A webhook workflow as publishing leaves it. */
export interface TestHook {
  readonly workflowId: string
  readonly path: string
  readonly secret: string
}

/** Stores a webhook workflow with its version and its address. */
export async function makeHook(
  pool: Pool,
  { workspaceId, adminUserId }: TestWorkspace,
  options: HookOptions = {},
): Promise<TestHook> {
  const db = createDatabase(pool)
  const { method = 'POST', headerAuth, options: kept, isPublished = true, steps = [] } = options
  const workflowId = newId()
  const [path, secret] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')]
  const trigger = { type: 'WEBHOOK', method }
  const workflow = {
    workspaceId,
    id: workflowId,
    name: 'Hook',
    status: 'PUBLISHED' as const,
    trigger,
    steps: [...steps],
    publishedVersion: 1,
    runAsId: adminUserId,
    createdById: adminUserId,
  }
  await db.insert(schema.workflows).values(workflow)
  await db.insert(schema.workflowVersions).values({ workspaceId, workflowId, version: 1, trigger, steps: [...steps] })
  await db.insert(schema.webhookTriggers).values({
    workspaceId,
    workflowId,
    path,
    pathHash: sha256(path),
    secretHash: sha256(secret),
    isPublished,
    method,
    headerAuth,
    options: kept,
  })
  return { workflowId, path, secret }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
