import { inTransaction, noteQueued, schema, type Database, type Executor, type Transaction } from '@crm/db'
import { and, asc, eq, gt, isNull, lte, sql } from 'drizzle-orm'
import { sealOf, toEntry, toProven, type ProvenEntry, type Seal } from './entry.ts'

const { auditChains, auditLog } = schema

const sealedAtOnce = 500
const readAtOnce = 2_000

/**
 * Gives the committed entries of a workspace their places in its chain, oldest first, and returns their number. Only sealing waits for
 * sealing: whoever writes an entry waits for nobody.
 * @param batchesMax the most batches, so that a reader does not wait for all of a long backlog
 */
export async function sealEntries(db: Database, workspaceId: string, batchesMax = Infinity): Promise<number> {
  let sealed = 0
  for (let batch = 0; batch < batchesMax; batch += 1) {
    const count = await inTransaction(db, undefined, (tx) => sealBatch(tx, workspaceId))
    sealed += count
    if (count < sealedAtOnce) break
  }
  return sealed
}

/** Seals some entries in a transaction, which holds the chain of the workspace until its end. */
export async function sealBatch(tx: Transaction, workspaceId: string): Promise<number> {
  const chain = await lockChain(tx, workspaceId)
  const rows = await tx
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.workspaceId, workspaceId), isNull(auditLog.hash)))
    .orderBy(asc(auditLog.at), asc(auditLog.id))
    .limit(sealedAtOnce)
  if (rows.length === 0) return 0
  let { seq, hash } = chain
  const seals: (Seal & { readonly id: string })[] = []
  for (const row of rows) {
    const seal = sealOf(toEntry(row), seq + 1, hash)
    seals.push({ id: row.id, ...seal })
    ;({ seq, hash } = seal)
  }
  await tx.execute(sql`WITH grown AS (UPDATE ${auditChains} SET seq = ${seq}, hash = ${hash} WHERE workspace_id = ${workspaceId})
    UPDATE ${auditLog} AS entry
    SET seq = seal."seq", private_salt = seal."privateSalt", private_hash = seal."privateHash", prev_hash = seal."prevHash", hash = seal."hash"
    FROM json_to_recordset(${JSON.stringify(seals)}::json)
      AS seal (id uuid, "seq" bigint, "privateSalt" text, "privateHash" text, "prevHash" text, "hash" text)
    WHERE entry.workspace_id = ${workspaceId} AND entry.id = seal.id`)
  noteQueued(tx, ['audit-chain'])
  return rows.length
}

type Chain = Pick<typeof auditChains.$inferSelect, 'seq' | 'hash'>

/** Locks the chain of a workspace, which begins with its first entry. */
async function lockChain(tx: Transaction, workspaceId: string): Promise<Chain> {
  const lock = () => tx.select().from(auditChains).where(eq(auditChains.workspaceId, workspaceId)).for('update')
  const [chain] = await lock()
  if (chain) return chain
  await tx.insert(auditChains).values({ workspaceId }).onConflictDoNothing()
  const [begun] = await lock()
  return begun as Chain
}

/** Reads sealed entries in the order of the chain, in pages; both bounds are included. */
export async function* readEntries(
  db: Executor,
  workspaceId: string,
  { from = 1, to = Number.MAX_SAFE_INTEGER }: { readonly from?: number; readonly to?: number } = {},
): AsyncGenerator<ProvenEntry> {
  let after = from - 1
  for (;;) {
    const rows = await db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.workspaceId, workspaceId), gt(auditLog.seq, after), lte(auditLog.seq, to)))
      .orderBy(asc(auditLog.seq))
      .limit(readAtOnce)
    for (const row of rows) yield toProven(row)
    if (rows.length < readAtOnce) return
    after = rows.at(-1)?.seq ?? after
  }
}
