import { schema, type Executor } from '@crm/db'
import { and, asc, eq, gte, lte, sql, type SQL } from 'drizzle-orm'
import { readEntries } from './chain.ts'
import { signStretch, type KeptHead } from './heads.ts'

const { auditLog } = schema

/** The part of a chain that is exported. */
export interface ExportRange {
  readonly workspaceId: string
  /** ISO 8601, included. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/**
 * Writes a part of the chain as lines of JSON without gaps, then its signed head. The part reaches from the first entry to the last one
 * of the time, so it may hold a few entries beside it.
 * @param key signs the head; without it the signature is empty
 * @param keep stores the signed head elsewhere, before it is written
 */
export async function* exportLines(
  db: Executor,
  { workspaceId, from, to }: ExportRange,
  {
    key,
    at,
    keep,
  }: { readonly key: Buffer | undefined; readonly at: string; readonly keep: (head: KeptHead) => Promise<void> },
): AsyncGenerator<string> {
  const bounds = await boundsOf(db, workspaceId, from, to)
  let head = { firstSeq: 0, seq: 0, hash: '' }
  if (bounds)
    for await (const entry of readEntries(db, workspaceId, bounds)) {
      yield `${JSON.stringify(entry)}\n`
      head = { firstSeq: head.firstSeq || (entry.seq ?? 0), seq: entry.seq ?? 0, hash: entry.hash ?? '' }
    }
  const stretch = { workspaceId, ...head, at }
  const signature = key ? signStretch(key, stretch) : ''
  if (head.seq > 0) await keep({ ...stretch, signature })
  yield `${JSON.stringify({ head: { seq: head.seq, hash: head.hash, at, signature } })}\n`
}

async function boundsOf(
  db: Executor,
  workspaceId: string,
  from: string | undefined,
  to: string | undefined,
): Promise<{ from: number; to: number } | undefined> {
  const inTime = and(
    eq(auditLog.workspaceId, workspaceId),
    from === undefined ? undefined : gte(auditLog.at, from),
    to === undefined ? undefined : lte(auditLog.at, to),
    sql`${auditLog.seq} IS NOT NULL`,
  ) as SQL
  const edge = async (order: SQL): Promise<number | undefined> => {
    const [row] = await db.select({ seq: auditLog.seq }).from(auditLog).where(inTime).orderBy(order).limit(1)
    return row?.seq ?? undefined
  }
  const [first, last] = [await edge(asc(auditLog.seq)), await edge(sql`${auditLog.seq} DESC`)]
  return first === undefined || last === undefined ? undefined : { from: first, to: last }
}
