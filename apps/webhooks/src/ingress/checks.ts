import { digest } from '@crm/identity/credential'
import { workspaceLimits } from '@crm/runtime'
import type { Verdict } from '@crm/redis'
import { headerDigest } from '@crm/secrets/header-digest'
import type { IncomingHttpHeaders } from 'node:http'
import { timingSafeEqual } from 'node:crypto'
import type { HookTrigger } from './hooks.repository.ts'

/** A call with the trigger that its path leads to. */
export interface HookCall {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly trigger: HookTrigger | undefined
  /** Whether the call shows the secret of the trigger. */
  readonly hasSecret: boolean
}

/** A refusal: the answer, and the reason that only the owner sees. */
export interface Refusal {
  readonly status: 401 | 404 | 405 | 413 | 415 | 429
  readonly text: string
  readonly reason: string
  readonly retryAfterS?: number
}

/** Counts a call for its URL, once even when called repeatedly. */
export type CountForUrl = (trigger: HookTrigger) => Promise<Verdict>

/** Methods that ask about an address instead of sending something to it. */
const startsNothing = new Set(['HEAD', 'OPTIONS', 'TRACE'])

/** A digest that no secret has. */
const noDigest = '00'.repeat(32)

/** Returns the first reason to refuse a call, in an order that reveals nothing to a stranger (docs/guide/webhooks.md). */
export async function findRefusal(call: HookCall, countForUrl: CountForUrl): Promise<Refusal | undefined> {
  const { trigger, hasSecret } = call
  if (!trigger || !trigger.isPublished || !hasSecret) {
    return {
      status: 404,
      text: 'Not found',
      reason: hasSecret ? 'The workflow is not published' : 'The secret is missing or wrong',
    }
  }
  // The limit of the URL is checked after the secret: a stranger can neither use it up nor learn from it that the path exists.
  const { allowed, retryAfterS } = await countForUrl(trigger)
  if (!allowed) {
    const most = trigger.callsPerMinute ?? workspaceLimits['hooks.per-minute'].usual
    return { status: 429, text: 'Too many requests', reason: `More than ${most} calls in a minute`, retryAfterS }
  }
  return wrongHeader(call, trigger) ?? wrongMethod(call, trigger)
}

/** Compares the secret in constant time, whether or not the path exists. */
export function holdsSecret(headers: IncomingHttpHeaders, trigger: HookTrigger | undefined): boolean {
  const given = headers['x-api-key']
  const expected = Buffer.from(trigger?.secretHash ?? noDigest, 'hex')
  const isSame = timingSafeEqual(digest(typeof given === 'string' ? given : ''), expected)
  return isSame && trigger !== undefined
}

function wrongHeader({ headers }: HookCall, trigger: HookTrigger): Refusal | undefined {
  const { headerAuth } = trigger
  if (!headerAuth) return undefined
  const given = headers[headerAuth.name.toLowerCase()]
  const expected =
    'digest' in headerAuth ? headerAuth.digest : headerAuth.value && headerDigest(trigger.workflowId, headerAuth.value)
  const isConfigured = headerAuth.name !== '' && expected !== ''
  const isSame =
    isConfigured &&
    typeof given === 'string' &&
    timingSafeEqual(Buffer.from(headerDigest(trigger.workflowId, given)), Buffer.from(expected))
  if (isSame) return undefined
  return {
    status: 401,
    text: 'Unauthorized',
    reason: isConfigured ? 'The header is missing or wrong' : 'The header authentication has no name or value',
  }
}

function wrongMethod({ method }: HookCall, trigger: HookTrigger): Refusal | undefined {
  // A safe method that nobody chose starts no work (RFC 9110, section 9.2.1): caches, link checks and previews send HEAD by themselves.
  const isTaken = trigger.method === method || (trigger.method === 'ANY' && !startsNothing.has(method))
  if (isTaken) return undefined
  return { status: 405, text: 'Method not allowed', reason: `The method was ${method}` }
}
