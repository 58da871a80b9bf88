import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { promise } from './drills.ts'

interface Manifest {
  readonly tables: Readonly<Record<string, { readonly rows: number }>>
  readonly files: Readonly<Record<string, { readonly size: number; readonly sha256: string }>>
}

/** Fails unless two backups hold the same rows, in any order, and the same files; only the hand-over of waiting work may differ. */
export function compareBackups(one: string, other: string): string {
  const [first, second] = [manifestOf(one), manifestOf(other)]
  const differing = Object.keys(first.tables).filter((table) =>
    table === 'outbox'
      ? first.tables[table]?.rows !== second.tables[table]?.rows
      : digest(one, table) !== digest(other, table),
  )
  promise(differing.length === 0, `these tables differ: ${differing.join(', ')}`)
  promise(JSON.stringify(first.files) === JSON.stringify(second.files), 'the files differ')
  return `${Object.keys(first.tables).length} tables, ${Object.keys(first.files).length} files`
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest
}

/** Digests the rows of a table in a backup, whatever their order. */
function digest(folder: string, table: string): string {
  const rows = gunzipSync(readFileSync(join(folder, 'tables', `${table}.copy.gz`)))
    .toString('latin1')
    .split('\n')
  return createHash('sha256').update(rows.toSorted().join('\n')).digest('hex')
}
