import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const allMigrations = fileURLToPath(new URL('../migrations', import.meta.url))

/** One migration of the folder. */
export interface Migration {
  /** The creation time, in milliseconds since 1970; the database remembers a migration by it. */
  readonly when: number
  /** The name of its file without the ending. */
  readonly tag: string
  readonly statements: readonly string[]
  readonly hash: string
  /** Whether it removes parts of the schema that the version before still uses. */
  readonly isContract: boolean
  /** The backfills that must be done before it. */
  readonly after: readonly string[]
  /** Whether its statements run outside a transaction, as the concurrent building of an index needs. */
  readonly isConcurrent: boolean
}

interface Journal {
  readonly entries: readonly { readonly when: number; readonly tag: string }[]
}

/** The first line of a migration that removes something; it may name backfills: `-- contract after one, another`. */
const contractLine = /^-- contract(?: after (?<after>[\w-]+(?:, [\w-]+)*))?\r?$/m

/** Reads the migrations of a folder, oldest first. */
export async function readMigrations(folder: string = allMigrations): Promise<readonly Migration[]> {
  const { entries } = JSON.parse(await readFile(join(folder, 'meta', '_journal.json'), 'utf8')) as Journal
  const migrations = await Promise.all(
    entries.map(async ({ when, tag }) => toMigration(when, tag, await readFile(join(folder, `${tag}.sql`), 'utf8'))),
  )
  return migrations.toSorted((one, other) => one.when - other.when)
}

function toMigration(when: number, tag: string, text: string): Migration {
  const contract = contractLine.exec(text)
  return {
    when,
    tag,
    statements: text.split('--> statement-breakpoint'),
    hash: createHash('sha256').update(text).digest('hex'),
    isContract: contract !== null,
    after: contract?.groups?.['after']?.split(', ') ?? [],
    isConcurrent: /\bINDEX CONCURRENTLY\b/i.test(text),
  }
}

/** Returns the creation time of the newest known migration, in milliseconds since 1970. */
export async function newestMigration(folder?: string): Promise<number> {
  return Math.max(...(await readMigrations(folder)).map(({ when }) => when))
}

/** Returns the creation time of the newest migration that this version needs; a database without it is out of date. */
export async function neededMigration(folder?: string): Promise<number> {
  const needed = (await readMigrations(folder)).filter(({ isContract }) => !isContract)
  return Math.max(...needed.map(({ when }) => when))
}
