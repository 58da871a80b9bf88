import type { Pool } from '@crm/db'
import { digest } from '@crm/identity/credential'
import { workspaceTag, type FixedWindow, type Verdict } from '@crm/redis'
import { countedAddress, currentTraceparent, type Logger } from '@crm/runtime'
import type { IncomingHttpHeaders } from 'node:http'
import { challengeAnswer, type ChallengeAnswer } from './challenge.ts'
import { findRefusal, holdsSecret, type HookCall, type Refusal } from './checks.ts'
import { findTrigger, storeRefusal, type HookTrigger } from './hooks.repository.ts'
import type { RunWriter } from './run-writer.ts'
import { readTriggerData, toInspectable, unpack, type CodingFault } from './trigger-data.ts'
import { createTriggerMemory } from './trigger-memory.ts'

/** The resources that calls are received with. */
export interface ReceiverDeps {
  readonly pool: Pool
  /** Calls per address over all webhooks. */
  readonly perAddress: FixedWindow
  /** Calls per webhook. */
  readonly perUrl: FixedWindow
  readonly writer: RunWriter
  readonly logger: Logger
}

/** A call before its body is read. */
export interface Call {
  readonly host: string
  /** The part of the address behind `/api/hooks/`. */
  readonly path: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
  /** The Content-Type as the caller sent it. */
  readonly contentType: string | null
  readonly query: Readonly<Record<string, unknown>>
  /** Is told whose call it is, as soon as that is known. */
  tellWorkspace(workspaceId: string): void
}

/** A call with what the ingress knows of it. */
export interface KnownCall extends Call {
  /** The remembered trigger; set only for a call that shows its secret. */
  readonly remembered: HookTrigger | undefined
  /** The count of the call for its URL, once it has been counted. */
  counted: Promise<Verdict> | undefined
}

/** What becomes of a call: a run, an answer that proves the address to its sender, or a refusal. */
export type Received =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'challenge'; readonly answer: ChallengeAnswer }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/** Receives calls: finds their trigger, checks them and stores their runs. */
export interface Receiver {
  /** Recalls what is known of a call. */
  recall(call: Call): KnownCall
  /** Counts a call for its address, and with its secret for its URL too; allowed or not. */
  count(call: KnownCall, address: string): Promise<Verdict>
  receive(call: KnownCall, body: Buffer): Promise<Received>
  /** Notes for the owner that the body of a call was too large to be read. */
  noteTooLarge(call: Call): Promise<void>
}

/** The trigger that the path of a call leads to, and whether the call shows its secret. */
type Reached = Pick<HookCall, 'trigger' | 'hasSecret'>

export const bodyBytesMax = 65_536
/** The number of refused calls that are noted at once; further notes are dropped, so that refusing stays cheap. */
const notesAtOnce = 20

export function createReceiver(deps: ReceiverDeps): Receiver {
  const { pool, perAddress, perUrl } = deps
  const memory = createTriggerMemory()
  const note = createNotes(deps)

  const reach = async ({ host, path, headers, tellWorkspace }: Call): Promise<Reached> => {
    const trigger = await findTrigger(pool, host, digest(path))
    const hasSecret = holdsSecret(headers, trigger)
    if (trigger) tellWorkspace(trigger.workspaceId)
    if (trigger?.isPublished && hasSecret) memory.remember(host, path, trigger)
    else memory.forget(host, path)
    return { trigger, hasSecret }
  }

  /** Judges a call by its trigger; undefined when the trigger has changed meanwhile. */
  const judge = async (call: KnownCall, body: Buffer, reached: Reached): Promise<Received | undefined> => {
    const answer = await answerTo(call, body, reached.trigger)
    return answer ? { kind: 'challenge', answer } : take(deps, call, body, reached)
  }

  return {
    recall: (call) => {
      const found = memory.recall(call.host, call.path)
      const remembered = holdsSecret(call.headers, found) ? found : undefined
      if (remembered) call.tellWorkspace(remembered.workspaceId)
      return { ...call, remembered, counted: undefined }
    },

    count: async (call, address) => {
      const { remembered } = call
      const countedForAddress = perAddress.consume(`{${countedAddress(address)}}`)
      // A call with the secret is counted for both in one round trip.
      if (remembered) void countForUrl(deps, call, remembered)
      const verdict = await countedForAddress
      if (!verdict.allowed && remembered) void perUrl.forgive(urlKey(remembered))
      return verdict
    },

    receive: async (call, body) => {
      const { remembered } = call
      if (remembered) {
        const known = await judge(call, body, { trigger: remembered, hasSecret: true })
        // A remembered trigger is no reason to refuse a call.
        if (known && known.kind !== 'refused') return known
      }
      const reached = await reach(call)
      const received = (await judge(call, body, reached)) ?? { kind: 'refused', refusal: changedMeanwhile }
      if (received.kind === 'refused') void note(reached.trigger, received.refusal.reason, body.length)
      return received
    },

    noteTooLarge: async (call) => {
      const reached = await reach(call).catch(() => undefined)
      const told = Math.min(Number(call.headers['content-length']), Number.MAX_SAFE_INTEGER)
      await note(reached?.trigger, 'The body is over 64 KB', told || null)
    },
  }
}

