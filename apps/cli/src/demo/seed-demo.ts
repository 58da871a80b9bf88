import { provisionWorkspace, schema, type Executor } from '@crm/db'
import { apiKeyPrefix, digest, hashPassword, keyPrefix, newSecret } from '@crm/identity'
import { entityActions, permissionNames } from '@crm/permissions'
import { bucketOf, createStorage } from '@crm/storage'
import { and, eq, isNull } from 'drizzle-orm'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Connection } from '../connection.ts'
import { addAutomation, type DemoHook } from './automation.ts'
import { addTeam } from './members.ts'
import { createRandom } from '@crm/runtime'
import { addRecords } from './records.ts'
import { createShelf, type Shelf } from './shelf.ts'

const adminEmail = 'admin@demo.test'
const slug = 'demo'

/** What `demo.json` holds: where the demo workspace is and how to get in. */
export interface Demo {
  readonly baseUrl: string
  readonly workspaceId: string
  readonly admin: { readonly email: string; readonly password: string }
  readonly apiKey: string
  readonly bookingLink: { readonly slug: string; readonly url: string }
  readonly mcpUrl: string
  readonly mailDir: string
  readonly webhook: { readonly url: string; readonly secret: string }
}

interface Secrets {
  readonly password: string
  readonly apiKey: string
  readonly hook: DemoHook
}

/** Creates the demo workspace when it is not there, renews what was lost of its secrets, and writes demo.json. */
export async function seedDemo({ db, baseUrl, config, forget, forgetHosts }: Connection): Promise<Demo> {
  const dataDir = resolve(config.DATA_DIR)
  const file = join(dataDir, 'demo.json')
  const earlier = readEarlier(file)
  const shelf = createShelf(await createStorage({ directory: join(dataDir, 'files'), bucket: bucketOf(config) }))
  const seeding = db.transaction(async (tx) => {
    const [known] = await tx.select({ id: schema.workspaces.id }).from(schema.workspaces).where(eq(schema.workspaces.slug, slug)).for('update')
    if (!known) return { ...(await createDemo(tx, baseUrl, shelf)), isNew: true }
    await tx.update(schema.workspaces).set({ baseUrl }).where(eq(schema.workspaces.id, known.id))
    return { workspaceId: known.id, secrets: await renewSecrets(tx, known.id, earlier), isNew: false }
  })
  const { workspaceId, secrets, isNew } = await seeding.catch(async (error: unknown) => {
    await shelf.discard()
    throw error
  })
  await (isNew ? forgetHosts() : forget(workspaceId))
  const demo = describeDemo(baseUrl, workspaceId, secrets, join(dataDir, 'mail'))
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(file, `${JSON.stringify(demo, undefined, 2)}\n`, { mode: 0o600 })
  return demo
}

async function createDemo(tx: Executor, baseUrl: string, shelf: Shelf): Promise<{ workspaceId: string; secrets: Secrets }> {
  const password = newSecret().slice(0, 16)
  const admin = { email: adminEmail, passwordHash: await hashPassword(password), firstName: 'Ada', lastName: 'Admin' }
  const provisioned = await provisionWorkspace(tx, {
    slug, name: 'Demo Company', baseUrl, hosts: ['localhost', '127.0.0.1', '[::1]'], timezone: 'Europe/Berlin', admin,
  })
  const { workspaceId, adminUserId, roleIds } = provisioned
  const members = await addTeam(tx, workspaceId, adminUserId, roleIds)
  const leads = await addRecords(tx, { workspaceId, adminId: adminUserId, members, random: createRandom(20_26), now: new Date() }, shelf)
  const hook = await addAutomation(tx, workspaceId, adminUserId, leads)
  await shelf.keep()
  return { workspaceId, secrets: { password, hook, apiKey: await createKey(tx, workspaceId, adminUserId) } }
}

async function renewSecrets(tx: Executor, workspaceId: string, earlier: Demo | undefined): Promise<Secrets> {
  const { employees, webhookTriggers } = schema
  const [admin] = await tx.select({ id: employees.id }).from(employees).where(and(eq(employees.workspaceId, workspaceId), eq(employees.email, adminEmail)))
  if (!admin) throw new Error('The demo workspace has lost its administrator')
  const password = earlier?.admin.password ?? newSecret().slice(0, 16)
  if (!earlier) await tx.update(employees).set({ passwordHash: await hashPassword(password) }).where(and(eq(employees.workspaceId, workspaceId), eq(employees.id, admin.id)))
  const apiKey = earlier && (await isLiveKey(tx, workspaceId, earlier.apiKey)) ? earlier.apiKey : await createKey(tx, workspaceId, admin.id)
  const [trigger] = await tx.select({ workflowId: webhookTriggers.workflowId, path: webhookTriggers.path }).from(webhookTriggers).where(eq(webhookTriggers.workspaceId, workspaceId)).limit(1)
  const path = trigger?.path ?? ''
  if (earlier?.webhook) return { password, apiKey, hook: { path, secret: earlier.webhook.secret } }
  const secret = newSecret()
  if (trigger) await tx.update(webhookTriggers).set({ secretHash: digest(secret) }).where(and(eq(webhookTriggers.workspaceId, workspaceId), eq(webhookTriggers.workflowId, trigger.workflowId)))
  return { password, apiKey, hook: { path, secret } }
}

async function isLiveKey(tx: Executor, workspaceId: string, key: string): Promise<boolean> {
  const { apiKeys } = schema
  const rows = await tx.select({ id: apiKeys.id }).from(apiKeys).where(and(eq(apiKeys.workspaceId, workspaceId), eq(apiKeys.keyHash, digest(key)), isNull(apiKeys.revokedAt)))
  return rows.length === 1
}

async function createKey(tx: Executor, workspaceId: string, ownerId: string): Promise<string> {
  const key = newSecret(apiKeyPrefix)
  const own = await tx.select({ key: schema.customEntities.key }).from(schema.customEntities).where(eq(schema.customEntities.workspaceId, workspaceId))
  const ownScopes = own.flatMap((type) => entityActions.map((action) => `${action}_${type.key.toUpperCase()}`))
  await tx.insert(schema.apiKeys).values({ workspaceId, ownerId, name: 'Demo', prefix: keyPrefix(key), keyHash: digest(key), scopes: [...permissionNames, ...ownScopes] })
  return key
}

function describeDemo(baseUrl: string, workspaceId: string, { password, apiKey, hook }: Secrets, mailDir: string): Demo {
  return {
    baseUrl,
    workspaceId,
    admin: { email: adminEmail, password },
    apiKey,
    bookingLink: { slug: 'intro-call', url: `${baseUrl}/book/intro-call` },
    mcpUrl: `${baseUrl}/api/mcp`,
    mailDir,
    webhook: { url: `${baseUrl}/api/hooks/${hook.path}`, secret: hook.secret },
  }
}

function readEarlier(file: string): Demo | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Demo
  } catch {
    return undefined
  }
}
