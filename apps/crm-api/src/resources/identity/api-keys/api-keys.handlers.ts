import { apiKeys, success } from '@crm/contract'
import { fieldChanges, newId, schema, type Executor, type Transaction } from '@crm/db'
import { readCidr } from '@crm/egress'
import { ApiError, invalidField, invalidReference, type Issue } from '@crm/errors'
import { apiKeyPrefix, digest, fullName, keyPrefix, newSecret } from '@crm/identity'
import { and, count, desc, eq, isNull, not, sql, type SQL } from 'drizzle-orm'
import { closeProposals, handOnProposals } from '../../../domain/agents/proposals.repository.ts'
import { changedControl, readControls, usualControl, type ControlRow } from '../../../domain/agents/shown-control.ts'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit, changingWorkspace } from '../../../records/audit.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import { recallPermissions } from '../../../records/rights.ts'
import { comparedCondition } from '../../../records/search-terms.ts'

const { apiKeys: table, employees, proposals } = schema

type ApiKeyRow = typeof table.$inferSelect

const isOwner = and(eq(employees.workspaceId, table.workspaceId), eq(employees.id, table.ownerId))

export const implementedApiKeys = implement(apiKeys, {
  list: async ({ query }, context) => {
    const { db, workspace } = context
    const owned = sql`concat_ws(' ', ${table.name}, ${table.prefix}, ${employees.firstName}, ${employees.lastName}, ${employees.email})`
    const where = and(
      eq(table.workspaceId, workspace.id),
      query.search === undefined ? undefined : comparedCondition(query.search, sql`crm_searchable(${owned})`),
      query.isActive === undefined ? undefined : isLive(context, query.isActive),
    ) as SQL
    const [total] = await db.select({ n: count() }).from(table).innerJoin(employees, isOwner).where(where)
    const rows = await selectKeys(db, where)
      .orderBy(desc(table.createdAt), desc(table.id))
      .limit(query.pageSize)
      .offset(offsetOf(query))
    return pageOf({ items: await present(context, rows), total: total?.n ?? 0 }, query)
  },

  get: async ({ params }, context) => {
    const [row] = await selectKeys(context.db, isKey(context, params.id))
    if (!row) throw notFound()
    return success(await presentOne(context, row))
  },

  update: async ({ params, body }, context) => {
    await changingWorkspace(context, async (tx) => {
      const key = await lockKey(tx, context, params.id)
      const control = changedControl(key, body)
      await tx.update(table).set(control).where(isKey(context, params.id))
      await audit(tx, context, {
        action: 'api-key.changed',
        subjectType: 'API_KEY',
        subjectId: params.id,
        summary: `Changed what the API key ${key.name} may do by itself`,
        changes: fieldChanges(controlOf(key), control),
      })
    })
    const [row] = await selectKeys(context.db, isKey(context, params.id))
    if (!row) throw notFound()
    return success(await presentOne(context, row))
  },

  create: async ({ body }, context) => {
    await requireScopes(context, body.scopes)
    const { expiresAt = null, allowedCidrs = [], ownerId = context.caller.employee.id } = body
    if (expiresAt && Date.parse(expiresAt) <= Date.parse(context.at))
      throw invalidField('expiresAt', 'Expected a time in the future')
    requireLife(context, expiresAt)
    requireBlocks(allowedCidrs)
    return success(
      await changingWorkspace(context, async (tx) => {
        if (!(await isActive(tx, context, ownerId))) throw invalidReference('ownerId')
        const made = await insertKey(tx, context, {
          name: body.name,
          scopes: [...new Set(body.scopes)],
          expiresAt,
          ownerId,
          allowedCidrs: [...new Set(allowedCidrs)],
          ...changedControl(usualControl, body),
          lineId: null,
        })
        await audit(tx, context, {
          action: 'api-key.created',
          subjectType: 'API_KEY',
          subjectId: made.id,
          summary: `Created the API key ${made.name}`,
          changes: [{ field: 'scopes', from: null, to: made.scopes }],
          data: {
            scopes: made.scopes,
            expiresAt,
            ownerId,
            allowedCidrs: made.allowedCidrs,
            ...changedControl(usualControl, body),
          },
        })
        return made
      }),
    )
  },

  delete: async ({ params }, context) => {
    await changingWorkspace(context, async (tx) => {
      const key = await lockKey(tx, context, params.id)
      await revokeKey(tx, context, params.id)
      await closeProposals(tx, context.workspace.id, eq(proposals.credentialId, params.id), context.at)
      await audit(tx, context, {
        action: 'api-key.revoked',
        subjectType: 'API_KEY',
        subjectId: params.id,
        summary: `Revoked the API key ${key.name}`,
        changes: [{ field: 'revokedAt', from: key.revokedAt, to: key.revokedAt ?? context.at }],
      })
    })
    return success({ id: params.id })
  },

  rotate: async ({ params, body }, context) =>
    success(
      await changingWorkspace(context, async (tx) => {
        const old = await lockKey(tx, context, params.id)
        if (old.revokedAt) throw context.refuse('INVALID_TRANSITION', { message: 'The key is revoked' })
        if (!(await isActive(tx, context, old.ownerId)))
          throw context.refuse('INVALID_TRANSITION', { message: 'The owner of the key is disabled' })
        await retireKey(tx, context, old, body.overlapHours)
        const { name, scopes, ownerId, allowedCidrs } = old
        const expiresAt = withinLife(context, old.expiresAt)
        const line = { ...controlOf(old), lineId: old.lineId ?? old.id }
        const made = await insertKey(tx, context, { name, scopes, expiresAt, ownerId, allowedCidrs, ...line })
        await handOnProposals(tx, context.workspace.id, old.id, made.id)
        await audit(tx, context, {
          action: 'api-key.rotated',
          subjectType: 'API_KEY',
          subjectId: made.id,
          summary: `Rotated the API key ${made.name}`,
          changes: [{ field: 'prefix', from: old.prefix, to: made.prefix }],
          data: { replaces: params.id, overlapHours: body.overlapHours },
        })
        return made
      }),
    ),
})

