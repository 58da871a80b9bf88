import { inPart, inTransaction, schema, type Backfill, type Database, type Part, type Transaction } from '@crm/db'
import { and, asc, eq, lt, sql, type SQL } from 'drizzle-orm'
import { SecretUnreadableError, type KeyWrapper } from './key-wrapper.ts'
import { staysPlain } from './once-plain.ts'
import { sealedColumns, webhookHeaders, withoutValue, type SealedColumn } from './sealed-columns.ts'
import { addKey, isSealed, newestKey, versionOf, wrapContext, type Secrets } from './secrets.ts'

const { dataKeys, workspaces } = schema

/** How many of the stored secrets are not encrypted, encrypted by an earlier key, and encrypted by the key of now. */
export interface SecretsStatus {
  plain: number
  previous: number
  current: number
}

/** The outcome of a rotation: the secrets that were sealed again, and the ones that no given key opens. */
export interface Rotation extends SecretsStatus {
  resealed: number
  unreadable: number
}

const rowsAtOnce = 500
/** An old data key stays for this time after its last secret: a process may be sealing by it. */
const keptFor = '1 hour'

interface Row {
  readonly workspace_id: string
  readonly owner: string | null
  readonly value: unknown
  readonly key: readonly (string | number)[]
}

/** Counts the stored secrets by the key that protects them. */
export async function secretsStatus(db: Database, wrapper: KeyWrapper): Promise<SecretsStatus> {
  const newest = await newestKeys(db)
  const counted: SecretsStatus = { plain: 0, previous: 0, current: 0 }
  for (const column of [...sealedColumns, webhookHeaders])
    for await (const rows of pagesOf(db, column))
      for (const { workspace_id, value } of rows)
        await eachSecret(column, value, async (stored) => {
          const key = newest.get(workspace_id)
          const isNewest = key?.version === versionOf(stored) && key?.wrappedBy === wrapper.id
          counted[isSealed(stored) ? (isNewest ? 'current' : 'previous') : 'plain'] += 1
          return stored
        })
  return counted
}

/**
 * Gives every workspace a new data key, wraps all data keys by the current key, and seals every secret again, plain ones too, row by row
 * while others work.
 * @param giveUpUnreadable makes a new data key even where the newest one cannot be opened, because its key is lost
 */
export async function rotateSecrets(
  db: Database,
  secrets: Secrets,
  wrapper: KeyWrapper,
  { giveUpUnreadable = false }: { readonly giveUpUnreadable?: boolean } = {},
): Promise<Rotation> {
  const ids = (await db.select({ id: workspaces.id }).from(workspaces).orderBy(asc(workspaces.id))).map(({ id }) => id)
  for (const workspaceId of ids)
    await inTransaction(db, undefined, (tx) => renewKeys(tx, wrapper, workspaceId, giveUpUnreadable))
  const outcome = { resealed: 0, unreadable: 0 }
  const keepsPlain = await staysPlain(secrets, db)
  for (const column of sealedColumns)
    for await (const rows of pagesOf(db, column))
      for (const row of rows) {
        const { resealed, unreadable } = await inTransaction(db, undefined, (tx) =>
          resealRow(tx, secrets, column, row, keepsPlain),
        )
        outcome.resealed += resealed
        outcome.unreadable += unreadable
      }
  await sweepKeys(db)
  return { ...outcome, ...(await secretsStatus(db, wrapper)) }
}

/** Returns the backfill that seals what earlier versions stored plain. It waits while such a version runs. */
export function sealingBackfill(secrets: Secrets): Backfill {
  return {
    name: 'seal-stored-secrets',
    waits: (tx) => staysPlain(secrets, tx),
    step: async (tx, limit, part) => {
      let done = await dropHeaderValues(tx, limit, part)
      for (const column of sealedColumns) {
        if (done >= limit) break
        done += await sealPlainRows(tx, secrets, column, limit - done, part)
      }
      return done
    },
  }
}

async function dropHeaderValues(tx: Transaction, limit: number, part: Part): Promise<number> {
  const found = await readRows(tx, webhookHeaders, { limit, part })
  for (const { workspace_id: workspaceId, key } of found) {
    const [row] = await readRows(tx, webhookHeaders, { only: { workspaceId, key }, limit: 1, lock: true })
    if (row)
      await writeRow(
        tx,
        webhookHeaders,
        row,
        withoutValue(row.owner ?? '', row.value as { name: string; value: string }),
      )
  }
  return found.length
}

