import {
  exportLines,
  isSigned,
  readEntries,
  sealEntries,
  verifyChain,
  type ChainFacts,
  type KeptHead,
  type ProvenEntry,
  type SignedHead,
  type Verification,
} from '@crm/audit'
import { schema } from '@crm/db'
import { eq } from 'drizzle-orm'
import type { Command } from 'commander'
import { createReadStream, createWriteStream } from 'node:fs'
import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { audit } from '../audit.ts'
import type { Connection } from '../connection.ts'
import { requireWorkspace } from '../lookups.ts'
import { CommandError } from '../output.ts'
import type { Run } from '../run.ts'

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
      run(async ({ workspace, file }: Options, connection) => {
        const { id } = await requireWorkspace(connection.db, workspace)
        const outcome = await (file === undefined ? verifyStored(connection, id) : verifyFile(connection, id, file))
        if (!outcome.ok) process.exitCode = 2
        return outcome
      }),
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
    const folder = join(config.DATA_DIR, 'audit')
    await mkdir(folder, { recursive: true })
    await appendFile(join(folder, 'heads.ndjson'), `${JSON.stringify(kept)}\n`)
  }
  const lines = exportLines(db, { workspaceId }, { key, at: new Date().toISOString(), keep })
  await pipeline(Readable.from(lines), createWriteStream(file, { mode: 0o600 }))
  return { file, head: head ? { seq: head.seq, hash: head.hash, at: head.at, signature: head.signature } : null }
}

async function verifyStored({ db, config, signingKeys }: Connection, workspaceId: string): Promise<Verification> {
  await sealEntries(db, workspaceId)
  const [chain] = await db.select().from(schema.auditChains).where(eq(schema.auditChains.workspaceId, workspaceId))
  const kept = await readKept(join(config.DATA_DIR, 'audit', 'heads.ndjson'), workspaceId)
  const heads = kept.filter((head) => isSigned(signingKeys, head, head.signature))
  const prunedSeq = chain?.prunedSeq ?? 0
  return verifyChain(readEntries(db, workspaceId), {
    prunedSeq,
    heads: [...heads.filter(({ seq }) => seq > prunedSeq), ...(chain && chain.seq > 0 ? [chain] : [])],
  })
}

async function readKept(file: string, workspaceId: string): Promise<KeptHead[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as KeptHead)
    .filter((head) => head.workspaceId === workspaceId)
}

type ExportLine = ProvenEntry | { readonly head: SignedHead }

/** Verifies an exported file. Its head must be the last line, and signed for all entries from the first one in the file. */
async function verifyFile({ signingKeys }: Connection, workspaceId: string, file: string): Promise<Verification> {
  const seen: { first?: number; head?: SignedHead; isFollowed?: boolean } = {}
  const facts: ChainFacts & { heads: { seq: number; hash: string }[] } = { isPart: true, heads: [] }
  const entries = async function* (): AsyncGenerator<ProvenEntry> {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      if (line.trim() === '') continue
      const parsed = parseLine(line)
      if ('head' in parsed) {
        seen.head = parsed.head
        continue
      }
      seen.isFollowed = seen.head !== undefined
      seen.first ??= parsed.seq ?? 0
      yield parsed
    }
  }
  const outcome = await verifyChain(entries(), facts).catch((cause: unknown) => {
    throw new CommandError(cause instanceof SyntaxError ? `${file} is not an exported audit log.` : String(cause))
  })
  if (!outcome.ok) return outcome
  const { head, first = 0, isFollowed = false } = seen
  const end = outcome.head?.seq ?? 0
  const isWhole = head !== undefined && !isFollowed && head.seq === end && head.hash === (outcome.head?.hash ?? '')
  if (!isWhole) return { ...outcome, ok: false, brokenAt: end + 1, reason: 'TRUNCATED' }
  if (end === 0 || isSigned(signingKeys, { workspaceId, firstSeq: first, ...head }, head.signature)) return outcome
  // The signature covers the first entry, too: the beginning is missing, or somebody else wrote the file.
  return { ...outcome, ok: false, brokenAt: first > 1 ? first - 1 : end, reason: first > 1 ? 'GAP' : 'HASH' }
}

function parseLine(line: string): ExportLine {
  return JSON.parse(line) as ExportLine
}
