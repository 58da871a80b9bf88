import type { Pool } from 'pg'
import { ok, warn, type Finding } from './finding.ts'

const area = 'work'
/** A failure that passes by itself is nothing that anybody has to look at. */
const failuresMin = 2
const workspacesShown = 50

interface Failing {
  readonly slug: string
  readonly work: string
  readonly rows: number
  readonly since: string
  readonly next: string
  readonly problem: string
}

/** Tells for each workspace which of its due work fails again and again; the work of all others goes on. */
export async function lookAtWork(pool: Pool): Promise<readonly Finding[]> {
  const { rows } = await pool.query<Failing>(
    `SELECT w.slug, f.work, count(*)::int AS rows, min(f.since)::timestamptz(0)::text AS since, min(f.next_try_at)::timestamptz(0)::text AS next,
       (array_agg(f.problem ORDER BY f.failures DESC))[1] AS problem
     FROM work_failures f JOIN workspaces w ON w.id = f.workspace_id WHERE f.failures >= $1
     GROUP BY w.slug, f.work ORDER BY min(f.since) LIMIT $2`,
    [failuresMin, workspacesShown],
  )
  if (rows.length === 0) return [ok(area, 'No due work of any workspace fails.')]
  return rows.map((row) =>
    warn(
      area,
      `In the workspace ${row.slug} “${row.work.replaceAll('-', ' ')}” fails for ${row.rows} ${row.rows === 1 ? 'row' : 'rows'} since ${row.since}: ${row.problem}. The next try is at ${row.next}.`,
      `Look for ${row.work} in the logs of the services; the row or the setting of that workspace has to be mended.`,
    ),
  )
}
