import {
  exportLines,
  isEntry,
  isHead,
  isSigned,
  keepHead,
  provesStretch,
  readEntries,
  readKeptHeads,
  sealEntries,
  verifyChain,
  type KeptHead,
  type KeptHeads,
  type ProvenEntry,
  type SignedHead,
  type Verification,
} from '@crm/audit'
import { schema } from '@crm/db'
import { eq } from 'drizzle-orm'
import type { Command } from 'commander'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { audit } from '../base/audit.ts'
import type { Connection } from '../base/connection.ts'
import { requireWorkspace } from '../base/lookups.ts'
import { causeOf, CommandError } from '../base/output.ts'
import type { Run } from '../base/run.ts'

interface Options {
  readonly workspace: string
  readonly file?: string
}

/** `crm audit …` */
export function addAuditCommands(program: Command, run: Run): void {
  const log = program.command('audit').description('Audit logs of workspaces')

  log
    .command('verify')
    .description('Say whether an audit log is whole and unchanged; exit code 2 when it is not')
    .requiredOption('--workspace <slug>', 'the workspace')
    .option('--file <path>', 'an exported file instead of the database')
    .action(
      run(
        async ({ workspace, file }: Options, connection) => {
          const { id } = await requireWorkspace(connection.db, workspace)
          return file === undefined ? verifyStored(connection, id) : verifyFile(connection, id, file)
        },
        undefined,
        ({ ok }) => (ok ? 0 : 2),
      ),
    )

  log
    .command('export')
    .description('Write an audit log to a file, one JSON document a line, with the signed head at the end')
    .requiredOption('--workspace <slug>', 'the workspace')
    .requiredOption('--file <path>', 'the file')
    .action(
      run(async ({ workspace, file = '' }: Options, connection) => {
        const { id } = await requireWorkspace(connection.db, workspace)
        return exportTo(connection, id, file)
      }),
    )
}

async function exportTo({ db, config, signingKeys: [key] }: Connection, workspaceId: string, file: string) {
  await audit(db, workspaceId, {
    action: 'audit.exported',
    subjectType: 'AUDIT_LOG',
    subjectId: workspaceId,
    summary: 'Exported the audit log',
  })
  await sealEntries(db, workspaceId)
  let head: KeptHead | undefined
  const keep = async (kept: KeptHead): Promise<void> => {
    head = kept
    await keepHead(headsFolder(config), kept)
  }
  const lines = exportLines(db, { workspaceId }, { key, at: new Date().toISOString(), keep })
  await pipeline(Readable.from(lines), createWriteStream(file, { mode: 0o600 }))
  return { file, head: head ? { seq: head.seq, hash: head.hash, at: head.at, signature: head.signature } : null }
}

/** Returns the folder with the heads that were signed earlier. */
export function headsFolder({ DATA_DIR }: Connection['config']): string {
  return join(DATA_DIR, 'audit')
}

async function verifyStored({ db, config, signingKeys }: Connection, workspaceId: string): Promise<Verification> {
  await sealEntries(db, workspaceId)
  const [chain] = await db.select().from(schema.auditChains).where(eq(schema.auditChains.workspaceId, workspaceId))
  const kept = await readKeptHeads(headsFolder(config), signingKeys, workspaceId)
  let first = Infinity
  const entries = async function* (): AsyncGenerator<ProvenEntry> {
    for await (const entry of readEntries(db, workspaceId)) {
      first = Math.min(first, entry.seq ?? 0)
      yield entry
    }
  }
  const outcome = await verifyChain(entries(), {
    prunedSeq: chain?.prunedSeq ?? 0,
    // A head that nobody can prove still says which end there was.
    heads: [...kept.heads, ...(chain && chain.seq > 0 ? [chain] : [])],
  })
  if (!outcome.ok) return outcome
  const isUnproven = ({ seq, isProven }: KeptHeads['heads'][number]): boolean => !isProven && seq >= first
  const unproven = signingKeys.length > 0 ? kept.heads.find(isUnproven) : undefined
  if (unproven) return { ...outcome, ok: false, brokenAt: unproven.seq, reason: 'HASH' }
  if (kept.hasUnreadable) return { ...outcome, ok: false, brokenAt: (outcome.head?.seq ?? 0) + 1, reason: 'TRUNCATED' }
  return outcome
}

/** Verifies an exported file. Its head must be the last line, and signed for all entries from the first one in the file. */
async function verifyFile(
  { config, signingKeys }: Connection,
  workspaceId: string,
  file: string,
): Promise<Verification> {
  const seen: { first?: number; head?: SignedHead; isFollowed?: boolean } = {}
  const entries = async function* (): AsyncGenerator<ProvenEntry | null> {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      if (line.trim() === '') continue
      const read = readLine(line)
      if (read && 'head' in read) {
        seen.head = read.head
        continue
      }
      seen.isFollowed = seen.head !== undefined
      seen.first ??= read?.seq ?? 0
      yield read
    }
  }
  const outcome = await verifyChain(entries(), { isPart: true }).catch((cause: unknown) => {
    throw new CommandError(`${file} cannot be read: ${causeOf(cause)}`)
  })
  if (!outcome.ok) return outcome
  const { head, first = 0, isFollowed = false } = seen
  const end = outcome.head?.seq ?? 0
  const isWhole = head !== undefined && !isFollowed && head.seq === end && head.hash === (outcome.head?.hash ?? '')
  if (!isWhole) return { ...outcome, ok: false, brokenAt: end + 1, reason: 'TRUNCATED' }
  const stretch = { workspaceId, firstSeq: first, ...head }
  if (end === 0 || isSigned(signingKeys, stretch, head.signature)) return outcome
  // A file from before a change of the key is proven by the head that was kept here at its export, which the new key has signed.
  if (provesStretch(await readKeptHeads(headsFolder(config), signingKeys, workspaceId), stretch)) return outcome
  // The signature covers the first entry, too: the beginning is missing, or somebody else wrote the file.
  return { ...outcome, ok: false, brokenAt: first > 1 ? first - 1 : end, reason: first > 1 ? 'GAP' : 'HASH' }
}

/** Reads a line of an exported file; null: it is neither an entry nor a head. */
function readLine(line: string): ProvenEntry | { readonly head: SignedHead } | null {
  try {
    const read = JSON.parse(line) as { readonly head?: unknown } | null
    if (typeof read === 'object' && read !== null && 'head' in read)
      return isHead(read.head) ? { head: read.head } : null
    return isEntry(read) ? read : null
  } catch {
    return null
  }
}
