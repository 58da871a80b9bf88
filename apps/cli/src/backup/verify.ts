import { createGunzip } from 'node:zlib'
import { pipeline } from 'node:stream/promises'
import { Readable, Writable } from 'node:stream'
import { MissingContentError } from '@crm/storage'
import { CommandError } from '../base/output.ts'
import { digestOf, textOf, watch } from './content.ts'
import {
  contentFile,
  manifestName,
  manifestSchema,
  sizeOf,
  tableFile,
  verifiedName,
  type Manifest,
} from './manifest.ts'
import { once } from '../base/once.ts'
import type { BackupFolder } from './place.ts'

/** Reads the manifest of a backup. */
export async function readManifest(folder: BackupFolder, path: string): Promise<Manifest> {
  const text = await folder.read(manifestName).then(textOf, (error: unknown) => {
    throw error instanceof MissingContentError ? new CommandError(`There is no backup at ${path}`) : error
  })
  const read = manifestSchema.safeParse(parsed(text))
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new CommandError(`The manifest of ${path} is damaged: ${issue?.path.join('.')}: ${issue?.message}`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads all of a backup; throws a sentence that names the first difference from its manifest. */
export async function verifyBackup(folder: BackupFolder, path: string): Promise<ReturnType<typeof sizeOf>> {
  const manifest = await readManifest(folder, path)
  for (const [table, expected] of Object.entries(manifest.tables)) await verifyTable(folder, table, expected)
  const contents = new Map(Object.values(manifest.files).map((file) => [file.sha256, file.size]))
  for (const [sha256, size] of contents) {
    const name = contentFile(sha256)
    const seen = await readWhole(folder, name, digestOf)
    if (seen.bytes !== size) throw differs(name, `it has ${seen.bytes} bytes instead of ${size}`)
    if (seen.sha256() !== sha256) throw differs(name, 'its bytes are not the ones that were written')
  }
  await folder.write(verifiedName, once(Buffer.from(`${JSON.stringify({ at: new Date().toISOString() })}\n`)))
  return sizeOf(manifest)
}

/** The time at which a backup was last verified. */
export async function verifiedAt(folder: BackupFolder): Promise<string | null> {
  const text = await folder.read(verifiedName).then(textOf, () => 'null')
  return (parsed(text) as { at?: string } | null | undefined)?.at ?? null
}

async function verifyTable(folder: BackupFolder, table: string, expected: Manifest['tables'][string]): Promise<void> {
  const name = tableFile(table)
  const rows = await readWhole(folder, name, async (packed) => {
    const { content, seen } = watch(packed)
    const lines = await countLines(content).catch((error: unknown) => error)
    // The digest covers all bytes, so it reveals a broken archive.
    await digestOf(content)
    if (seen.bytes !== expected.bytes) throw differs(name, `it has ${seen.bytes} bytes instead of ${expected.bytes}`)
    if (seen.sha256() !== expected.sha256) throw differs(name, 'its bytes are not the ones that were written')
    if (lines instanceof Error) throw lines
    return lines
  })
  if (rows !== expected.rows) throw differs(name, `it has ${String(rows)} rows instead of ${expected.rows}`)
}

/** The copied text has one line for each row: line breaks in values are escaped. */
async function countLines(packed: AsyncIterable<Uint8Array>): Promise<number> {
  let lines = 0
  const count = new Writable({
    write: (piece: Uint8Array, _encoding, done) => {
      for (const byte of piece) if (byte === 10) lines++
      done()
    },
  })
  await pipeline(Readable.from(packed), createGunzip(), count)
  return lines
}

async function readWhole<T>(
  folder: BackupFolder,
  name: string,
  work: (content: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  try {
    return await work(await folder.read(name))
  } catch (error) {
    throw error instanceof MissingContentError ? differs(name, 'it is not there') : error
  }
}

const differs = (name: string, how: string): CommandError =>
  new CommandError(`The backup is damaged at ${name}: ${how}`)
