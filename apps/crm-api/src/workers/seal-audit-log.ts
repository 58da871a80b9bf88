import { sealEntries, signStretch } from '@crm/audit'
import { inTransaction, schema } from '@crm/db'
import { doDueWork, isNotPutOff, type RoundDeps } from '@crm/jobs'
import { and, asc, eq, gt, isNull, lt, or, sql, type SQL } from 'drizzle-orm'
import type { AuditProof, CrmApiDeps } from '../platform/deps.ts'
import { writeAuditFile, type AuditFile } from '../domain/audit/audit-file.ts'

const { auditChains, auditLog } = schema

/** How often audit logs are looked at for new entries that nobody has told of, such as those of the command line. */
export const sealingRoundMs = 5_000
/** How often chains are looked at for their signature. */
export const signingRoundMs = 10 * 60_000

const sealing = 'seal-audit-log'
const signing = 'sign-audit-log'
const workspacesFound = 100
/** The chains of different workspaces that grow at once; they wait for the database, not for each other. */
const chainsAtOnce = 4
/** The batches of one workspace in one round; a workspace with a long backlog does not hold up the others. */
const batchesOfOne = 20
const signEveryMs = 24 * 3_600_000

interface Place extends Record<string, unknown> {
  readonly workspaceId: string
}

const ofWhole = sql`''`
const keyOf = ({ workspaceId }: Place) => ({ workspaceId, row: '' })

/** Gives new entries of audit logs their places in their chains, and appends them to the file of the installation. */
export async function sealAuditLogs(deps: RoundDeps, file: AuditFile | undefined): Promise<void> {
  const { db } = deps
  await doDueWork<Place>(deps, {
    name: sealing,
    everyMs: sealingRoundMs,
    batch: workspacesFound,
    atOnce: chainsAtOnce,
    find: async (at, limit) => {
      const { rows } = await db.execute<Place>(sql`
        SELECT entry.workspace_id AS "workspaceId" FROM ${auditLog} AS entry WHERE entry.hash IS NULL AND ${isUnsealedDue(at)}
        GROUP BY 1 ORDER BY min(entry.at) LIMIT ${limit}`)
      return rows
    },
    keyOf,
    perform: async (places) => {
      for (const { workspaceId } of places) await sealEntries(db, workspaceId, batchesOfOne)
    },
  })
  if (file) await writeAuditFile(deps, file)
}

/** Returns 0 when entries wait for their places, undefined otherwise. */
export async function nextSealInMs({ db, clock }: RoundDeps): Promise<0 | undefined> {
  const { rows } = await db.execute(sql`
    SELECT FROM ${auditLog} AS entry WHERE entry.hash IS NULL AND ${isUnsealedDue(clock.now().toISOString())} LIMIT 1`)
  return rows.length > 0 ? 0 : undefined
}

const isUnsealedDue = (at: string): SQL =>
  isNotPutOff(sealing, { workspaceId: sql`entry.workspace_id`, row: ofWhole }, at)

/** Signs the head of each chain that has grown, once a day, and keeps it outside the database. */
export async function signAuditHeads(deps: RoundDeps & Pick<CrmApiDeps, 'auditProof'>): Promise<void> {
  const { db, auditProof } = deps
  if (!auditProof?.key) return
  const { key } = auditProof
  await doDueWork<Place>(deps, {
    name: signing,
    everyMs: signingRoundMs,
    batch: workspacesFound,
    find: (at, limit) =>
      db
        .select({ workspaceId: auditChains.workspaceId })
        .from(auditChains)
        .where(and(isUnsigned(at), isNotPutOff(signing, { workspaceId: auditChains.workspaceId, row: ofWhole }, at)))
        .orderBy(sql`${auditChains.signedAt} NULLS FIRST`)
        .limit(limit),
    keyOf,
    perform: async (places) => {
      for (const { workspaceId } of places)
        await signHead(deps, { key, keep: (head) => auditProof.keep(head) }, workspaceId)
    },
  })
}

function isUnsigned(at: string): SQL {
  const before = new Date(Date.parse(at) - signEveryMs).toISOString()
  return and(gt(auditChains.seq, 0), or(isNull(auditChains.signedAt), lt(auditChains.signedAt, before))) as SQL
}

/** Signs a head and keeps it; one that cannot be kept is signed again. */
async function signHead(
  { db, clock }: RoundDeps,
  { key, keep }: AuditProof & { readonly key: Buffer },
  workspaceId: string,
): Promise<void> {
  const at = clock.now().toISOString()
  await inTransaction(db, undefined, async (tx) => {
    const [chain] = await tx
      .update(auditChains)
      .set({ signedAt: at })
      .where(and(eq(auditChains.workspaceId, workspaceId), isUnsigned(at)))
      .returning({ seq: auditChains.seq, hash: auditChains.hash })
    if (!chain) return
    const [first] = await tx
      .select({ seq: auditLog.seq })
      .from(auditLog)
      .where(and(eq(auditLog.workspaceId, workspaceId), gt(auditLog.seq, 0)))
      .orderBy(asc(auditLog.seq))
      .limit(1)
    const stretch = { workspaceId, firstSeq: first?.seq ?? chain.seq, seq: chain.seq, hash: chain.hash, at }
    await keep({ ...stretch, signature: signStretch(key, stretch) })
  })
}
