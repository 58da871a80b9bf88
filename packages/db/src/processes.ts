import { productVersion, startRounds, type Logger, type Rounds } from '@crm/runtime'
import type { Pool } from 'pg'
import { newId } from './new-id.ts'
import { newestMigration } from './migrations.ts'

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

/**
 * Writes each minute that this process runs, and forgets it when it is closed. An upgrade reads there whether an older version still runs.
 * @param kind the name of the deployable
 */
export function startBeat({
  pool,
  kind,
  logger,
}: {
  readonly pool: Pick<Pool, 'query'>
  readonly kind: string
  readonly logger: Logger
}): Rounds {
  const id = newId()
  const beat = async (): Promise<void> => {
    await pool.query(
      `INSERT INTO processes (id, kind, version, migration) VALUES ($1, $2, $3, $4)
       ON CONFLICT (id) DO UPDATE SET seen_at = now()`,
      [id, kind, productVersion, await newestMigration()],
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

/** Returns the running processes whose code does not know a migration. */
export async function olderProcesses(client: Pick<Pool, 'query'>, migration: number): Promise<readonly ProcessSeen[]> {
  const { rows } = await client.query<ProcessSeen>(
    `SELECT kind, version, seen_at::text AS "seenAt" FROM processes
     WHERE migration < $1 AND seen_at > now() - interval '${seenWithin}' ORDER BY seen_at DESC`,
    [migration],
  )
  return rows
}