/** Checks a call against its trigger and stores it; undefined when the trigger has changed meanwhile. */
async function take(
  deps: ReceiverDeps,
  call: KnownCall,
  body: Buffer,
  { trigger, hasSecret }: Reached,
): Promise<Received | undefined> {
  const { method, headers, contentType } = call
  const refusal = await findRefusal({ method, headers, trigger, hasSecret }, (found) => countForUrl(deps, call, found))
  if (refusal) return { kind: 'refused', refusal }
  if (!trigger) return undefined
  const plain = await unpack(body, headers['content-encoding'], bodyBytesMax)
  if (typeof plain === 'string') return { kind: 'refused', refusal: codingRefusals[plain] }
  const data = await readTriggerData(plain, contentType, trigger.options?.accept)
  const request = { method, contentType, sizeBytes: plain.length, body: data, ...toInspectable(plain) }
  const isStored = await deps.writer.store({
    trigger,
    data,
    last: { at: new Date().toISOString(), request },
    traceparent: currentTraceparent(),
  })
  return isStored ? { kind: 'accepted' } : undefined
}

/** Returns the answer to a challenge that a call to a published trigger carries. */
async function answerTo(
  { method, headers, query, contentType }: Call,
  sent: Buffer,
  trigger: HookTrigger | undefined,
): Promise<ChallengeAnswer | undefined> {
  if (!trigger?.isPublished || !trigger.options) return undefined
  const { accept } = trigger.options
  const body = async (): Promise<unknown> => {
    const plain = await unpack(sent, headers['content-encoding'], bodyBytesMax)
    return typeof plain === 'string' ? {} : readTriggerData(plain, contentType, accept)
  }
  return challengeAnswer({ method, headers, query, body }, trigger.options)
}

/** Counts a call for its URL, once even when it is judged twice. */
function countForUrl(
  { perUrl }: Pick<ReceiverDeps, 'perUrl'>,
  call: KnownCall,
  trigger: HookTrigger,
): Promise<Verdict> {
  return (call.counted ??= perUrl.consume(urlKey(trigger), trigger.callsPerMinute ?? undefined))
}

function urlKey({ workspaceId, workflowId }: HookTrigger): string {
  return `${workspaceTag(workspaceId)}:${workflowId}`
}

/** Makes the function that notes refused calls for the owner of a webhook. */
function createNotes({ pool, logger }: Pick<ReceiverDeps, 'pool' | 'logger'>) {
  let underWay = 0
  return async (trigger: HookTrigger | undefined, reason: string, sizeBytes: number | null): Promise<void> => {
    if (!trigger || underWay >= notesAtOnce) return
    underWay++
    await storeRefusal(pool, trigger, reason, sizeBytes).catch((error: unknown) =>
      logger.warn({ err: error }, 'a refused call was not noted'),
    )
    underWay--
  }
}

const changedMeanwhile: Refusal = {
  status: 404,
  text: 'Not found',
  reason: 'The workflow was changed while the call came',
}

const codingRefusals: Readonly<Record<CodingFault, Refusal>> = {
  unknown: { status: 415, text: 'Unsupported content encoding', reason: 'The body has a coding that is not taken' },
  'too large': { status: 413, text: 'Payload too large', reason: 'The unpacked body is over 64 KB' },
}
