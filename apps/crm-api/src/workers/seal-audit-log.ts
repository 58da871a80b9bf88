import { sealEntries, signStretch, unsealedWorkspaces } from '@crm/audit'
import { schema } from '@crm/db'
import { and, asc, eq, gt, isNull, lt, or } from 'drizzle-orm'
import type { CrmApiDeps } from '../platform/deps.ts'
import { writeAuditFile, type AuditFile } from '../domain/audit/audit-file.ts'

const { auditChains, auditLog } = schema

const workspacesAtOnce = 100
/** The batches of one workspace in one round; a workspace with a long backlog does not hold up the others. */
const batchesOfOne = 20
const signEveryMs = 24 * 3_600_000

/** Gives new entries of audit logs their places in their chains, and appends them to the file of the installation. */
export async function sealAuditLogs({ db }: Pick<CrmApiDeps, 'db'>, file: AuditFile | undefined): Promise<void> {
  for (const workspaceId of await unsealedWorkspaces(db, workspacesAtOnce))
    await sealEntries(db, workspaceId, batchesOfOne)
  if (file) await writeAuditFile(db, file)
}

/** Signs the head of each chain that has grown, once a day, and keeps it outside the database. */
export async function signAuditHeads({
  db,
  clock,
  auditProof,
}: Pick<CrmApiDeps, 'db' | 'clock' | 'auditProof'>): Promise<void> {
  if (!auditProof?.key) return
  const now = clock.now()
  const at = now.toISOString()
  const before = new Date(now.getTime() - signEveryMs).toISOString()
  const due = await db
    .select()
    .from(auditChains)
    .where(and(gt(auditChains.seq, 0), or(isNull(auditChains.signedAt), lt(auditChains.signedAt, before))))
    .limit(workspacesAtOnce)
  for (const { workspaceId, seq, hash } of due) {
    const { rowCount } = await db
      .update(auditChains)
      .set({ signedAt: at })
      .where(
        and(
          eq(auditChains.workspaceId, workspaceId),
          or(isNull(auditChains.signedAt), lt(auditChains.signedAt, before)),
        ),
      )
    if (rowCount === 0) continue
    const [first] = await db
      .select({ seq: auditLog.seq })
      .from(auditLog)
      .where(and(eq(auditLog.workspaceId, workspaceId), gt(auditLog.seq, 0)))
      .orderBy(asc(auditLog.seq))
      .limit(1)
    const stretch = { workspaceId, firstSeq: first?.seq ?? seq, seq, hash, at }
    await auditProof.keep({ ...stretch, signature: signStretch(auditProof.key, stretch) })
  }
}