async function requireScopes(context: CrmContext, scopes: readonly string[]): Promise<void> {
  const known = new Set((await recallPermissions(context.db, context)).map(({ name }) => name))
  const issues: Issue[] = scopes.flatMap((scope, at) =>
    known.has(scope) ? [] : [{ path: ['scopes', at], message: 'Unknown scope' }],
  )
  if (issues.length > 0) throw new ApiError('VALIDATION_ERROR', { issues })
}

function selectKeys(db: Executor, where: SQL) {
  return db
    .select({
      key: table,
      owner: { firstName: employees.firstName, lastName: employees.lastName, email: employees.email },
    })
    .from(table)
    .innerJoin(employees, isOwner)
    .where(where)
    .$dynamic()
}

/** Whether keys are neither revoked nor expired, or one of both. */
function isLive({ at }: CrmContext, isActive: boolean): SQL {
  const live = sql`(${table.revokedAt} IS NULL AND (${table.expiresAt} IS NULL OR ${table.expiresAt} > ${at}))`
  return isActive ? live : not(live)
}

function isKey({ workspace }: CrmContext, id: string): SQL {
  return and(eq(table.workspaceId, workspace.id), eq(table.id, id)) as SQL
}

async function lockKey(tx: Transaction, context: CrmContext, id: string): Promise<ApiKeyRow> {
  const [row] = await tx.select().from(table).where(isKey(context, id)).for('update')
  if (!row) throw notFound()
  return row
}

async function revokeKey(tx: Transaction, context: CrmContext, id: string): Promise<void> {
  await tx
    .update(table)
    .set({ revokedAt: context.at })
    .where(and(isKey(context, id), isNull(table.revokedAt)))
}

