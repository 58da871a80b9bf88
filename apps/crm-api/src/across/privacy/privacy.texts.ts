import { Folding } from '../../records/folding.ts'
import {
  writeRows,
  endOfTwin,
  inSavepoint,
  inTransaction,
  newId,
  schema,
  type Database,
  type Transaction,
} from '@crm/db'
import { isNotPutOff } from '@crm/jobs'
import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm'
import {
  changesOf,
  isChangeable,
  textTables,
  valuesInSql,
  type Cleaning,
  type ErasureTarget,
} from './privacy.targets.ts'
import { readTextFields } from './privacy.text-fields.ts'
import type { PrivacySubject } from './privacy.terms.ts'
import { withoutWords, type PersonWords } from './privacy.words.ts'

const { erasures } = schema

/** Names an erasure. */
export interface ErasureKey {
  readonly workspaceId: string
  readonly id: string
}

interface Begun {
  readonly workspaceId: string
  readonly at: string
  readonly subject: Pick<PrivacySubject, 'type' | 'id'>
  readonly words: PersonWords
  readonly targets: readonly ErasureTarget[]
}

const rowsPerBatch = 200
/** A process that was killed while it changed texts is not waited for longer. */
const restMs = 60_000

/** Notes the rows whose texts are to be changed once the transaction is committed. */
export async function noteErasure(
  tx: Transaction,
  { workspaceId, at, subject, words, targets }: Begun,
): Promise<ErasureKey> {
  const id = newId()
  await tx.insert(erasures).values({
    workspaceId,
    id,
    subjectType: subject.type,
    subjectId: subject.id,
    words,
    targets: [...targets],
    remaining: rowsOf(targets),
    nextAt: later(at, restMs),
    createdAt: at,
    ...(targets.length === 0 ? { words: null, doneAt: at } : {}),
  })
  return { workspaceId, id }
}

/**
 * Returns erasures that nobody goes on with, the one that has waited longest first.
 * @param work the name of the work, of which those are left out that wait after a failure
 */
export function selectDueErasures(db: Database, work: string, at: string, limit: number): Promise<ErasureKey[]> {
  const isReady = isNotPutOff(work, { workspaceId: erasures.workspaceId, row: erasures.id }, at)
  return db
    .select({ workspaceId: erasures.workspaceId, id: erasures.id })
    .from(erasures)
    .where(and(isNull(erasures.doneAt), lte(erasures.nextAt, at), isReady))
    .orderBy(asc(erasures.nextAt))
    .limit(limit)
}

/**
 * Changes the texts of an erasure batch by batch, each in a transaction of its own; returns how many rows are left.
 * @throws the error of a row, once no other one is left
 */
export async function changeTexts(
  db: Database,
  key: ErasureKey,
  at: string,
  { batchesMax }: { readonly batchesMax: number },
): Promise<number> {
  let left = 0
  for (let n = 0; n < batchesMax; n += 1) {
    left = await inTransaction(db, undefined, (tx) => changeBatch(tx, key, at))
    if (left === 0) break
  }
  return left
}

function later(at: string, ms: number): string {
  return new Date(Date.parse(at) + ms).toISOString()
}

/** Does the next batch, unless another process is doing it; returns how many rows are left. */
async function changeBatch(tx: Transaction, { workspaceId, id }: ErasureKey, at: string): Promise<number> {
  const isThis = and(eq(erasures.workspaceId, workspaceId), eq(erasures.id, id))
  const [erasure] = await tx
    .select()
    .from(erasures)
    .where(and(isThis, isNull(erasures.doneAt)))
    .for('update', { skipLocked: true })
  if (!erasure?.words) return 0
  const folding = new Folding(tx)
  await folding.learn(erasure.words)
  const cleaning = {
    folding,
    clean: withoutWords(erasure.words, folding),
    textFields: await readTextFields(tx, workspaceId),
  }
  const { taken, rest } = take(erasure.targets, rowsPerBatch)
  const failed: ErasureTarget[] = []
  let problem: unknown
  for (const target of taken) {
    const keys: (readonly string[])[] = []
    for (const key of target.keys) {
      const isDone = await inSavepoint(tx, (inner) => changeRow(inner, workspaceId, target, key, cleaning)).then(
        () => true,
        (error: unknown) => {
          problem = error
          return false
        },
      )
      if (!isDone) keys.push(key)
    }
    if (keys.length > 0) failed.push({ ...target, keys })
  }
  const targets = [...rest, ...failed]
  const left = rowsOf(targets)
  // Rows that cannot be changed go to the end, and hold up no others.
  if (left > 0 && rowsOf(taken) === rowsOf(failed)) throw problem
  const nextAt = later(at, restMs)
  await tx
    .update(erasures)
    .set({ targets, remaining: left, nextAt, ...(left === 0 ? { words: null, doneAt: at } : {}) })
    .where(isThis)
  return left
}

function rowsOf(targets: readonly ErasureTarget[]): number {
  return targets.reduce((sum, { keys }) => sum + keys.length, 0)
}

/** Returns the first rows of the targets, and the others. */
function take(targets: readonly ErasureTarget[], most: number): { taken: ErasureTarget[]; rest: ErasureTarget[] } {
  const taken: ErasureTarget[] = []
  const rest: ErasureTarget[] = []
  let room = most
  for (const target of targets) {
    const [now, later] = [target.keys.slice(0, room), target.keys.slice(room)]
    room -= now.length
    if (now.length > 0) taken.push({ ...target, keys: now })
    if (later.length > 0) rest.push({ ...target, keys: later })
  }
  return { taken, rest }
}

async function changeRow(
  tx: Transaction,
  workspaceId: string,
  { table, keyColumns }: ErasureTarget,
  key: readonly string[],
  cleaning: Cleaning,
): Promise<void> {
  const known = textTables.find((each) => each.table === table)
  if (!known) return
  const isThis = sql.join(
    [
      sql`workspace_id = ${workspaceId}`,
      ...keyColumns.map((column, at) => sql`${sql.identifier(column)} = ${key[at]}`),
    ],
    sql` AND `,
  )
  const { rows } = await tx.execute<{ values: unknown[] }>(sql`
    SELECT ${valuesInSql(known.columns)} AS values FROM ${sql.identifier(table)} WHERE ${isThis} AND ${isChangeable(table)} FOR UPDATE`)
  await cleaning.folding.learn(rows)
  const changes = rows[0] ? changesOf(known, rows[0].values, cleaning) : []
  if (changes.length === 0) return
  const set = changes.map(({ column, type, value }) => {
    const written = type === 'jsonb' ? sql`${JSON.stringify(value)}::jsonb` : sql.param(value)
    return sql`${sql.identifier(column)} = ${written}`
  })
  const isTwin = endOfTwin(table, (name) => {
    const change = changes.find(({ column }) => column === name)
    return change && sql`${change.value}`
  })
  if (isTwin) set.push(sql`is_twin = ${isTwin}`)
  await writeRows(tx, table, sql`UPDATE ${sql.identifier(table)} SET ${sql.join(set, sql`, `)} WHERE ${isThis}`)
}
