import { startRounds, type Logger } from '@crm/runtime'
import { createDatabase, type Database } from './client.ts'
import type { Pool } from './pool.ts'

/** A position in the write-ahead log, in bytes. */
type WalPosition = bigint

/** A copy of the database that PostgreSQL keeps up to date by itself. */
interface Replica {
  readonly db: Database
  /** Leaves the replica out until it answers again. */
  leaveOut(): void
}

/** The replicas of the database, as one process sees them. */
export interface Replicas {
  /** Returns a replica that has replayed the log up to a position and is not behind; undefined when the primary has to do the work. */
  upTo(position: WalPosition): Replica | undefined
  /** Waits for such a replica; undefined when there is none in time. */
  whenUpTo(position: WalPosition, withinMs: number): Promise<Replica | undefined>
  /**
   * Returns the position of the primary after everything that is committed. A replica may reach it only with the next commit, because
   * work that is under way counts too.
   */
  position(): Promise<WalPosition>
  /** Writes a mark into the log and returns its position: replicas reach it soon, however little else is written. */
  mark(): Promise<WalPosition>
  /** Returns for each replica by how many seconds it is behind, in their order. */
  lags(): readonly number[]
  /** Looks at the primary and at each replica now. */
  look(): Promise<void>
  close(): Promise<void>
}

export interface ReplicasOptions {
  readonly primary: Pool
  /** The pools of the replicas; `close` ends them. */
  readonly replicas: readonly Pool[]
  readonly logger: Logger
  readonly everyMs?: number
  readonly nowMs?: () => number
}

/** A replica that is further behind gets no reads. */
export const replicaLagSecondsMax = 10
/** A replica that has not answered for this long is left out. */
const silentMsMax = 3_000
/** The number of positions of the primary that are remembered: ten minutes. */
const samplesMax = 600

/** The position of the primary at a time. */
interface Sample {
  readonly atMs: number
  readonly position: WalPosition
}

interface Watched {
  readonly pool: Pool
  readonly replica: Replica
  /** The last position that it told; undefined before the first answer, and while it is left out. */
  replayed: WalPosition | undefined
  /** The last position that it told at all. */
  known: WalPosition
  seenAtMs: number
}

/** Watches replicas: how far each has replayed the log, and since when the primary is further. */
export function watchReplicas({
  primary,
  replicas,
  logger,
  everyMs = 1_000,
  nowMs = () => performance.now(),
}: ReplicasOptions): Replicas {
  const samples: Sample[] = []
  const watched = replicas.map((pool) => watch(pool, nowMs()))
  // Bounded: requests that wait, each for a limited time.
  const waiting = new Set<() => void>()
  let next = 0

  const lookAtPrimary = async (): Promise<void> => {
    const position = await readPosition(primary, 'pg_current_wal_flush_lsn()')
    samples.push({ atMs: nowMs(), position })
    if (samples.length > samplesMax) samples.shift()
  }

  const lookAt = async (one: Watched): Promise<void> => {
    try {
      one.replayed = await readPosition(one.pool, 'pg_last_wal_replay_lsn()')
      one.known = one.replayed
      one.seenAtMs = nowMs()
    } catch (error) {
      if (one.replayed !== undefined)
        logger.warn({ err: error, replica: watched.indexOf(one) + 1 }, 'a replica is left out')
      one.replayed = undefined
    }
    for (const wake of waiting) wake()
  }

  const lagOf = ({ known, seenAtMs }: Watched): number => {
    const ahead = samples.find(({ position }) => position > known)
    const silentMs = nowMs() - seenAtMs
    const behindMs = ahead ? nowMs() - ahead.atMs : 0
    return Math.max(behindMs, silentMs > silentMsMax ? silentMs : 0) / 1_000
  }

  const isUpTo = (one: Watched, position: WalPosition): boolean =>
    one.replayed !== undefined &&
    one.replayed >= position &&
    nowMs() - one.seenAtMs <= silentMsMax &&
    lagOf(one) <= replicaLagSecondsMax

  const round = (name: string, look: () => Promise<void>) => startRounds({ name, everyMs, logger, round: look })
  // A replica that hangs must not delay the look at the others.
  const rounds =
    watched.length === 0
      ? []
      : [round('position of the primary', lookAtPrimary), ...watched.map((one) => round('replica', () => lookAt(one)))]

  const upTo = (position: WalPosition): Replica | undefined => {
    const usable = watched.filter((one) => isUpTo(one, position))
    next += 1
    return usable[next % usable.length]?.replica
  }

  const nextLook = async (endsAtMs: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, Math.max(0, endsAtMs - nowMs()))
    waiting.add(resolve)
    await promise
    waiting.delete(resolve)
    clearTimeout(timer)
  }

  return {
    upTo,
    whenUpTo: async (position, withinMs) => {
      const endsAtMs = nowMs() + withinMs
      let found = upTo(position)
      while (!found && watched.length > 0 && nowMs() < endsAtMs) {
        await nextLook(endsAtMs)
        found = upTo(position)
      }
      return found
    },
    // Commits that do not wait for the disk are in the log already, but not yet flushed.
    position: () => readPosition(primary, 'pg_current_wal_insert_lsn()'),
    mark: () => writeMark(primary),
    lags: () => watched.map(lagOf),
    look: async () => {
      await lookAtPrimary()
      await Promise.all(watched.map(lookAt))
    },
    close: async () => {
      await Promise.all(rounds.map((one) => one.close()))
      await Promise.all(replicas.map((pool) => pool.end()))
    },
  }
}

function watch(pool: Pool, nowMs: number): Watched {
  const watched: Watched = {
    pool,
    replayed: undefined,
    known: 0n,
    seenAtMs: nowMs,
    replica: { db: createDatabase(pool), leaveOut: () => void (watched.replayed = undefined) },
  }
  return watched
}

/** The commit waits for the disk even where others do not, so that the mark leaves for the replicas. */
const markStatement = `WITH waits AS MATERIALIZED (SELECT set_config('synchronous_commit', 'on', true) AS value)
  SELECT pg_logical_emit_message(true, 'crm', '') - '0/0'::pg_lsn AS position FROM waits WHERE value = 'on'`

async function writeMark(pool: Pool): Promise<WalPosition> {
  const { rows } = await pool.query<{ position: string }>(markStatement)
  return BigInt(rows[0]?.position ?? 0)
}

/** Reads a position; a server of the other kind has none. */
async function readPosition(
  pool: Pool,
  expression: 'pg_current_wal_flush_lsn()' | 'pg_current_wal_insert_lsn()' | 'pg_last_wal_replay_lsn()',
): Promise<WalPosition> {
  const isReplica = expression === 'pg_last_wal_replay_lsn()'
  const { rows } = await pool.query<{ position: string | null }>(
    `SELECT CASE WHEN pg_is_in_recovery() = ${isReplica} THEN ${expression} - '0/0'::pg_lsn END AS position`,
  )
  const position = rows[0]?.position
  if (position === null || position === undefined)
    throw new Error(isReplica ? 'The server is no replica' : 'The server is no primary')
  return BigInt(position)
}