/** Ends a replaced key: at once, or after the time in which both keys work. It never lives longer than before. */
async function retireKey(tx: Transaction, context: CrmContext, key: ApiKeyRow, overlapHours: number): Promise<void> {
  if (overlapHours === 0) return revokeKey(tx, context, key.id)
  const endsAt = new Date(Date.parse(context.at) + overlapHours * 3_600_000).toISOString()
  if (key.expiresAt !== null && key.expiresAt <= endsAt) return
  await tx.update(table).set({ expiresAt: endsAt }).where(isKey(context, key.id))
}

/** Returns the latest end of a key that begins now; null: the workspace sets none. */
function latestEnd({ workspace, at }: CrmContext): string | null {
  const { keyMaxDays } = workspace.signInPolicy
  return keyMaxDays === null ? null : new Date(Date.parse(at) + keyMaxDays * 86_400_000).toISOString()
}

function requireLife(context: CrmContext, expiresAt: string | null): void {
  const latest = latestEnd(context)
  if (latest !== null && (expiresAt === null || expiresAt > latest))
    throw invalidField(
      'expiresAt',
      `Keys of this workspace end after ${context.workspace.signInPolicy.keyMaxDays} days`,
    )
}

/** A new key in place of an old one lives no longer than a new key may. */
function withinLife(context: CrmContext, expiresAt: string | null): string | null {
  const latest = latestEnd(context)
  return latest !== null && (expiresAt === null || expiresAt > latest) ? latest : expiresAt
}

/** Refuses blocks of addresses that no address can be in. */
function requireBlocks(blocks: readonly string[]): void {
  const issues: Issue[] = blocks.flatMap((block, at) => {
    try {
      readCidr(block)
      return []
    } catch {
      return [{ path: ['allowedCidrs', at], message: 'Expected an address or a block of addresses' }]
    }
  })
  if (issues.length > 0) throw new ApiError('VALIDATION_ERROR', { issues })
}

async function isActive(tx: Transaction, { workspace }: CrmContext, employeeId: string): Promise<boolean> {
  const [owner] = await tx
    .select({ status: employees.status })
    .from(employees)
    .where(and(eq(employees.workspaceId, workspace.id), eq(employees.id, employeeId)))
  return owner?.status === 'ACTIVE'
}

interface NewKey extends ControlRow {
  /** The first key of the line; null: this one. */
  readonly lineId: string | null
  readonly name: string
  readonly scopes: string[]
  readonly expiresAt: string | null
  readonly ownerId: string
  readonly allowedCidrs: string[]
}

async function insertKey(tx: Transaction, { workspace, at, caller }: CrmContext, values: NewKey) {
  const key = newSecret(apiKeyPrefix)
  const id = newId()
  const prefix = keyPrefix(key)
  await tx.insert(table).values({
    ...values,
    workspaceId: workspace.id,
    id,
    prefix,
    keyHash: digest(key),
    createdAt: at,
    createdById: caller.employee.id,
  })
  const { name, scopes, expiresAt, allowedCidrs } = values
  return { id, name, prefix, scopes, expiresAt, allowedCidrs, key }
}

type Listed = { readonly key: ApiKeyRow; readonly owner: Parameters<typeof fullName>[0] }

async function present({ db, workspace, at }: CrmContext, rows: readonly Listed[]) {
  const keys = rows.map(({ key }) => key)
  const controlsOf = await readControls(db, { workspace, at }, keys, ({ lineId, id }) => `key:${lineId ?? id}`)
  return rows.map(({ key, owner }) => {
    const { workspaceId: _workspace, keyHash: _hash, createdById: _maker, toldExpiresAt: _told, ...shown } = key
    const { lineId: _line, ...record } = shown
    return { ...record, ...controlsOf(key), ownerName: fullName(owner) }
  })
}

async function presentOne(context: CrmContext, row: Listed) {
  const [shown] = await present(context, [row])
  if (!shown) throw notFound()
  return shown
}

function controlOf({ writes, limits, confirm }: ApiKeyRow): ControlRow {
  return { writes, limits, confirm }
}

function notFound(): ApiError {
  return new ApiError('NOT_FOUND', { message: 'There is no such API key' })
}
