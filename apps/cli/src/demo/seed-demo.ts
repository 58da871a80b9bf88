import { provisionWorkspace, recordPlanted, schema, type Executor } from '@crm/db'
import { hashPassword } from '@crm/identity'
import { bucketOf, createStorage } from '@crm/storage'
import { eq } from 'drizzle-orm'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Connection } from '../base/connection.ts'
import { introSlug } from './bookings.ts'
import { createDemoKey, newDemoPassword, renewAccess, type DemoAccess } from './demo-access.ts'
import { addTeam } from './members.ts'
import { createRandom } from '@crm/runtime'
import { createHistory } from './history.ts'
import { createShelf } from './shelf.ts'
import type { Shelf } from './story.ts'
import { tellStory } from './tell-story.ts'

const adminEmail = 'admin@demo.test'
const slug = 'demo'

/** The contents of `demo.json`: the address of the demo workspace and the ways to get in. */
export interface Demo {
  readonly baseUrl: string
  readonly workspaceId: string
  /** The password is null once somebody has chosen another one. */
  readonly admin: { readonly email: string; readonly password: string | null }
  readonly apiKey: string
  /** Null once somebody has deleted the link. */
  readonly bookingLink: { readonly slug: string; readonly url: string } | null
  readonly mcpUrl: string
  /** Where mails are written; null where a server sends them. */
  readonly mailDir: string | null
  readonly webhook: { readonly url: string; readonly secret: string }
}

/** Creates the demo workspace if it is missing, replaces its lost secrets, and writes demo.json. */
export async function seedDemo({ db, baseUrl, config, forget, forgetHosts }: Connection): Promise<Demo> {
  const dataDir = resolve(config.DATA_DIR)
  const file = join(dataDir, 'demo.json')
  const earlier = readDemo(config.DATA_DIR)
  const shelf = createShelf(await createStorage({ directory: join(dataDir, 'files'), bucket: bucketOf(config) }))
  const seeding = db.transaction(async (tx) => {
    const [known] = await tx
      .select({ id: schema.workspaces.id })
      .from(schema.workspaces)
      .where(eq(schema.workspaces.slug, slug))
      .for('update')
    if (!known) return { ...(await createDemo(tx, baseUrl, shelf)), isNew: true }
    await tx.update(schema.workspaces).set({ baseUrl }).where(eq(schema.workspaces.id, known.id))
    return { workspaceId: known.id, access: await renewAccess(tx, known.id, earlier), isNew: false }
  })
  const { workspaceId, access, isNew } = await seeding.catch(async (error: unknown) => {
    await shelf.discard()
    throw error
  })
  await (isNew ? forgetHosts() : forget(workspaceId))
  const demo = describeDemo(baseUrl, workspaceId, access, config.SMTP_URL ? null : join(dataDir, 'mail'))
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(file, `${JSON.stringify(demo, undefined, 2)}\n`, { mode: 0o600 })
  return demo
}

async function createDemo(
  tx: Executor,
  baseUrl: string,
  shelf: Shelf,
): Promise<{ workspaceId: string; access: DemoAccess }> {
  const password = newDemoPassword()
  const admin = { email: adminEmail, passwordHash: await hashPassword(password), firstName: 'Ada', lastName: 'Admin' }
  const provisioned = await provisionWorkspace(tx, {
    slug,
    name: 'Demo Company',
    baseUrl,
    hosts: ['localhost', '127.0.0.1', '[::1]'],
    timezone: 'Europe/Berlin',
    admin,
  })
  const { workspaceId, adminUserId: adminId, roleIds } = provisioned
  const place = { tx, workspaceId, adminId, members: await addTeam(tx, workspaceId, adminId, roleIds) }
  const [random, now, history] = [createRandom(20_26), new Date().toISOString(), createHistory()]
  const hook = await tellStory({ ...place, random, now, history, shelf })
  await recordPlanted(tx, workspaceId, adminId)
  await shelf.keep()
  return {
    workspaceId,
    access: {
      email: adminEmail,
      password,
      hook,
      linkSlug: introSlug,
      apiKey: await createDemoKey(tx, workspaceId, adminId),
    },
  }
}

function describeDemo(
  baseUrl: string,
  workspaceId: string,
  { email, password, apiKey, hook, linkSlug }: DemoAccess,
  mailDir: string | null,
): Demo {
  return {
    baseUrl,
    workspaceId,
    admin: { email, password },
    apiKey,
    bookingLink: linkSlug === null ? null : { slug: linkSlug, url: `${baseUrl}/book/${linkSlug}` },
    mcpUrl: `${baseUrl}/api/mcp`,
    mailDir,
    webhook: { url: `${baseUrl}/api/hooks/${hook.path}`, secret: hook.secret },
  }
}

/** Reads the demo.json that an earlier start left in the data folder, if there is one. */
export function readDemo(dataDir: string): Demo | undefined {
  try {
    return JSON.parse(readFileSync(join(resolve(dataDir), 'demo.json'), 'utf8')) as Demo
  } catch {
    return undefined
  }
}
