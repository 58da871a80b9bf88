import { schema, type Executor } from '@crm/db'
import { apiKeyPrefix, digest, hashPassword, keyPrefix, newSecret, verifyPassword } from '@crm/identity'
import { entityActions, permissionNames } from '@crm/permissions'
import { and, asc, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { addWebhook, type DemoHook } from './automation.ts'

/** The ways into the demo workspace. */
export interface DemoAccess {
  readonly email: string
  /** Null once somebody has chosen another one. */
  readonly password: string | null
  readonly apiKey: string
  readonly hook: DemoHook
  /** Null once somebody has deleted the link. */
  readonly linkSlug: string | null
}

/** The ways in that an earlier start wrote. */
interface EarlierAccess {
  readonly admin?: { readonly password: string | null }
  readonly apiKey?: string
  readonly webhook?: { readonly url: string; readonly secret: string }
}

export function newDemoPassword(): string {
  return newSecret().slice(0, 16)
}

/** Creates a key of the administrator with every scope of the workspace. */
export async function createDemoKey(tx: Executor, workspaceId: string, ownerId: string): Promise<string> {
  const key = newSecret(apiKeyPrefix)
  const own = await tx
    .select({ key: schema.customEntities.key })
    .from(schema.customEntities)
    .where(eq(schema.customEntities.workspaceId, workspaceId))
  const ownScopes = own.flatMap((type) => entityActions.map((action) => `${action}_${type.key.toUpperCase()}`))
  await tx.insert(schema.apiKeys).values({
    workspaceId,
    ownerId,
    name: 'Demo',
    prefix: keyPrefix(key),
    keyHash: digest(key),
    scopes: [...permissionNames, ...ownScopes],
  })
  return key
}

/**
 * Finds the ways into an existing demo workspace.
 *
 * The values of an earlier start are kept as long as they work. A lost secret is replaced, unless somebody may be using
 * it: then the demo gets another secret of its own.
 */
export async function renewAccess(
  tx: Executor,
  workspaceId: string,
  earlier: EarlierAccess | undefined,
): Promise<DemoAccess> {
  const { employees } = schema
  // The administrator was the first person of the workspace, and may have another address by now.
  const [admin] = await tx
    .select()
    .from(employees)
    .where(eq(employees.workspaceId, workspaceId))
    .orderBy(asc(employees.createdAt), asc(employees.id))
    .limit(1)
  if (!admin) throw new Error('The demo workspace has lost its administrator')
  return {
    email: admin.email,
    password: await renewPassword(tx, admin, earlier?.admin?.password),
    apiKey:
      earlier?.apiKey !== undefined && (await isLiveKey(tx, workspaceId, earlier.apiKey))
        ? earlier.apiKey
        : await createDemoKey(tx, workspaceId, admin.id),
    hook: await renewHook(tx, workspaceId, admin.id, earlier?.webhook),
    linkSlug: await findLink(tx, workspaceId),
  }
}

async function renewPassword(
  tx: Executor,
  admin: typeof schema.employees.$inferSelect,
  known: string | null | undefined,
): Promise<string | null> {
  if (known === null) return null
  if (known !== undefined) return (await verifyPassword(admin.passwordHash, known)) ? known : null
  if (await hasChosenPassword(tx, admin)) return null
  const password = newDemoPassword()
  const { employees } = schema
  await tx
    .update(employees)
    .set({ passwordHash: await hashPassword(password) })
    .where(and(eq(employees.workspaceId, admin.workspaceId), eq(employees.id, admin.id)))
  return password
}

async function hasChosenPassword(
  tx: Executor,
  { workspaceId, id }: { readonly workspaceId: string; readonly id: string },
): Promise<boolean> {
  const { auditLog } = schema
  const found = await tx
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(
      and(eq(auditLog.workspaceId, workspaceId), eq(auditLog.action, 'password.changed'), eq(auditLog.subjectId, id)),
    )
    .limit(1)
  return found.length > 0
}

async function renewHook(
  tx: Executor,
  workspaceId: string,
  adminId: string,
  known: { readonly url: string; readonly secret: string } | undefined,
): Promise<DemoHook> {
  const { webhookTriggers, workflows, workspaces } = schema
  const columns = {
    workflowId: webhookTriggers.workflowId,
    path: webhookTriggers.path,
    secretHash: webhookTriggers.secretHash,
  }
  const knownPath = known?.url.split('/').at(-1)
  if (known !== undefined && knownPath !== undefined) {
    const [trigger] = await tx
      .select(columns)
      .from(webhookTriggers)
      .where(and(eq(webhookTriggers.workspaceId, workspaceId), eq(webhookTriggers.path, knownPath)))
    if (trigger?.secretHash.equals(digest(known.secret))) return { path: trigger.path, secret: known.secret }
  }
  // The demo's own workflow was created together with the workspace, in one transaction.
  const [own] = await tx
    .select(columns)
    .from(webhookTriggers)
    .innerJoin(
      workflows,
      and(eq(workflows.workspaceId, webhookTriggers.workspaceId), eq(workflows.id, webhookTriggers.workflowId)),
    )
    .innerJoin(workspaces, and(eq(workspaces.id, workflows.workspaceId), eq(workspaces.createdAt, workflows.createdAt)))
    .where(and(eq(webhookTriggers.workspaceId, workspaceId), isNull(webhookTriggers.lastRequestAt)))
    .limit(1)
  if (!own || known !== undefined) return (await addWebhook({ tx, workspaceId, adminId })).hook
  const secret = newSecret()
  await tx
    .update(webhookTriggers)
    .set({ secretHash: digest(secret) })
    .where(and(eq(webhookTriggers.workspaceId, workspaceId), eq(webhookTriggers.workflowId, own.workflowId)))
  return { path: own.path, secret }
}

async function findLink(tx: Executor, workspaceId: string): Promise<string | null> {
  const { bookingLinks, workspaces } = schema
  const [link] = await tx
    .select({ slug: bookingLinks.slug })
    .from(bookingLinks)
    .innerJoin(
      workspaces,
      and(eq(workspaces.id, bookingLinks.workspaceId), eq(workspaces.createdAt, bookingLinks.createdAt)),
    )
    .where(eq(bookingLinks.workspaceId, workspaceId))
    .orderBy(asc(bookingLinks.id))
    .limit(1)
  return link?.slug ?? null
}

async function isLiveKey(tx: Executor, workspaceId: string, key: string): Promise<boolean> {
  const { apiKeys } = schema
  const isInForce = and(isNull(apiKeys.revokedAt), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, sql`now()`)))
  const rows = await tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.workspaceId, workspaceId), eq(apiKeys.keyHash, digest(key)), isInForce))
  return rows.length === 1
}
