import { isPooled, isThroughPgpool, pgpoolSentence } from '@crm/db'
import { Client } from 'pg'
import { fail, ok, warn, type Finding } from './finding.ts'

const area = 'pooler'
/** The most connections of the pooler that the look keeps busy. */
const holdersMax = 20

/** The addresses of the database as this command and the deployables may have them. */
export interface Addresses {
  readonly databaseUrl: string
  readonly directUrl: string | undefined
  /** Whether statements keep their plan under a name. */
  readonly prepares: boolean
}

/** Looks for a pooler in front of the database, and whether it carries what the deployables send. */
export async function lookAtPooler({ databaseUrl, directUrl, prepares }: Addresses): Promise<readonly Finding[]> {
  const direct =
    directUrl !== undefined && (await isPooled(directUrl))
      ? [fail(area, 'DATABASE_DIRECT_URL leads through a pooler, too.', 'Let it name the database itself.')]
      : []
  if (await hasPgpool(databaseUrl)) return [fail(area, pgpoolSentence, 'Change DATABASE_URL.')]
  if (!(await isPooled(databaseUrl)))
    return direct.length > 0 ? direct : [ok(area, 'There is none in front of the database.')]
  const carries = !prepares || (await carriesNamedStatements(databaseUrl))
  return [
    ...direct,
    ...(directUrl === undefined
      ? [
          warn(
            area,
            'DATABASE_URL leads through a pooler, and there is no other way for migrations and backups.',
            'Set DATABASE_DIRECT_URL to the address of the database itself.',
          ),
        ]
      : []),
    carries
      ? ok(area, 'The pooler carries what the deployables send.')
      : fail(
          area,
          'The pooler does not carry named statements.',
          'Use PgBouncer 1.21 or later with max_prepared_statements of 200 or more, or set DATABASE_PREPARE=false everywhere.',
        ),
  ]
}

async function hasPgpool(databaseUrl: string): Promise<boolean> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'crm-doctor' })
  client.on('error', () => undefined)
  await client.connect()
  const isThere = await isThroughPgpool(client)
  await client.end()
  return isThere
}

const statement = { name: 'crm-doctor', text: 'SELECT pg_backend_pid() AS pid' }
const unknownStatement = '26000'

/**
 * Whether a named statement still works when its client gets another connection of the pooler. Other clients keep the first one busy
 * meanwhile, as transactions do.
 */
async function carriesNamedStatements(databaseUrl: string): Promise<boolean> {
  const opened: Client[] = []
  const open = async (): Promise<Client> => {
    const client = new Client({ connectionString: databaseUrl, application_name: 'crm-doctor' })
    client.on('error', () => undefined)
    opened.push(client)
    await client.connect()
    return client
  }
  try {
    const asking = await open()
    const first = await pidOf(asking)
    for (let n = 0; n < holdersMax; n += 1) {
      const holder = await open()
      await holder.query('BEGIN')
      const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
      if (rows[0]?.pid === first) break
    }
    await pidOf(asking)
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code === unknownStatement) return false
    throw error
  } finally {
    await Promise.all(opened.map((client) => client.end().catch(() => undefined)))
  }
}

async function pidOf(client: Client): Promise<number | undefined> {
  return (await client.query<{ pid: number }>(statement)).rows[0]?.pid
}
