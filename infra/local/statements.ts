import { createPool, readStatements, refusedStatements, unboundStatements } from '@crm/db'

/**
 * Prints each statement of this run's tests that no deployable may send: one of a request without the workspace of its rows, and one of a form
 * that a distributed database refuses. Returns how many there are.
 */
export async function tellWrongStatements(databaseUrl: string): Promise<number> {
  const pool = createPool({ databaseUrl, max: 1, applicationName: 'test-statements' })
  try {
    await pool.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
    const sent = await readStatements(pool, { isEveryDatabase: true })
    const unbound = unboundStatements(sent)
    const refused = refusedStatements(sent)
    const tell = (text: string, what: string): void => console.error(`${what}: ${text.replaceAll(/\s+/g, ' ').trim()}`)
    for (const { role, table, text } of unbound) tell(text, `${role} does not name the workspace of ${table}`)
    for (const { role, table, text, because } of refused) tell(text, `${role} cannot write ${table} so: ${because}`)
    return unbound.length + refused.length
  } finally {
    await pool.end()
  }
}
