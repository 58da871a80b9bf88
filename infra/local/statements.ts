import { createPool, readStatements, unboundStatements } from '@crm/db'

/** Prints each statement of a request that a test of this run sent without the workspace of its rows, and returns how many there are. */
export async function tellUnboundStatements(databaseUrl: string): Promise<number> {
  const pool = createPool({ databaseUrl, max: 1, applicationName: 'test-statements' })
  try {
    await pool.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
    const found = unboundStatements(await readStatements(pool, { isEveryDatabase: true }))
    for (const { role, table, text } of found)
      console.error(`${role} does not name the workspace of ${table}: ${text.replaceAll(/\s+/g, ' ').trim()}`)
    return found.length
  } finally {
    await pool.end()
  }
}
