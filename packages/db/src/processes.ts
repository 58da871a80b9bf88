import { productVersion, startRounds, type Logger, type Rounds } from '@crm/runtime'
import type { Pool } from 'pg'
import { newId } from './new-id.ts'
import { newestMigration } from './migrations.ts'
import { isPooled } from './pooled.ts'

const beatEveryMs = 60_000
/** A process that was seen within this time counts as running. */
const seenWithin = '10 minutes'
/** The row of a process that was killed goes after this time. */
const keptFor = '1 day'

/** A running process of the installation. */
export interface ProcessSeen {
  readonly kind: string
  readonly version: string
  /** ISO 8601, or PostgreSQL's form of a time. */
  readonly seenAt: string
}

/** What a process tells of itself. */
export interface BeatOptions {
  /** The pools of the database, that of requests first. */
  readonly pools: readonly [Pool, ...Pool[]]
  /** The name of the deployable. */
  readonly kind: string
  readonly logger: Logger
  /** For a process that deletes history: how late each table is, in seconds. */
  readonly readBehind?: () => Promise<ReadonlyMap<string, number>>
}

/**
 * Writes each minute that this process runs, and forgets it when it is closed. An upgrade reads there whether an older version still runs,
 * and `crm doctor` what the processes need.
 */
export function startBeat({ pools, kind, logger, readBehind }: BeatOptions): Rounds {
  const [pool] = pools
  const id = newId()
  let connections: number | null | undefined
  const beat = async (): Promise<void> => {
    if (connections === undefined) connections = await connectionsOf(pools)
    const behind = readBehind ? JSON.stringify(Object.fromEntries(await readBehind())) : null
    await pool.query(
      `INSERT INTO processes (id, kind, version, migration, connections, behind, zone_rules) VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, connections = excluded.connections, behind = excluded.behind`,
      [id, kind, productVersion, await newestMigration(), connections, behind, process.versions['tz'] ?? null],
    )
    await pool.query(`DELETE FROM processes WHERE seen_at < now() - interval '${keptFor}'`)
  }
  const rounds = startRounds({ name: 'process', everyMs: beatEveryMs, logger, round: beat })
  return {
    close: async () => {
      await rounds.close()
      // Without a database the row grows old by itself.
      await pool.query('DELETE FROM processes WHERE id = $1', [id]).catch(() => undefined)
    },
  }
}

async function connectionsOf(pools: readonly Pool[]): Promise<number | null> {
  if (await isPooled(pools[0]?.options.connectionString ?? '')) return null
  return pools.reduce((total, { options }) => total + options.max, 0)
}

/** The needs of all running processes together. */
export interface ProcessNeeds {
  /** The most connections to PostgreSQL, without the ones of processes behind a pooler. */
  readonly connections: number
  /** For how many seconds each table has waited for the deletion of its oldest expired row. */
  readonly behind: ReadonlyMap<string, number>
  /** Whether a process runs that deletes the history of workflows, requests and sessions. */
  readonly hasPurge: boolean
}

/** Reads the needs of the processes that were seen lately. */
export async function processNeeds(client: Pick<Pool, 'query'>): Promise<ProcessNeeds> {
  const seen = `seen_at > now() - interval '${seenWithin}'`
  const { rows } = await client.query<{ connections: number; hasPurge: boolean }>(
    `SELECT coalesce(sum(connections), 0)::int AS connections, coalesce(bool_or(kind = 'webhooks-dispatcher'), false) AS "hasPurge"
     FROM processes WHERE ${seen}`,
  )
  const { rows: late } = await client.query<{ name: string; seconds: number }>(
    `SELECT name, max(value::float8) AS seconds FROM processes CROSS JOIN jsonb_each_text(behind) AS each (name, value)
     WHERE ${seen} GROUP BY name`,
  )
  const { connections = 0, hasPurge = false } = rows[0] ?? {}
  return { connections, hasPurge, behind: new Map(late.map(({ name, seconds }) => [name, seconds])) }
}

/** The kinds of the running processes that have one release of the rules of time zones. */
export interface ZoneRulesSeen {
  /** Such as `2026c`; null where a process does not say. */
  readonly release: string | null
  readonly kinds: readonly string[]
}

/** Returns the releases of the rules of time zones that running processes have. */
export async function zoneRulesSeen(client: Pick<Pool, 'query'>): Promise<readonly ZoneRulesSeen[]> {
  const { rows } = await client.query<ZoneRulesSeen>(
    `SELECT zone_rules AS release, array_agg(DISTINCT kind ORDER BY kind) AS kinds FROM processes
     WHERE seen_at > now() - interval '${seenWithin}' GROUP BY zone_rules ORDER BY zone_rules`,
  )
  return rows
}

/** Returns the running processes whose code does not know a migration. */
export async function olderProcesses(client: Pick<Pool, 'query'>, migration: number): Promise<readonly ProcessSeen[]> {
  const { rows } = await client.query<ProcessSeen>(
    `SELECT kind, version, seen_at::text AS "seenAt" FROM processes
     WHERE migration < $1 AND seen_at > now() - interval '${seenWithin}' ORDER BY seen_at DESC`,
    [migration],
  )
  return rows
}
