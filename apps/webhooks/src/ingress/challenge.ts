import type { HookOptions } from '@crm/db'
import { digest } from '@crm/identity/credential'
import type { IncomingHttpHeaders } from 'node:http'
import { timingSafeEqual } from 'node:crypto'

/** A call as far as a challenge may stand in it. */
export interface Challenging {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly query: Readonly<Record<string, unknown>>
  /** The data of the body; read only where a challenge may stand in it. */
  body(): Promise<unknown>
}

/** The answer to a sender that asks whether somebody wants its calls. */
export interface ChallengeAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Methods with which no challenge comes; CloudEvents asks by OPTIONS. */
const neverChallenge = new Set(['HEAD', 'OPTIONS', 'TRACE'])

/** What is given back to a stranger is short and can be shown by nothing but text. */
const isPrintable = (value: unknown): value is string => typeof value === 'string' && /^[\x20-\x7e]{1,512}$/.test(value)

/** Returns the answer to the challenge that a call carries; undefined for every other call. It needs no secret, and starts nothing. */
export async function challengeAnswer(
  call: Challenging,
  { challenge, cloudEvents }: HookOptions,
): Promise<ChallengeAnswer | undefined> {
  if (call.method === 'OPTIONS') return cloudEvents ? allowedOrigin(call.headers) : undefined
  if (!challenge || neverChallenge.has(call.method)) return undefined
  const read = await readerOf(call, challenge.in)
  const value = read(challenge.echo)
  if (!isPrintable(value)) return undefined
  const { require: needed } = challenge
  if (needed && !isSame(read(needed.name), needed.equals)) return undefined
  const name = challenge.name ?? challenge.echo
  if (challenge.as === 'HEADER') return { headers: { [name]: value }, body: '' }
  return challenge.as === 'JSON'
    ? { headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify({ [name]: value }) }
    : { headers: { 'content-type': 'text/plain; charset=utf-8' }, body: value }
}

/** The validation of a receiver by CloudEvents (HTTP Web Hooks for Event Delivery, section 4). */
function allowedOrigin(headers: IncomingHttpHeaders): ChallengeAnswer | undefined {
  const origin = headers['webhook-request-origin']
  if (!isPrintable(origin)) return undefined
  const allowed = { 'webhook-allowed-origin': origin, allow: 'POST, OPTIONS' }
  const asksForRate = headers['webhook-request-rate'] !== undefined
  return { headers: asksForRate ? { ...allowed, 'webhook-allowed-rate': '*' } : allowed, body: '' }
}

async function readerOf(
  { query, headers, body }: Challenging,
  place: 'QUERY' | 'BODY' | 'HEADER',
): Promise<(name: string) => unknown> {
  if (place === 'QUERY') return (name) => own(query, name)
  if (place === 'HEADER') return (name) => headers[name.toLowerCase()]
  const data = await body()
  return (path) => valueAt(data, path)
}

/** Returns the value at a path such as `0.data.validationCode`. */
function valueAt(data: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (at, part) =>
        at !== null && typeof at === 'object' ? own(at as Readonly<Record<string, unknown>>, part) : undefined,
      data,
    )
}

function own(values: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

function isSame(given: unknown, expected: string): boolean {
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(expected))
}
