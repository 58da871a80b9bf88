import { Client } from 'pg'

/** PostgreSQL takes a setting with a connection; a pooler that shares connections refuses it. */
const anySetting = '-c geqo=on'
const protocolViolation = '08P01'
const connectionMs = 5_000

/** Whether an address of the database leads through a pooler; fails when nobody answers there. */
export async function isPooled(databaseUrl: string): Promise<boolean> {
  const client = new Client({
    connectionString: databaseUrl,
    application_name: 'crm-look',
    options: anySetting,
    connectionTimeoutMillis: connectionMs,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return false
  } catch (error) {
    if ((error as { code?: unknown }).code === protocolViolation) return true
    throw error
  } finally {
    await client.end().catch(() => undefined)
  }
}
