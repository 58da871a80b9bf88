import { createPool, replicaLagSecondsMax, usualDeadlines } from '@crm/db'
import type { Pool } from 'pg'
import { fail, ok, warn, type Finding } from './finding.ts'

const area = 'replica'

interface Standing {
  readonly isReplica: boolean
  readonly hasAll: boolean
  readonly seconds: number | null
}

/** Examines the replicas in their order: whether each answers, and how far it is behind the primary. */
export async function lookAtReplicas(primary: Pool, urls: readonly string[]): Promise<readonly Finding[]> {
  if (urls.length === 0) return []
  const { rows } = await primary.query<{ position: string }>('SELECT pg_current_wal_flush_lsn()::text AS position')
  const position = rows[0]?.position ?? '0/0'
  return Promise.all(urls.map((url, at) => judge(`Replica ${at + 1}`, url, position)))
}

async function judge(name: string, databaseUrl: string, position: string): Promise<Finding> {
  const pool = createPool({ databaseUrl, max: 1, applicationName: 'crm-doctor', deadlines: usualDeadlines })
  try {
    const { rows } = await pool.query<Standing>(
      `SELECT pg_is_in_recovery() AS "isReplica", coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) AS "hasAll",
         extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())::int AS seconds`,
      [position],
    )
    const { isReplica = false, hasAll = false, seconds = null } = rows[0] ?? {}
    if (!isReplica) return fail(area, `${name} is no replica.`, 'Name only replicas in DATABASE_REPLICA_URL.')
    if (hasAll || (seconds ?? 0) <= replicaLagSecondsMax) return ok(area, `${name} is up to date.`)
    return warn(area, `${name} is ${seconds} s behind.`, 'Look at its load and at its connection to the primary.')
  } catch {
    return fail(area, `${name} does not answer.`, 'Look at the server; reads go to the primary meanwhile.')
  } finally {
    await pool.end()
  }
}
