import { Client } from 'pg'
import { prepareSession } from './session.ts'

/** Works on one connection of its own, such as that of a migration, and closes it. */
export async function withClient<T>(
  databaseUrl: string,
  applicationName: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: databaseUrl, application_name: applicationName })
  // The statement under way fails with a lost connection anyway; without a listener the process would end before it can say so.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await prepareSession(client)
    await client.query('SET client_min_messages = warning')
    return await work(client)
  } finally {
    await client.end()
  }
}
