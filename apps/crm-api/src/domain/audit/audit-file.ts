import { readEntries, type ProvenEntry } from '@crm/audit'
import { inTransaction, schema, type Database } from '@crm/db'
import { eq, sql } from 'drizzle-orm'
import { appendFile } from 'node:fs/promises'
import { hostname } from 'node:os'

const { auditChains } = schema

/** The forms of the lines of the file. */
export const auditFileFormats = ['ndjson', 'syslog'] as const
export type AuditFileFormat = (typeof auditFileFormats)[number]

export interface AuditFile {
  readonly path: string
  readonly format: AuditFileFormat
}

const workspacesAtOnce = 50
const entriesAtOnce = 500

/**
 * Appends sealed entries to a file, each workspace in the order of its chain. An entry may be written twice, when a process ends
 * between the file and the database.
 */
export async function writeAuditFile(db: Database, file: AuditFile): Promise<void> {
  const { rows } = await db.execute<{ id: string }>(
    sql`SELECT workspace_id AS id FROM ${auditChains} WHERE filed_seq < seq LIMIT ${workspacesAtOnce}`,
  )
  for (const { id } of rows) while ((await writeSome(db, file, id)) === entriesAtOnce);
}

function writeSome(db: Database, { path, format }: AuditFile, workspaceId: string): Promise<number> {
  return inTransaction(db, undefined, async (tx) => {
    const [chain] = await tx
      .select({ filedSeq: auditChains.filedSeq })
      .from(auditChains)
      .where(eq(auditChains.workspaceId, workspaceId))
      .for('update', { skipLocked: true })
    if (!chain) return 0
    const from = chain.filedSeq + 1
    const entries = await Array.fromAsync(readEntries(tx, workspaceId, { from, to: from + entriesAtOnce - 1 }))
    const last = entries.at(-1)?.seq
    if (last === undefined || last === null) return 0
    await appendFile(path, entries.map((entry) => lineOf(entry, workspaceId, format)).join(''), { mode: 0o600 })
    await tx.update(auditChains).set({ filedSeq: last }).where(eq(auditChains.workspaceId, workspaceId))
    return entries.length
  })
}

/** Facility 13 of RFC 5424, the audit log, with the severities warning and informational. */
const priorities = { FAILURE: 13 * 8 + 4, SUCCESS: 13 * 8 + 6 }

/** Returns the line of an entry, with the workspace. */
export function lineOf(proven: ProvenEntry, workspaceId: string, format: AuditFileFormat): string {
  const { privateSalt: _salt, privateHash: _hash, ...entry } = proven
  const json = JSON.stringify({ workspaceId, ...entry })
  if (format === 'ndjson') return `${json}\n`
  return `<${priorities[entry.outcome]}>1 ${entry.at} ${hostname()} crm ${process.pid} ${entry.action.slice(0, 32)} - ${json}\n`
}
