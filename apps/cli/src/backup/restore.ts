import { inTurn, isDistributed, migrateInTurn, migrateTo, newestMigration } from '@crm/db'
import type { Storage } from '@crm/storage'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { beginPause, handOnAgain } from './pause.ts'
import { CommandError } from '../base/output.ts'
import { grantRightsOrTell, type RolePasswords } from '../rights.ts'
import { holdsRows, migrationOf, obstaclesOf, sequencesOf, tablesOf } from './catalog.ts'
import { digestOf, inParallel, watch } from './content.ts'
import { contentFile, sizeOf, tableFile, type Manifest } from './manifest.ts'
import type { BackupFolder } from './place.ts'

const contentsAtOnce = 3
/** Memory for rebuilding the indexes. */
const indexMemory = '256MB'

export interface RestoreTarget {
  readonly databaseUrl: string
  readonly storage: Storage
  /** Let the roles of the deployables log in. A role without one keeps its present password. */
  readonly rolePasswords?: RolePasswords
  /** Empties a database and a storage that are not empty. */
  readonly force: boolean
  /** Told once when somebody else migrates or restores the database, and this restore waits for them. */
  readonly onTurn?: () => void
}

/**
 * Loads a backup into an empty database and storage and migrates it to the current version. The installation stays
 * paused, so nothing is sent. Nobody else migrates or restores the database meanwhile.
 *
 * All rows are loaded in one transaction, so a restore that fails leaves no rows.
 */
export async function restoreBackup(
  folder: BackupFolder,
  manifest: Manifest,
  { databaseUrl, storage, rolePasswords, force, onTurn }: RestoreTarget,
): Promise<ReturnType<typeof sizeOf>> {
  if (manifest.migration > (await newestMigration()))
    throw new CommandError('The backup was made by a newer version of workspace-crm: restore it with that version')
  const restore = async (client: Client): Promise<void> => {
    await requireEmpty(client, storage, force)
    await migrateTo(client, manifest.migration, manifest.lacked)
    await writeContents(folder, manifest, storage)
    await loadTables(client, folder, manifest)
    await migrateInTurn(client)
    await grantRightsOrTell(client, rolePasswords ?? {})
    await client.query('ANALYZE')
  }
  await inTurn(databaseUrl, restore, onTurn)
  return sizeOf(manifest)
}

/** A schema without rows holds nothing to lose: it makes room for the schema of the backup. */
async function requireEmpty(client: Client, storage: Storage, force: boolean): Promise<void> {
  // To drop its schema would drop Citus with it, and the other machines would keep their parts.
  if (await isDistributed(client))
    throw new CommandError(
      'The tables of this database are distributed: restore into an empty database of the coordinator, and then run crm db distribute',
    )
  const isMigrated = (await migrationOf(client)) !== undefined
  if (!force) {
    if (isMigrated && (await holdsRows(client)))
      throw new CommandError('The database is not empty: name another one, or empty it with --force')
    for await (const _ of storage.list(''))
      throw new CommandError('The storage of files is not empty: name another one, or empty it with --force')
  }
  if (isMigrated) await client.query('DROP SCHEMA migrations CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  for await (const key of storage.list('')) await storage.remove(key)
}

async function writeContents(folder: BackupFolder, { files }: Manifest, storage: Storage): Promise<void> {
  await inParallel(Object.entries(files), contentsAtOnce, async ([key, { sha256 }]) => {
    const { content, seen } = watch(await folder.read(contentFile(sha256)))
    await storage.write(key, content)
    if (seen.sha256() !== sha256) throw damaged(contentFile(sha256))
  })
}

async function loadTables(client: Client, folder: BackupFolder, manifest: Manifest): Promise<void> {
  await client.query('BEGIN')
  await client.query(`SET LOCAL maintenance_work_mem = '${indexMemory}'`)
  const { foreignKeys, indexes } = await obstaclesOf(client)
  for (const { remove } of [...foreignKeys, ...indexes]) await client.query(remove)
  const known = new Map((await tablesOf(client)).map((table) => [table.name, table]))
  for (const [name, table] of Object.entries(manifest.tables)) {
    if (!known.has(name)) throw new CommandError(`The backup holds a table that its migration does not make: ${name}`)
    await loadTable(client, folder, name, table)
  }
  await setSequences(client, manifest.sequences)
  for (const { restore } of [...indexes, ...foreignKeys]) await client.query(restore)
  await client.query(handOnAgain)
  await client.query(beginPause)
  await client.query('COMMIT')
}

async function loadTable(
  client: Client,
  folder: BackupFolder,
  name: string,
  { columns, rows, sha256 }: Manifest['tables'][string],
): Promise<void> {
  const table = client.escapeIdentifier(name)
  // A migration may have written rows of its own, and the backup contains them too.
  await client.query(`TRUNCATE ${table}`)
  // The backup already contains the rows and counts that triggers would write.
  await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`)
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ')
  const { content, seen } = watch(await folder.read(tableFile(name)))
  const copying = client.query(copyFrom(`COPY ${table} (${list}) FROM STDIN`))
  await pipeline(Readable.from(content), createGunzip(), copying).catch(async (cause: unknown) => {
    // When the bytes are damaged, the error of the database or of the archive would only mislead.
    const found = await digestOf(await folder.read(tableFile(name)))
    throw found.sha256() === sha256 ? cause : damaged(tableFile(name))
  })
  if (seen.sha256() !== sha256 || copying.rowCount !== rows) throw damaged(tableFile(name))
  await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`)
}

async function setSequences(client: Client, sequences: Manifest['sequences']): Promise<void> {
  const known = await sequencesOf(client)
  for (const [name, value] of Object.entries(sequences))
    if (value !== null && name in known)
      await client.query('SELECT setval($1::regclass, $2::bigint)', [client.escapeIdentifier(name), value])
}

const damaged = (name: string): CommandError => new CommandError(`The backup is damaged at ${name}; verify tells more`)
