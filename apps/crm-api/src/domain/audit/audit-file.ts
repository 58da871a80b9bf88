import { readEntries, type ProvenEntry } from '@crm/audit'
import { inTransaction, schema, type Database } from '@crm/db'
import { doDueWork, isNotPutOff, type RoundDeps } from '@crm/jobs'
import { and, eq, lt, sql } from 'drizzle-orm'
import { appendFile } from 'node:fs/promises'
import { hostname } from 'node:os'

const { auditChains } = schema

/** The forms of the lines of the file. */
export const auditFileFormats = ['ndjson', 'syslog'] as const
type AuditFileFormat = (typeof auditFileFormats)[number]

export interface AuditFile {
  readonly path: string
  readonly format: AuditFileFormat
}

const auditFileRoundMs = 1_000
const work = 'write-audit-file'
const workspacesAtOnce = 50
/** The batches of one workspace in one round; a workspace with a long backlog does not hold up the others. */
const batchesOfOne = 20
const entriesAtOnce = 500

/**
 * Appends sealed entries to a file, each workspace in the order of its chain. An entry may be written twice, when a process ends
 * between the file and the database.
 */
export async function writeAuditFile(deps: RoundDeps, file: AuditFile): Promise<void> {
  const { db } = deps
  await doDueWork<{ readonly workspaceId: string }>(deps, {
    name: work,
    everyMs: auditFileRoundMs,
    batch: workspacesAtOnce,
    find: (at, limit) =>
      db
        .select({ workspaceId: auditChains.workspaceId })
        .from(auditChains)
        .where(
          and(
            lt(auditChains.filedSeq, auditChains.seq),
            isNotPutOff(work, { workspaceId: auditChains.workspaceId, row: sql`''` }, at),
          ),
        )
        // Nobody knows which entries have waited longest, so that no order is kept by which anybody would always be the last.
        .orderBy(sql`random()`)
        .limit(limit),
    keyOf: ({ workspaceId }) => ({ workspaceId, row: '' }),
    perform: async (places) => {
      for (const { workspaceId } of places)
        for (let batch = 0; batch < batchesOfOne; batch += 1)
          if ((await writeSome(db, file, workspaceId)) < entriesAtOnce) break
    },
  })
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
function lineOf(proven: ProvenEntry, workspaceId: string, format: AuditFileFormat): string {
  const { privateSalt: _salt, privateHash: _hash, ...entry } = proven
  const json = JSON.stringify({ workspaceId, ...entry })
  if (format === 'ndjson') return `${json}\n`
  return `<${priorities[entry.outcome]}>1 ${entry.at} ${hostname()} crm ${process.pid} ${entry.action.slice(0, 32)} - ${json}\n`
}
