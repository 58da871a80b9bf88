import { z } from 'zod'

/** Rises when an older version could not restore the folder any more. */
export const backupFormat = 1

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** Says what a backup holds; it is written last, so a folder without it is no backup. */
export const manifestSchema = z.object({
  format: z.literal(backupFormat, { error: 'The backup was made by a newer version of workspace-crm' }),
  id: z.string(),
  /** The version of the product that wrote it. */
  version: z.string(),
  createdAt: z.iso.datetime(),
  /** When the newest migration of the database was made, in milliseconds since 1970. */
  migration: z.int().positive(),
  tables: z.record(
    z.string(),
    z.object({ rows: z.int().min(0), bytes: z.int().min(0), sha256, columns: z.array(z.string()).min(1) }),
  ),
  /** The value that each sequence gave last; null where it gave none. */
  sequences: z.record(z.string(), z.string().nullable()),
  /** The contents, by the key that the installation keeps them under. */
  files: z.record(z.string(), z.object({ size: z.int().min(0), sha256 })),
  /** Keys of contents that were lost before the backup was made. */
  lost: z.array(z.string()),
  /** Settings that whoever restores has to bring. */
  secrets: z.array(z.string()),
})

export type Manifest = z.output<typeof manifestSchema>

export const manifestName = 'manifest.json'
/** Says when somebody last read the whole backup and found it to be as its manifest says. */
export const verifiedName = 'verified.json'

export const tableFile = (table: string): string => `tables/${table}.copy.gz`
export const contentFile = (sha: string): string => `files/${sha}`

/** How many rows and bytes a backup holds. */
export function sizeOf({ tables, files }: Manifest): { rows: number; files: number; bytes: number } {
  const contents = new Map(Object.values(files).map((file) => [file.sha256, file.size]))
  return {
    rows: sum(Object.values(tables).map((table) => table.rows)),
    files: Object.keys(files).length,
    bytes: sum([...Object.values(tables).map((table) => table.bytes), ...contents.values()]),
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0)
