import { readEntries } from '@crm/audit'
import { schema } from '@crm/db'
import type { Delivered, Egress } from '@crm/egress'
import { doDueWork, isNotPutOff, type RoundDeps } from '@crm/jobs'
import { SecretUnreadableError } from '@crm/secrets'
import { and, asc, eq, gt, lte, sql, type SQL } from 'drizzle-orm'
import { streamHeader } from '../domain/audit/stream-header.ts'
import type { CrmApiDeps } from '../platform/deps.ts'

const { auditChains, auditStreams } = schema

type Sender = RoundDeps & Pick<CrmApiDeps, 'secrets'> & { readonly egress: Pick<Egress, 'send'> }
type Stream = typeof auditStreams.$inferSelect

const entriesAtOnce = 100
/** How often due streams are looked for. */
export const streamsRoundMs = 1_000
const work = 'send-audit-log'
const streamsFound = 100
const streamsAtOnce = 10
/** The requests to one receiver in a round, so that a long backlog of one workspace does not hold up the others. */
const requestsOfOne = 20
/** Far longer than a request takes; by then a sender that holds a claim is lost. */
const claimMs = 60_000
const pauseMs = 5_000
const pauseMsMax = 30 * 60_000

/**
 * Sends audit logs to the programs that workspaces have chosen: arrays of entries in the order of the chain. An entry is sent again until
 * it is taken, so it may arrive twice, and none is left out.
 */
export async function sendAuditLogs(sender: Sender): Promise<void> {
  const { db } = sender
  await doDueWork<Pick<Stream, 'workspaceId'>>(sender, {
    name: work,
    everyMs: streamsRoundMs,
    batch: streamsFound,
    atOnce: streamsAtOnce,
    find: (at, limit) =>
      db
        .select({ workspaceId: auditStreams.workspaceId })
        .from(auditStreams)
        .innerJoin(auditChains, eq(auditChains.workspaceId, auditStreams.workspaceId))
        .where(
          and(
            isDue(at),
            gt(auditChains.seq, auditChains.streamedSeq),
            isNotPutOff(work, { workspaceId: auditStreams.workspaceId, row: sql`''` }, at),
          ),
        )
        .orderBy(asc(auditStreams.nextAt))
        .limit(limit),
    keyOf: ({ workspaceId }) => ({ workspaceId, row: '' }),
    perform: async (streams) => {
      for (const { workspaceId } of streams) {
        const claimed = await claimStream(sender, workspaceId)
        if (claimed) await sendBacklog(sender, claimed)
      }
    },
  })
}

function isDue(at: string): SQL {
  return and(eq(auditStreams.isActive, true), lte(auditStreams.nextAt, at)) as SQL
}

async function claimStream({ db, clock }: Sender, workspaceId: string): Promise<Stream | undefined> {
  const now = clock.now()
  const [claimed] = await db
    .update(auditStreams)
    .set({ nextAt: new Date(now.getTime() + claimMs).toISOString() })
    .where(and(eq(auditStreams.workspaceId, workspaceId), isDue(now.toISOString())))
    .returning()
  return claimed
}

async function sendBacklog(sender: Sender, stream: Stream): Promise<void> {
  for (let request = 0; request < requestsOfOne; request += 1) {
    const isMore = await sendSome(sender, stream)
    if (!isMore) return
  }
  await release(sender, stream, { nextAt: sender.clock.now().toISOString() })
}

/** Sends the next entries; returns whether more may follow now. The claim is given back when none do. */
async function sendSome(sender: Sender, stream: Stream): Promise<boolean> {
  const { db, clock } = sender
  const { workspaceId } = stream
  const [chain] = await db
    .select({ streamedSeq: auditChains.streamedSeq })
    .from(auditChains)
    .where(eq(auditChains.workspaceId, workspaceId))
  const from = (chain?.streamedSeq ?? 0) + 1
  const entries = await Array.fromAsync(readEntries(db, workspaceId, { from, to: from + entriesAtOnce - 1 }))
  const last = entries.at(-1)?.seq
  const now = clock.now()
  if (last === undefined || last === null) {
    await release(sender, stream, { nextAt: now.toISOString() })
    return false
  }
  const shown = entries.map(({ privateSalt: _salt, privateHash: _hash, ...entry }) => entry)
  const { ok, error } = await post(sender, stream, JSON.stringify(shown))
  if (ok) {
    await db
      .update(auditChains)
      .set({ streamedSeq: sql`greatest(${auditChains.streamedSeq}, ${last})` })
      .where(eq(auditChains.workspaceId, workspaceId))
    if (stream.failures > 0) await release(sender, stream, { failures: 0, problem: null, nextAt: stream.nextAt })
    return entries.length === entriesAtOnce || (await release(sender, stream, { nextAt: now.toISOString() }))
  }
  const failures = stream.failures + 1
  const waitMs = Math.min(pauseMs * 2 ** (failures - 1), pauseMsMax)
  await release(sender, stream, { failures, problem: error, nextAt: new Date(now.getTime() + waitMs).toISOString() })
  return false
}

async function post(
  { db, secrets, logger, egress }: Sender,
  { workspaceId, url, headerName, headerValue }: Stream,
  body: string,
): Promise<Pick<Delivered, 'ok' | 'error'>> {
  try {
    const value = headerValue === null ? null : await secrets.open(db, streamHeader(workspaceId), headerValue)
    const own = headerName === null || value === null ? {} : { [headerName]: value }
    return await egress.send({ url, method: 'POST', headers: { ...own, 'content-type': 'application/json' }, body })
  } catch (error) {
    if (!(error instanceof SecretUnreadableError)) throw error
    logger.error({ err: error }, 'the header of an audit stream cannot be opened')
    return { ok: false, error: 'The value of the header cannot be read. Give it anew.' }
  }
}

/** Writes the outcome of a claim, unless the settings were changed meanwhile; returns false. */
async function release(
  { db }: Sender,
  { workspaceId, updatedAt }: Stream,
  set: Partial<Pick<Stream, 'failures' | 'problem' | 'nextAt'>>,
): Promise<false> {
  await db
    .update(auditStreams)
    .set(set)
    .where(and(eq(auditStreams.workspaceId, workspaceId), eq(auditStreams.updatedAt, updatedAt)))
  return false
}
