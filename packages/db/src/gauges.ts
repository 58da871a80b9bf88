import { readSeldom, type Metrics } from '@crm/runtime'
import type { Pool } from 'pg'
import { pendingMigrations } from './migrate.ts'

/** Returns for how many seconds there has been no newer backup that was verified; undefined where none was. */
export async function readBackupAge(pool: Pick<Pool, 'query'>): Promise<number | undefined> {
  return ageOf(pool, 'SELECT backup_at AS at FROM installation')
}

async function ageOf(pool: Pick<Pool, 'query'>, moment: string): Promise<number | undefined> {
  const { rows } = await pool.query<{ age: number | null }>(
    `SELECT extract(epoch FROM now() - at)::float8 AS age FROM (${moment}) moment`,
  )
  return rows[0]?.age ?? undefined
}

/** Adds gauges for the migrations that the database lacks, and for the age of the newest verified backup. */
export function addInstallationGauges(metrics: Metrics, pool: Pick<Pool, 'query'>): void {
  metrics.gauge({
    name: 'crm_migrations_pending',
    help: 'Migrations that this version knows and the database lacks.',
    read: async () => [{ value: (await pendingMigrations(pool)).length }],
  })
  metrics.gauge({
    name: 'crm_backup_age_seconds',
    help: 'Age of the newest verified backup; where no backup was verified, that of the first workspace.',
    read: async () => {
      const age = (await readBackupAge(pool)) ?? (await ageOf(pool, 'SELECT min(created_at) AS at FROM workspaces'))
      return age === undefined ? [] : [{ value: age }]
    },
  })
}

/** What a process reports of the deletion of expired history. */
export interface PurgeMetrics {
  /** Counts deleted rows of a table. */
  readonly count: (table: string, rows: number) => void
  /** Returns the lateness of each table, which is read once a minute at most. */
  readonly readBehind: () => Promise<ReadonlyMap<string, number>>
}

/** A minute without a new reading costs nothing: nobody has to know sooner that rows are a day late. */
const behindEveryMs = 60_000

/**
 * Adds how late the deletion of expired history is, and what it has deleted. Every process reads the lateness from the database, so it shows
 * also where no process deletes anything.
 * @param read reads for how long the oldest row of each table has been expired, in seconds
 */
export function addPurgeMetrics(metrics: Metrics, read: PurgeMetrics['readBehind']): PurgeMetrics {
  const readBehind = readSeldom(behindEveryMs, read)
  metrics.gauge({
    name: 'crm_purge_behind_seconds',
    help: 'For how long the oldest row has been expired that is not deleted yet, by table.',
    labelNames: ['table'],
    read: async () => [...(await readBehind())].map(([table, value]) => ({ labels: { table }, value })),
  })
  const count = metrics.counter('crm_purge_rows_total', 'Rows of expired history that were deleted, by table.', 'table')
  return { count, readBehind }
}
