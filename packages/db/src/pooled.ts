import { Client } from 'pg'

/** PostgreSQL takes a setting with a connection; a pooler that shares connections refuses it, or passes over it if it is told to. */
const setting = { name: 'workspace_crm.look', value: 'direct' }
const protocolViolation = '08P01'
const connectionMs = 5_000

/** Whether an address of the database leads through a pooler; fails when nobody answers there. */
export async function isPooled(databaseUrl: string): Promise<boolean> {
  const client = new Client({
    connectionString: databaseUrl,
    application_name: 'crm-look',
    options: `-c ${setting.name}=${setting.value}`,
    connectionTimeoutMillis: connectionMs,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ value: string | null }>('SELECT current_setting($1, true) AS value', [
      setting.name,
    ])
    return rows[0]?.value !== setting.value
  } catch (error) {
    if ((error as { code?: unknown }).code === protocolViolation) return true
    throw error
  } finally {
    await client.end().catch(() => undefined)
  }
}