async function sealPlainRows(
  tx: Transaction,
  secrets: Secrets,
  column: SealedColumn,
  limit: number,
  part: Part,
): Promise<number> {
  let changed = 0
  for await (const rows of pagesOf(tx, column, part)) {
    for (const row of rows) {
      if (!(await hasPlain(column, row))) continue
      const { resealed } = await resealRow(tx, secrets, column, row, false)
      changed += resealed > 0 ? 1 : 0
      if (changed >= limit) return changed
    }
  }
  return changed
}

async function hasPlain(column: SealedColumn, { value, owner }: Row): Promise<boolean> {
  if (owner === null) return false
  let found = false
  await eachSecret(column, value, async (stored) => {
    found ||= !isSealed(stored)
    return stored
  })
  return found
}

/** Seals the secrets of a row again, as the row is now. */
async function resealRow(
  tx: Transaction,
  secrets: Secrets,
  column: SealedColumn,
  { workspace_id, owner, key }: Row,
  keepsPlain: boolean,
): Promise<{ resealed: number; unreadable: number }> {
  const outcome = { resealed: 0, unreadable: 0 }
  const [row] = await readRows(tx, column, { only: { workspaceId: workspace_id, key }, limit: 1, lock: true })
  if (!row || owner === null) return outcome
  const place = column.place(workspace_id, owner)
  const newest = await newestKey(tx, workspace_id)
  const value = await eachSecret(column, row.value, async (stored) => {
    if (isSealed(stored) ? versionOf(stored) === newest?.version : keepsPlain) return stored
    try {
      const plain = isSealed(stored) ? await secrets.open(tx, place, stored) : stored
      const sealed = await secrets.seal(tx, place, plain)
      outcome.resealed += 1
      return sealed
    } catch (error) {
      if (!(error instanceof SecretUnreadableError)) throw error
      outcome.unreadable += 1
      return stored
    }
  })
  if (outcome.resealed > 0) await writeRow(tx, column, row, value)
  return outcome
}

/** Makes the newest data key of a workspace a new one, and wraps the older ones by the current key. */
async function renewKeys(
  tx: Transaction,
  wrapper: KeyWrapper,
  workspaceId: string,
  giveUpUnreadable: boolean,
): Promise<void> {
  const keys = await tx
    .select()
    .from(dataKeys)
    .where(eq(dataKeys.workspaceId, workspaceId))
    .orderBy(asc(dataKeys.version))
    .for('update')
  for (const { version, wrapped, wrappedBy } of keys) {
    if (wrappedBy === wrapper.id) continue
    try {
      const dataKey = await wrapper.unwrap(wrapped, wrappedBy, wrapContext(workspaceId, version))
      await tx
        .update(dataKeys)
        .set({ wrapped: await wrapper.wrap(dataKey, wrapContext(workspaceId, version)), wrappedBy: wrapper.id })
        .where(and(eq(dataKeys.workspaceId, workspaceId), eq(dataKeys.version, version)))
    } catch (error) {
      if (!(error instanceof SecretUnreadableError) || !giveUpUnreadable) throw error
    }
  }
  const last = keys.at(-1)
  if (last) await addKey(tx, wrapper, workspaceId, last.version + 1)
}

/** Removes the data keys that no secret uses any more. */
async function sweepKeys(db: Database): Promise<void> {
  const used = new Set<string>()
  for (const column of sealedColumns)
    for await (const rows of pagesOf(db, column))
      for (const { workspace_id, value } of rows)
        await eachSecret(column, value, async (stored) => {
          used.add(`${workspace_id}:${versionOf(stored)}`)
          return stored
        })
  const newest = await newestKeys(db)
  const old = await db
    .select({ workspaceId: dataKeys.workspaceId, version: dataKeys.version })
    .from(dataKeys)
    .where(lt(dataKeys.createdAt, sql`now() - ${keptFor}::interval`))
  for (const { workspaceId, version } of old)
    if (newest.get(workspaceId)?.version !== version && !used.has(`${workspaceId}:${version}`))
      await db.delete(dataKeys).where(and(eq(dataKeys.workspaceId, workspaceId), eq(dataKeys.version, version)))
}

