import type { WorkflowTrigger } from '@crm/contract'
import {
  isAnyOf,
  schema,
  type HookOptions,
  type KeptHeader,
  type Executor,
  type Transaction,
  holdsFolded,
} from '@crm/db'
import { digest, newSecret } from '@crm/identity'
import { headerDigest, isPlainReader } from '@crm/secrets'
import { and, count, desc, eq, max, type SQL } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'

const { customEntities, departments, employees, refusedCalls, webhookTriggers, workflows, workflowVersions } = schema

/** A workflow with the path of its webhook, if it was ever published as one. */
export type WorkflowRow = typeof workflows.$inferSelect & { readonly path: string | null }

export interface WorkflowFilter {
  readonly status?: WorkflowRow['status']
  readonly search?: string
}

function select(db: Executor) {
  return db
    .select({ workflow: workflows, path: webhookTriggers.path })
    .from(workflows)
    .leftJoin(
      webhookTriggers,
      and(eq(webhookTriggers.workspaceId, workflows.workspaceId), eq(webhookTriggers.workflowId, workflows.id)),
    )
    .$dynamic()
}

/** Returns one page of workflows, newest first. */
export async function listWorkflows(
  db: Executor,
  workspaceId: string,
  filter: WorkflowFilter,
  limit: number,
  offset: number,
) {
  const where = and(
    eq(workflows.workspaceId, workspaceId),
    filter.status ? eq(workflows.status, filter.status) : undefined,
    filter.search ? holdsFolded(workflows.name, filter.search) : undefined,
  )
  const [total] = await db.select({ n: count() }).from(workflows).where(where)
  const rows = await select(db)
    .where(where)
    .orderBy(desc(workflows.createdAt), desc(workflows.id))
    .limit(limit)
    .offset(offset)
  return { items: rows.map(({ workflow, path }): WorkflowRow => ({ ...workflow, path })), total: total?.n ?? 0 }
}

/** Returns one workflow, or undefined. */
export async function findWorkflow(db: Executor, workspaceId: string, id: string): Promise<WorkflowRow | undefined> {
  const [row] = await select(db).where(isWorkflow(workspaceId, id))
  return row && { ...row.workflow, path: row.path }
}

/** Returns one workflow, locked against other changes until the transaction ends. */
export async function lockWorkflow(tx: Transaction, workspaceId: string, id: string): Promise<WorkflowRow | undefined> {
  await tx.select({ id: workflows.id }).from(workflows).where(isWorkflow(workspaceId, id)).for('update')
  return findWorkflow(tx, workspaceId, id)
}

export async function insertWorkflow(tx: Transaction, values: typeof workflows.$inferInsert): Promise<void> {
  await tx.insert(workflows).values(values)
}

export async function updateWorkflow(
  tx: Transaction,
  workspaceId: string,
  id: string,
  set: PgUpdateSetSource<typeof workflows>,
): Promise<void> {
  await tx.update(workflows).set(set).where(isWorkflow(workspaceId, id))
}

export async function deleteWorkflow(tx: Transaction, workspaceId: string, id: string): Promise<void> {
  await tx.delete(workflows).where(isWorkflow(workspaceId, id))
}

/** Freezes the workflow as its next version, and returns the number. */
export async function insertVersion(
  tx: Transaction,
  { workspaceId, id, trigger, steps }: WorkflowRow,
  publishedById: string,
  at: string,
): Promise<number> {
  const isVersion = and(eq(workflowVersions.workspaceId, workspaceId), eq(workflowVersions.workflowId, id))
  const [last] = await tx
    .select({ version: max(workflowVersions.version) })
    .from(workflowVersions)
    .where(isVersion)
  const version = (last?.version ?? 0) + 1
  await tx
    .insert(workflowVersions)
    .values({ workspaceId, workflowId: id, version, trigger, steps: [...steps], publishedById, publishedAt: at })
  return version
}

/** Returns one page of a workflow's versions, newest first. */
export async function listVersions(
  db: Executor,
  workspaceId: string,
  workflowId: string,
  limit: number,
  offset: number,
) {
  const where = and(eq(workflowVersions.workspaceId, workspaceId), eq(workflowVersions.workflowId, workflowId))
  const [total] = await db.select({ n: count() }).from(workflowVersions).where(where)
  const items = await db
    .select()
    .from(workflowVersions)
    .where(where)
    .orderBy(desc(workflowVersions.version))
    .limit(limit)
    .offset(offset)
  return { items, total: total?.n ?? 0 }
}

