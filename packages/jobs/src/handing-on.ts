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
  /** SQL over the row `o` of the outbox, which belongs to the workspace `$1`. */
  readonly condition: string
}

/** The topic that stays inside the installation, so it continues while sending is paused. */
const inside: Topic = 'access'

interface FoundRow {
  readonly workspace_id: string
  readonly id: string
  readonly topic: Topic
}

/** The rows that are to be taken, in the order in which they wait. */
interface Which {
  /** The beginning of the names of its statements. */
  readonly name: string
  /** SQL over a row of the outbox. */
  readonly condition: string
  readonly order: string
}

// PostgreSQL estimates an unknown limit as a tenth of the table, and would read all of it for four rows; the bound states the limit.
const look = ({ condition, order }: Which, topics: readonly Topic[], bound: number): string =>
  topics
    .map(
      (topic) => `(SELECT workspace_id, id, topic FROM outbox
    WHERE ${condition} AND done_at IS NULL AND topic = '${topic}'${topic === inside ? '' : ` AND ${maySend}`} ORDER BY ${order} LIMIT ${bound})`,
    )
    .join(' UNION ALL ')

// A mark that a crash undoes only causes a second hand-on, so no commit waits for the disk here. The array is read once; a join would be free
// to read and lock the rows again for each row of the workspace.
const take = ({ condition }: Which, unheard?: Unheard): string => `
  WITH ${fastCommit}
  UPDATE outbox o SET relayed_at = now()${unheard ? `, done_at = CASE WHEN o.topic = '${unheard.topic}' AND (${unheard.condition}) THEN $3::timestamptz END` : ''} FROM fast
  WHERE o.workspace_id = $1 AND o.id = ANY (ARRAY(
    SELECT id FROM outbox WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) AND ${condition} AND done_at IS NULL FOR UPDATE SKIP LOCKED))
  RETURNING o.workspace_id, o.id, o.topic, o.attempts, o.done_at IS NOT NULL AS is_done`

const waiting: Which = { name: 'outbox-waiting', condition: 'relayed_at IS NULL', order: 'id' }
const lost: Which = {
  name: 'outbox-lost',
  condition: `relayed_at < now() - interval '${handedOnMs} milliseconds'`,
  order: 'relayed_at',
}

/** The workspaces whose rows are taken at once. */
const takenAtOnce = 4

/** Takes rows that were never handed on, up to the limit of each topic, and marks them as handed on. */
export function takeWaiting(pool: Pool, limits: ReadonlyMap<Topic, number>, unheard?: Unheard): Promise<Taken> {
  return takeRows(pool, waiting, limits, unheard)
}

/** Takes rows that were handed on and not done in time, and rows whose next attempt is due. */
export function takeLost(pool: Pool, limits: ReadonlyMap<Topic, number>): Promise<Taken> {
  return takeRows(pool, lost, limits)
}

/** Returns in how many milliseconds a row that was handed on or put aside is due again, 0 or less for now; Infinity without any. */
export async function lostInMs(pool: Pool, topics: readonly Topic[]): Promise<number> {
  const sorted = topics.toSorted()
  if (sorted.length === 0) return Infinity
  const next = (topic: Topic): string =>
    `(SELECT (extract(epoch FROM relayed_at - now()) * 1000)::float8 + ${handedOnMs} AS "inMs" FROM outbox
      WHERE relayed_at IS NOT NULL AND done_at IS NULL AND topic = '${topic}' ORDER BY relayed_at LIMIT 1)`
  const { rows } = await pool.query<{ inMs: number }>({
    name: `outbox-lost-in-${sorted.join('-')}`,
    text: sorted.map(next).join(' UNION ALL '),
  })
  return Math.min(...rows.map(({ inMs }) => inMs))
}

/**
 * Finds rows without locking any, and takes them workspace by workspace: a distributed database locks past the locks of others on one machine
 * alone. Of two that found the same row, one takes it.
 */
async function takeRows(
  pool: Pool,
  which: Which,
  limits: ReadonlyMap<Topic, number>,
  unheard?: Unheard,
): Promise<Taken> {
  const found = await findRows(pool, which, limits)
  const places = Map.groupBy(found, (row) => row.workspace_id).entries()
  const rows: TakenRow[] = []
  const takePlaces = async (): Promise<void> => {
    for (const [workspaceId, own] of places) {
      const taken = await pool.query<TakenRow>({
        name: `${which.name}-take${unheard ? '-heard' : ''}`,
        text: take(which, unheard),
        values: [workspaceId, own.map(({ id }) => id), ...(unheard ? [new Date().toISOString()] : [])],
      })
      rows.push(...taken.rows)
    }
  }
  await Promise.all(Array.from({ length: takenAtOnce }, takePlaces))
  const open = rows.filter((row) => !row.is_done)
  return {
    looked: rows.length,
    rows: open.map((row) => ({ workspaceId: row.workspace_id, id: row.id, topic: row.topic, epoch: row.attempts })),
  }
}

async function findRows(pool: Pool, which: Which, limits: ReadonlyMap<Topic, number>): Promise<readonly FoundRow[]> {
  const topics = [...limits.keys()].toSorted()
  const bound = powerOfTwoFrom(Math.max(...limits.values()))
  const { rows } = await pool.query<FoundRow>({
    name: `${which.name}-${topics.join('-')}-${bound}`,
    text: look(which, topics, bound),
  })
  return [...Map.groupBy(rows, ({ topic }) => topic)].flatMap(([topic, own]) => own.slice(0, limits.get(topic)))
}

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
