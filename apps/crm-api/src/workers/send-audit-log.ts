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

interface Claimed {
  readonly stream: Stream
  /** The last entry that the receiver has. */
  readonly streamedSeq: number
}

const entriesAtOnce = 100
/** How often due streams are looked for that nobody has told of. */
export const streamsRoundMs = 5_000
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
        .where(and(isDue(at), isBehind(at)))
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

/** Returns in how many milliseconds the next stream is due, 0 or less for now; undefined when each has all entries. */
export async function nextSendingInMs({ db, clock }: RoundDeps): Promise<number | undefined> {
  const now = clock.now()
  const [next] = await db
    .select({ at: auditStreams.nextAt })
    .from(auditStreams)
    .innerJoin(auditChains, eq(auditChains.workspaceId, auditStreams.workspaceId))
    .where(and(eq(auditStreams.isActive, true), isBehind(now.toISOString())))
    .orderBy(asc(auditStreams.nextAt))
    .limit(1)
  return next && Date.parse(next.at) - now.getTime()
}

function isDue(at: string): SQL {
  return and(eq(auditStreams.isActive, true), lte(auditStreams.nextAt, at)) as SQL
}

/** Whether entries wait that a stream does not have, and its work did not fail a moment ago. */
function isBehind(at: string): SQL {
  return and(
    gt(auditChains.seq, auditChains.streamedSeq),
    isNotPutOff(work, { workspaceId: auditStreams.workspaceId, row: sql`''` }, at),
  ) as SQL
}

async function claimStream({ db, clock }: Sender, workspaceId: string): Promise<Claimed | undefined> {
  const now = clock.now()
  const [claimed] = await db
    .update(auditStreams)
    .set({ nextAt: new Date(now.getTime() + claimMs).toISOString() })
    .from(auditChains)
    .where(
      and(
        eq(auditStreams.workspaceId, workspaceId),
        isDue(now.toISOString()),
        eq(auditChains.workspaceId, auditStreams.workspaceId),
      ),
    )
    .returning({ stream: auditStreams, streamedSeq: auditChains.streamedSeq })
  return claimed
}

async function sendBacklog(sender: Sender, { stream, streamedSeq }: Claimed): Promise<void> {
  let sent = streamedSeq
  for (let request = 0; request < requestsOfOne; request += 1) {
    const last = await sendSome(sender, stream, sent + 1)
    if (last === undefined) return
    sent = last
  }
  await release(sender, stream, { nextAt: sender.clock.now().toISOString() })
}

/**
 * Sends the next entries; returns the last of them when more may follow now. The claim is given back when none do.
 */
async function sendSome(sender: Sender, stream: Stream, from: number): Promise<number | undefined> {
  const { db, clock } = sender
  const { workspaceId } = stream
  const entries = await Array.fromAsync(readEntries(db, workspaceId, { from, to: from + entriesAtOnce - 1 }))
  const last = entries.at(-1)?.seq
  const at = clock.now().toISOString()
  if (last === undefined || last === null) return release(sender, stream, { nextAt: at })
  const shown = entries.map(({ privateSalt: _salt, privateHash: _hash, ...entry }) => entry)
  const { ok, error } = await post(sender, stream, JSON.stringify(shown))
  if (!ok) {
    const failures = stream.failures + 1
    const waitMs = Math.min(pauseMs * 2 ** (failures - 1), pauseMsMax)
    return release(sender, stream, {
      failures,
      problem: error,
      nextAt: new Date(Date.parse(at) + waitMs).toISOString(),
    })
  }
  await db
    .update(auditChains)
    .set({ streamedSeq: sql`greatest(${auditChains.streamedSeq}, ${last})` })
    .where(eq(auditChains.workspaceId, workspaceId))
  const isMore = entries.length === entriesAtOnce
  const healed = stream.failures > 0 && { failures: 0, problem: null }
  if (healed || !isMore) await release(sender, stream, { ...healed, nextAt: isMore ? stream.nextAt : at })
  return isMore ? last : undefined
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

/** Writes the outcome of a claim, unless the settings were changed meanwhile. */
async function release(
  { db }: Sender,
  { workspaceId, updatedAt }: Stream,
  set: Partial<Pick<Stream, 'failures' | 'problem' | 'nextAt'>>,
): Promise<undefined> {
  await db
    .update(auditStreams)
    .set(set)
    .where(and(eq(auditStreams.workspaceId, workspaceId), eq(auditStreams.updatedAt, updatedAt)))
}
