import { schema, type Executor } from '@crm/db'
import { storageQuota } from '@crm/permissions'
import { workspaceLimits, type WorkspaceLimitName } from '@crm/runtime'
import { and, eq } from 'drizzle-orm'
import { audit } from './audit.ts'
import type { Connection } from './connection.ts'
import { CommandError } from './output.ts'

/** The limit of the storage is that of the plan under another name: megabytes, and 0 for none. */
const storageLimit = 'storage.mb'
const storageMax = 2 ** 31 - 1

const rateNames = Object.keys(workspaceLimits) as WorkspaceLimitName[]
const names = [...rateNames, storageLimit] as const

type Name = (typeof names)[number]

interface Setting {
  readonly name: Name
  /** Null: the usual value. */
  readonly value: number | null
}

const { workspaces, workspaceQuotas } = schema

/** Reads `name=value` or `name=default`. */
export function parseWorkspaceLimit(text: string): Setting {
  const [, given, value] = /^([\w.-]+)=(\d{1,10}|default)$/.exec(text) ?? []
  if (given === undefined || value === undefined)
    throw new CommandError(`Expected a limit such as api.per-minute=1200 or api.per-minute=default, not ${text}`)
  const name = names.find((known) => known === given)
  if (!name) throw new CommandError(`Unknown limit ${given}; known: ${names.join(', ')}`)
  if (value === 'default') return { name, value: null }
  const [min, max] = name === storageLimit ? [0, storageMax] : [1, workspaceLimits[name].max]
  const number = Number(value)
  if (number < min || number > max) throw new CommandError(`${name} is a number from ${min} to ${max}, not ${value}`)
  return { name, value: name === storageLimit && number === 0 ? null : number }
}

/** Reads each limit of a workspace, whether it is its own or the usual one. */
export async function readWorkspaceLimits(db: Executor, workspaceId: string): Promise<Readonly<Record<Name, number>>> {
  const { rates, storage } = await readOwn(db, workspaceId)
  const values = rateNames.map((name) => [name, rates[name] ?? workspaceLimits[name].usual] as const)
  return Object.fromEntries([...values, [storageLimit, storage ?? 0]]) as Record<Name, number>
}

/** Changes limits of a workspace; they count from the next requests on. */
export async function setWorkspaceLimits(
  { db, forget }: Pick<Connection, 'db' | 'forget'>,
  workspaceId: string,
  settings: readonly Setting[],
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.id, workspaceId)).for('update')
    const before = await readWorkspaceLimits(tx, workspaceId)
    const { rates } = await readOwn(tx, workspaceId)
    const given = settings.filter(({ name }) => name !== storageLimit)
    const limits = Object.fromEntries(
      Object.entries({ ...rates, ...Object.fromEntries(given.map(({ name, value }) => [name, value])) }).filter(
        (limit): limit is [string, number] => typeof limit[1] === 'number',
      ),
    )
    await tx.update(workspaces).set({ limits }).where(eq(workspaces.id, workspaceId))
    const storage = settings.findLast(({ name }) => name === storageLimit)
    if (storage) await setStorage(tx, workspaceId, storage.value)
    const after = await readWorkspaceLimits(tx, workspaceId)
    await audit(tx, workspaceId, {
      action: 'workspace.changed',
      subjectType: 'WORKSPACE',
      subjectId: workspaceId,
      summary: 'Changed the rates and shares',
      changes: settings.map(({ name }) => ({ field: name, from: before[name], to: after[name] })),
    })
  })
  await forget(workspaceId)
}

interface OwnLimits {
  readonly rates: Readonly<Record<string, number>>
  readonly storage: number | undefined
}

async function readOwn(db: Executor, workspaceId: string): Promise<OwnLimits> {
  const [row] = await db.select({ limits: workspaces.limits }).from(workspaces).where(eq(workspaces.id, workspaceId))
  const [quota] = await db.select({ limit: workspaceQuotas.limit }).from(workspaceQuotas).where(isStorage(workspaceId))
  return { rates: row?.limits ?? {}, storage: quota?.limit }
}

async function setStorage(tx: Executor, workspaceId: string, limit: number | null): Promise<void> {
  await tx.delete(workspaceQuotas).where(isStorage(workspaceId))
  if (limit !== null) await tx.insert(workspaceQuotas).values({ workspaceId, quota: storageQuota, limit })
}

function isStorage(workspaceId: string) {
  return and(eq(workspaceQuotas.workspaceId, workspaceId), eq(workspaceQuotas.quota, storageQuota))
}
