import type { Metrics } from '@crm/runtime'
import type { Pool } from 'pg'
import { pendingMigrations } from './migrate.ts'

/** Adds gauges for the migrations that the database lacks, and for the age of the newest verified backup. */
export function addInstallationGauges(metrics: Metrics, pool: Pick<Pool, 'query'>): void {
  metrics.gauge({
    name: 'crm_migrations_pending',
    help: 'Migrations that this version knows and the database lacks.',
    read: async () => [{ value: (await pendingMigrations(pool)).length }],
  })
  metrics.gauge({
    name: 'crm_backup_age_seconds',
    help: 'Age of the newest verified backup; none where no backup was verified.',
    read: async () => {
      const { rows } = await pool.query<{ age: number }>(
        'SELECT extract(epoch FROM now() - backup_at)::float8 AS age FROM installation WHERE backup_at IS NOT NULL',
      )
      return rows.map(({ age }) => ({ value: age }))
    },
  })
}