async function newestKeys(db: Database): Promise<ReadonlyMap<string, { version: number; wrappedBy: string }>> {
  const rows = await db
    .selectDistinctOn([dataKeys.workspaceId])
    .from(dataKeys)
    .orderBy(dataKeys.workspaceId, sql`${dataKeys.version} DESC`)
  return new Map(rows.map(({ workspaceId, version, wrappedBy }) => [workspaceId, { version, wrappedBy }]))
}

function eachSecret(
  { map, column }: SealedColumn,
  value: unknown,
  change: (stored: string) => Promise<string>,
): Promise<unknown> {
  if (map) return map(value, change)
  // The only other column of JSON holds the value that is left of a webhook's header.
  const secret = column === 'header_auth' ? (value as { readonly value: string }).value : String(value)
  return change(secret)
}

/** Reads the rows of a column in pages by their keys. */
async function* pagesOf(
  db: Pick<Database, 'execute'>,
  column: SealedColumn,
  part?: Part,
): AsyncGenerator<readonly Row[]> {
  let after: { readonly workspaceId: string; readonly key: Row['key'] } | undefined
  for (;;) {
    const rows = await readRows(db, column, { after, limit: rowsAtOnce, part })
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = { workspaceId: last.workspace_id, key: last.key }
  }
}

interface Wanted {
  readonly after?: { readonly workspaceId: string; readonly key: Row['key'] } | undefined
  readonly only?: { readonly workspaceId: string; readonly key: Row['key'] }
  readonly limit: number
  readonly lock?: boolean
  /** All workspaces by default. */
  readonly part?: Part | undefined
}

async function readRows(
  db: Pick<Database, 'execute'>,
  { table, column, key, where, owner }: SealedColumn,
  { after, only, limit, lock = false, part }: Wanted,
): Promise<readonly Row[]> {
  const names = sql.raw(
    Object.keys(key)
      .map((name) => `t.${name}`)
      .join(', '),
  )
  const conditions = [sql.raw(`t.${column} IS NOT NULL`)]
  if (part) conditions.push(inPart(sql.raw('t.workspace_id'), part))
  if (where) conditions.push(sql`(${where})`)
  if (after) conditions.push(sql`(t.workspace_id, ${names}) > (${keyOf(after.workspaceId, key, after.key)})`)
  if (only)
    conditions.push(
      sql`t.workspace_id = ${only.workspaceId}::uuid`,
      sql`(t.workspace_id, ${names}) = (${keyOf(only.workspaceId, key, only.key)})`,
    )
  // A distributed database locks a row whose queries all name its workspace by a value.
  const workspaceId = only ? sql`${only.workspaceId}::uuid` : sql.raw('t.workspace_id')
  const { rows } = await db.execute(sql`
    SELECT t.workspace_id, ${owner?.(workspaceId) ?? sql.raw(`t.${Object.keys(key)[0]}`)}::text AS owner, ${sql.raw(`t.${column}`)} AS value,
      json_build_array(${names}) AS key
    FROM ${sql.raw(table)} t WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY t.workspace_id, ${names} LIMIT ${limit} ${lock ? sql`FOR UPDATE OF t` : sql``}`)
  return rows as unknown as Row[]
}

async function writeRow(
  tx: Transaction,
  { table, column, key, isJson = false }: SealedColumn,
  row: Row,
  value: unknown,
): Promise<void> {
  const names = sql.raw(Object.keys(key).join(', '))
  await tx.execute(
    sql`UPDATE ${sql.raw(table)} SET ${sql.raw(column)} = ${
      isJson ? sql`${JSON.stringify(value)}::jsonb` : value
    } WHERE workspace_id = ${row.workspace_id}::uuid AND (workspace_id, ${names}) = (${keyOf(row.workspace_id, key, row.key)})`,
  )
}

function keyOf(workspaceId: string, key: SealedColumn['key'], values: Row['key']): SQL {
  const parts = Object.values(key).map((type, index) => sql`${values[index]}::${sql.raw(type)}`)
  return sql.join([sql`${workspaceId}::uuid`, ...parts], sql`, `)
}
