import { z } from 'zod'

/** This number rises when an older version can no longer restore the folder. */
export const backupFormat = 1

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** The description of a backup. It is written last, so a folder without it is no backup. */
export const manifestSchema = z.object({
  format: z.literal(backupFormat, { error: 'The backup was made by a newer version of workspace-crm' }),
  id: z.string(),
  /** The version of the product that wrote the backup. */
  version: z.string(),
  createdAt: z.iso.datetime(),
  /** The time of the database's newest migration, in milliseconds since 1970. */
  migration: z.int().positive(),
  /** The earlier migrations that the database lacked, because they remove something that was still in use. */
  lacked: z.array(z.int().positive()).default([]),
  tables: z.record(
    z.string(),
    z.object({ rows: z.int().min(0), bytes: z.int().min(0), sha256, columns: z.array(z.string()).min(1) }),
  ),
  /** The last value of each sequence; null for a sequence that was never used. */
  sequences: z.record(z.string(), z.string().nullable()),
  /** The contents, by the key that the installation keeps them under. */
  files: z.record(z.string(), z.object({ size: z.int().min(0), sha256 })),
  /** Keys of contents that were lost before the backup was made. */
  lost: z.array(z.string()),
  /** The names of the settings that the person who restores has to supply. */
  secrets: z.array(z.string()),
})

export type Manifest = z.output<typeof manifestSchema>

export const manifestName = 'manifest.json'
/** The file that records when the whole backup was last read and found to match its manifest. */
export const verifiedName = 'verified.json'

export const tableFile = (table: string): string => `tables/${table}.copy.gz`
export const contentFile = (sha: string): string => `files/${sha}`

/** The number of rows, files and bytes in a backup. */
export function sizeOf({ tables, files }: Manifest): { rows: number; files: number; bytes: number } {
  const contents = new Map(Object.values(files).map((file) => [file.sha256, file.size]))
  return {
    rows: sum(Object.values(tables).map((table) => table.rows)),
    files: Object.keys(files).length,
    bytes: sum([...Object.values(tables).map((table) => table.bytes), ...contents.values()]),
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0)