/** Opens the address of a webhook. The first time it gets its path and its secret, which is returned; later both are kept. */
export async function openWebhook(
  tx: Transaction,
  workspaceId: string,
  workflowId: string,
  { method, headerAuth = null, ...others }: Extract<WorkflowTrigger, { type: 'WEBHOOK' }>,
): Promise<{ readonly path: string; readonly secret?: string }> {
  const [path, secret] = [newSecret(), newSecret()]
  const settings = {
    isPublished: true,
    method,
    headerAuth: headerAuth && (await keptHeader(tx, workflowId, headerAuth)),
    options: optionsOf(others),
  }
  const made = await tx
    .insert(webhookTriggers)
    .values({ workspaceId, workflowId, path, pathHash: digest(path), secretHash: digest(secret), ...settings })
    .onConflictDoNothing({ target: [webhookTriggers.workspaceId, webhookTriggers.workflowId] })
  if (made.rowCount === 1) return { path, secret }
  const [kept] = await tx
    .update(webhookTriggers)
    .set(settings)
    .where(isTrigger(workspaceId, workflowId))
    .returning({ path: webhookTriggers.path })
  if (!kept) throw new Error('The webhook was not kept')
  return kept
}

/** Returns the options of a webhook; null for one that has none, as an earlier version wrote it. */
function optionsOf({
  accept,
  challenge,
  cloudEvents,
}: Pick<Extract<WorkflowTrigger, { type: 'WEBHOOK' }>, 'accept' | 'challenge' | 'cloudEvents'>): HookOptions | null {
  const options = {
    ...(accept && accept !== 'JSON' ? { accept } : {}),
    ...(challenge ? { challenge } : {}),
    ...(cloudEvents ? { cloudEvents } : {}),
  }
  return Object.keys(options).length > 0 ? options : null
}

/** Returns the header of a webhook in its stored form: its digest, or while an earlier version runs, its value. */
async function keptHeader(
  tx: Transaction,
  workflowId: string,
  { name, value }: { readonly name: string; readonly value: string },
): Promise<KeptHeader> {
  if (value === '' || (await isPlainReader(tx))) return { name, value }
  return { name, digest: headerDigest(workflowId, value) }
}

/** Closes the address of a webhook; path and secret are kept. */
export async function closeWebhook(tx: Transaction, workspaceId: string, workflowId: string): Promise<void> {
  await tx.update(webhookTriggers).set({ isPublished: false }).where(isTrigger(workspaceId, workflowId))
}

/** Gives a webhook another secret; undefined when the webhook was never published. */
export async function replaceSecret(
  tx: Transaction,
  workspaceId: string,
  workflowId: string,
): Promise<string | undefined> {
  const secret = newSecret()
  const { rowCount } = await tx
    .update(webhookTriggers)
    .set({ secretHash: digest(secret) })
    .where(isTrigger(workspaceId, workflowId))
  return rowCount === 1 ? secret : undefined
}

/** Returns the most recent accepted call of a webhook. */
export async function findLastRequest(db: Executor, workspaceId: string, workflowId: string) {
  const [row] = await db
    .select({ request: webhookTriggers.lastRequest, receivedAt: webhookTriggers.lastRequestAt })
    .from(webhookTriggers)
    .where(isTrigger(workspaceId, workflowId))
  return row?.request && row.receivedAt ? { request: row.request, receivedAt: row.receivedAt } : undefined
}

/** Returns one page of a webhook's refused calls, newest first. */
export async function listRefusedCalls(
  db: Executor,
  workspaceId: string,
  workflowId: string,
  limit: number,
  offset: number,
) {
  const where = and(eq(refusedCalls.workspaceId, workspaceId), eq(refusedCalls.workflowId, workflowId))
  const [total] = await db.select({ n: count() }).from(refusedCalls).where(where)
  const items = await db
    .select()
    .from(refusedCalls)
    .where(where)
    .orderBy(desc(refusedCalls.id))
    .limit(limit)
    .offset(offset)
  return { items, total: total?.n ?? 0 }
}

/** Returns the entity types of a workspace's custom entities, in capitals. */
export async function findCustomTypes(db: Executor, workspaceId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ key: customEntities.key })
    .from(customEntities)
    .where(eq(customEntities.workspaceId, workspaceId))
  return new Set(rows.map(({ key }) => key.toUpperCase()))
}

/** Returns the workflows of a workspace with their saved steps, and whether they are published. */
export async function findSteps(db: Executor, workspaceId: string) {
  return db
    .select({ id: workflows.id, status: workflows.status, steps: workflows.steps })
    .from(workflows)
    .where(eq(workflows.workspaceId, workspaceId))
}

/** Returns the ids among these that a department or a person of the workspace has. */
export async function findPeople(
  db: Executor,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const known = (table: typeof departments | typeof employees) =>
    db
      .select({ id: table.id })
      .from(table)
      .where(and(eq(table.workspaceId, workspaceId), isAnyOf(table.id, ids)))
  return new Set([...(await known(departments)), ...(await known(employees))].map(({ id }) => id))
}

function isWorkflow(workspaceId: string, id: string): SQL {
  return and(eq(workflows.workspaceId, workspaceId), eq(workflows.id, id)) as SQL
}

function isTrigger(workspaceId: string, workflowId: string): SQL {
  return and(eq(webhookTriggers.workspaceId, workspaceId), eq(webhookTriggers.workflowId, workflowId)) as SQL
}
