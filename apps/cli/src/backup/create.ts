import { exportKey, MissingContentError, storageKey, type Storage } from '@crm/storage'
import { deployableRoles, newId, pendingMigrations, prepareSession } from '@crm/db'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { CommandError } from '../base/output.ts'
import { migrationOf, sequencesOf, tablesOf } from './catalog.ts'
import { digestOf, inParallel, watch } from './content.ts'
import { backupFormat, contentFile, manifestName, sizeOf, tableFile, type Manifest } from './manifest.ts'
import { once } from '../base/once.ts'
import type { BackupFolder, BackupPlace } from './place.ts'

/** The number of tables and contents that are read at the same time. */
const atOnce = 3
/** Higher levels take much more time for little less space. */
const gzipLevel = 3

/** The settings that a restored installation needs and a backup must not hold. */
const secrets = [
  'RUN_TOKEN_SECRET',
  'SECRETS_KEY',
  ...deployableRoles.map((role) => `ROLE_PASSWORD_${role.toUpperCase()}`),
  'SMTP_URL',
  'S3_SECRET_ACCESS_KEY',
]

export interface BackupSource {
  readonly databaseUrl: string
  readonly storage: Storage
  readonly version: string
}

/**
 * Writes a backup of the database as it is now, and of every content that it names.
 *
 * Writers continue meanwhile: all tables are read in one snapshot, and a content never changes under its key.
 */
export async function createBackup(source: BackupSource, place: BackupPlace): Promise<Manifest> {
  const createdAt = new Date().toISOString()
  const id = `${createdAt.slice(0, 19).replaceAll(/[-:]/g, '').toLowerCase()}z-${newId().slice(-6)}`
  const { folder, finish, abandon } = await place.begin(id)
  try {
    const { files, ...rest } = await withSnapshot(source.databaseUrl, (clients) => writeTables(clients, folder))
    const contents = await writeContents(source.storage, files, folder)
    const manifest = { format: backupFormat, id, version: source.version, createdAt, ...rest, ...contents, secrets }
    await folder.write(manifestName, once(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)))
    await finish()
    return manifest as Manifest
  } catch (error) {
    await abandon()
    throw error
  }
}

/** The figures of a backup that are printed. */
export function told(manifest: Manifest, place: BackupPlace): { id: string; path: string } & ReturnType<typeof sizeOf> {
  return { id: manifest.id, path: place.pathOf(manifest.id), ...sizeOf(manifest) }
}

/** Connections that all see the database as it was at one moment. */
async function withSnapshot<T>(databaseUrl: string, work: (clients: readonly Client[]) => Promise<T>): Promise<T> {
  const clients = Array.from(
    { length: atOnce },
    () => new Client({ connectionString: databaseUrl, application_name: 'crm-backup' }),
  )
  // The running statement fails with a lost connection; without a listener the process would end before it can report that.
  for (const client of clients) client.on('error', () => undefined)
  const [first, ...others] = clients as [Client, ...Client[]]
  try {
    // Times are copied as texts of the session.
    await Promise.all(
      clients.map(async (client) => {
        await client.connect()
        await prepareSession(client)
      }),
    )
    await first.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const { rows } = await first.query<{ snapshot: string }>('SELECT pg_export_snapshot() AS snapshot')
    for (const client of others) {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      await client.query(`SET TRANSACTION SNAPSHOT ${client.escapeLiteral(rows[0]?.snapshot ?? '')}`)
    }
    return await work(clients)
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}

async function writeTables(
  clients: readonly Client[],
  folder: BackupFolder,
): Promise<Pick<Manifest, 'migration' | 'lacked' | 'tables' | 'sequences'> & { files: readonly string[] }> {
  const [first] = clients as [Client]
  const migration = await migrationOf(first)
  if (migration === undefined) throw new CommandError('The database was never migrated: there is nothing to back up')
  const lacked = (await pendingMigrations(first)).map(({ when }) => when).filter((when) => when < migration)
  const sequences = await sequencesOf(first)
  const files = await namedContents(first)
  const found: [string, Manifest['tables'][string]][] = []
  await inParallel(await tablesOf(first), atOnce, async ({ name, columns }, worker) => {
    found.push([name, { ...(await writeTable(clients[worker] as Client, name, columns, folder)), columns }])
  })
  return {
    migration,
    lacked,
    sequences,
    files,
    tables: Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

async function writeTable(
  client: Client,
  name: string,
  columns: readonly string[],
  folder: BackupFolder,
): Promise<{ rows: number; bytes: number; sha256: string }> {
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ')
  const copying = client.query(copyTo(`COPY ${client.escapeIdentifier(name)} (${list}) TO STDOUT`))
  const packed = createGzip({ level: gzipLevel })
  const { content, seen } = watch(packed)
  await Promise.all([pipeline(copying, packed), folder.write(tableFile(name), content)])
  return { rows: copying.rowCount, bytes: seen.bytes, sha256: seen.sha256() }
}

/** The keys of all contents that a row refers to. */
async function namedContents(client: Client): Promise<readonly string[]> {
  interface Row {
    readonly workspaceId: string
    readonly id: string
  }
  const { rows: files } = await client.query<Row>('SELECT workspace_id AS "workspaceId", id FROM files')
  const { rows: exports } = await client.query<Row>(
    `SELECT workspace_id AS "workspaceId", id FROM exports WHERE state = 'DONE'`,
  )
  return [...files.map(storageKey), ...exports.map(exportKey)]
}

async function writeContents(
  storage: Storage,
  keys: readonly string[],
  folder: BackupFolder,
): Promise<Pick<Manifest, 'files' | 'lost'>> {
  const files: [string, Manifest['files'][string]][] = []
  const lost: string[] = []
  const written = new Map<string, Promise<void>>()
  await inParallel(keys, atOnce, async (key) => {
    try {
      const seen = await digestOf(await storage.read(key))
      const sha256 = seen.sha256()
      // Equal contents are stored once.
      if (!written.has(sha256)) written.set(sha256, copyContent(storage, key, folder, contentFile(sha256)))
      await written.get(sha256)
      files.push([key, { size: seen.bytes, sha256 }])
    } catch (error) {
      if (!(error instanceof MissingContentError)) throw error
      lost.push(key)
    }
  })
  return { files: Object.fromEntries(files.toSorted(([a], [b]) => (a < b ? -1 : 1))), lost: lost.toSorted() }
}

async function copyContent(storage: Storage, key: string, folder: BackupFolder, name: string): Promise<void> {
  await folder.write(name, await storage.read(key))
}
