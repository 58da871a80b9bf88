import { sql } from 'drizzle-orm'
import type { Executor } from './transaction.ts'

/** The bytes that one query reads: a reader who takes them slowly holds no more than these. */
const sliceBytes = 64 * 1024

/** The picture of a person in one version. */
export interface PictureKey {
  readonly workspaceId: string
  readonly employeeId: string
  readonly version: string
}

/** A picture whose bytes are read as they are taken. */
export interface OpenPicture {
  readonly mediaType: string
  /** In bytes. */
  readonly size: number
  readonly content: AsyncIterable<Uint8Array>
}

interface Slice extends Record<string, unknown> {
  readonly mediaType: string
  readonly size: number
  readonly bytes: Uint8Array
}

/** Opens the picture of a person; undefined when the person has none or another version by now. */
export async function openPicture(db: Executor, key: PictureKey): Promise<OpenPicture | undefined> {
  const first = await readSlice(db, key, 0)
  if (!first) return undefined
  const { mediaType, size } = first
  return { mediaType, size, content: slicesFrom(db, key, first) }
}

async function* slicesFrom(db: Executor, key: PictureKey, first: Slice): AsyncGenerator<Uint8Array> {
  yield first.bytes
  for (let sent = first.bytes.length; sent < first.size;) {
    const next = await readSlice(db, key, sent)
    if (!next || next.bytes.length === 0) throw new Error('The picture was replaced while it was sent')
    yield next.bytes
    sent += next.bytes.length
  }
}

async function readSlice(
  db: Executor,
  { workspaceId, employeeId, version }: PictureKey,
  from: number,
): Promise<Slice | undefined> {
  const { rows } = await db.execute<Slice>(sql`
    SELECT media_type AS "mediaType", size, substring(bytes FROM ${from + 1}::int FOR ${sliceBytes}::int) AS bytes
    FROM employee_pictures WHERE workspace_id = ${workspaceId} AND employee_id = ${employeeId} AND version = ${version}`)
  return rows[0]
}
