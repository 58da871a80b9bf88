import { fastCommit, maySend, type Pool } from '@crm/db'
import type { JobReference, Topic } from './catalogue.ts'

/** A row of the outbox that is to be handed on. */
export interface HandedOn extends JobReference {
  readonly topic: Topic
}

/** The time that a handed-on row has to be done before it is handed on again. */
export const handedOnMs = 60_000

interface TakenRow {
  readonly workspace_id: string
  readonly id: string
  readonly topic: Topic
  readonly attempts: number
  readonly is_done: boolean
}

/** The result of one look at the outbox. */
export interface Taken {
  /** The number of examined rows. */
  readonly looked: number
  /** The rows that are to be handed on. */
  readonly rows: readonly HandedOn[]
}

/** Rows of a topic that no consumer needs; they are marked as done when they are examined. */
export interface Unheard {
  readonly topic: Topic
  /** SQL over the row `o` of the outbox. */
  readonly condition: string
}

/** The topic that stays inside the installation, so it continues while sending is paused. */
const inside: Topic = 'access'

// A mark that a crash undoes only causes a second hand-on, so no commit waits for the disk here.
// PostgreSQL estimates an unknown limit as a tenth of the table, and would read all of it for four rows; the bound states the limit.
const take = (condition: string, order: string, bound: number, unheard?: Unheard): string => `
  WITH ${fastCommit}
  UPDATE outbox o SET relayed_at = now()${unheard ? `, done_at = CASE WHEN o.topic = '${unheard.topic}' AND (${unheard.condition}) THEN $3::timestamptz END` : ''} FROM (
    SELECT found.workspace_id, found.id FROM unnest($1::text[], $2::int[]) AS wanted (topic, n),
      LATERAL (SELECT workspace_id, id FROM outbox WHERE ${condition} AND done_at IS NULL AND outbox.topic = wanted.topic AND (wanted.topic = '${inside}' OR ${maySend})
        ORDER BY ${order} LIMIT wanted.n FOR UPDATE SKIP LOCKED) found
    LIMIT ${bound}
  ) taken, fast
  WHERE o.workspace_id = taken.workspace_id AND o.id = taken.id
  RETURNING o.workspace_id, o.id, o.topic, o.attempts, o.done_at IS NOT NULL AS is_done`

const isLost = `relayed_at < now() - interval '${handedOnMs} milliseconds'`

/** Takes rows that were never handed on, up to the limit of each topic, and marks them as handed on. */
export function takeWaiting(pool: Pool, limits: ReadonlyMap<Topic, number>, unheard?: Unheard): Promise<Taken> {
  return takeRows(
    pool,
    unheard ? 'outbox-take-heard' : 'outbox-take-waiting',
    (bound) => take('relayed_at IS NULL', 'id', bound, unheard),
    limits,
    unheard ? [new Date().toISOString()] : [],
  )
}

/** Takes rows that were handed on and not done in time, and rows whose next attempt is due. */
export function takeLost(pool: Pool, limits: ReadonlyMap<Topic, number>): Promise<Taken> {
  return takeRows(pool, 'outbox-take-lost', (bound) => take(isLost, 'relayed_at', bound), limits)
}

async function takeRows(
  pool: Pool,
  name: string,
  textFor: (bound: number) => string,
  limits: ReadonlyMap<Topic, number>,
  further: readonly string[] = [],
): Promise<Taken> {
  const bound = powerOfTwoFrom(sum(limits.values()))
  const { rows } = await pool.query<TakenRow>({
    name: `${name}-${bound}`,
    text: textFor(bound),
    values: [[...limits.keys()], [...limits.values()], ...further],
  })
  const open = rows.filter((row) => !row.is_done)
  return {
    looked: rows.length,
    rows: open.map((row) => ({ workspaceId: row.workspace_id, id: row.id, topic: row.topic, epoch: row.attempts })),
  }
}

const sum = (numbers: Iterable<number>): number => Iterator.from(numbers).reduce((total, n) => total + n, 0)

/** Rounds limits up, so that there are few statements to prepare. */
const powerOfTwoFrom = (n: number): number => 2 ** Math.ceil(Math.log2(n))

/** Returns rows that could not be handed on to the outbox. */
export async function putBack(pool: Pool, rows: readonly JobReference[]): Promise<void> {
  await pool.query(
    `UPDATE outbox o SET relayed_at = NULL FROM unnest($1::uuid[], $2::uuid[]) AS b (workspace_id, id)
     WHERE o.workspace_id = b.workspace_id AND o.id = b.id AND o.done_at IS NULL`,
    [rows.map((row) => row.workspaceId), rows.map((row) => row.id)],
  )
}

/** Marks rows that need no consumer as done. */
export async function finishUnheard(pool: Pool, rows: readonly JobReference[]): Promise<void> {
  await pool.query({
    name: 'outbox-finish-unheard',
    text: `WITH ${fastCommit}
      UPDATE outbox o SET done_at = now() FROM fast, unnest($1::uuid[], $2::uuid[]) AS u (workspace_id, id)
      WHERE o.workspace_id = u.workspace_id AND o.id = u.id AND o.done_at IS NULL`,
    values: [rows.map((row) => row.workspaceId), rows.map((row) => row.id)],
  })
}
