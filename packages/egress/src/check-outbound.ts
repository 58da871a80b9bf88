import type { AddressResolver } from './resolve.ts'
import { readCidr } from './address.ts'
import { areAllowed, dnsResolver, lookUp } from './resolve.ts'
import { readTarget } from './target.ts'

/** The methods that an outbound request may have (docs/guide/webhooks.md). */
const OUTBOUND_METHODS = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'] as const
export type OutboundMethod = (typeof OUTBOUND_METHODS)[number]

/** The settings of a customer: the destination, the method and the headers. */
export type OutboundSettings = { url: string; method: string; headers?: Readonly<Record<string, string>> }

/** A reason why a request cannot be sent as configured; `path` leads to the setting. */
export type OutboundProblem = { path: string[]; message: string }

/** The operator's additional destinations beyond the internet, as blocks (`10.0.0.0/8`). */
export type Allowance = { allowCidrs?: readonly string[] }

/** Headers of the transport, which only the sender sets. */
const RESERVED_HEADERS = [
  'host',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
]

/** Returns the faults of a configured request, without network access; for the moment of saving. */
export function checkOutbound(
  { url, method, headers = {} }: OutboundSettings,
  { allowCidrs = [] }: Allowance = {},
): OutboundProblem[] {
  const target = readTarget(url, allowCidrs.map(readCidr))
  const problems: OutboundProblem[] = 'fault' in target ? [{ path: ['url'], message: target.fault }] : []
  if (!(OUTBOUND_METHODS as readonly string[]).includes(method)) {
    problems.push({ path: ['method'], message: `The method must be one of ${OUTBOUND_METHODS.join(', ')}.` })
  }
  for (const [name, value] of Object.entries(headers)) {
    const message = headerFault(name, value)
    if (message) problems.push({ path: ['headers', name], message })
  }
  return problems
}

/** The result of a look-up: `unknown` when the name has no address now. */
export type AddressJudgement = 'good' | 'refused' | 'unknown'

/**
 * Looks the host of a configured URL up and judges its addresses; for the moment of saving. Sending checks again, because the result
 * can change.
 */
export async function judgeAddress(
  url: string,
  {
    allowCidrs = [],
    resolver = dnsResolver(),
    timeoutMs = 5_000,
  }: Allowance & { resolver?: AddressResolver; timeoutMs?: number } = {},
): Promise<AddressJudgement> {
  const allowed = allowCidrs.map(readCidr)
  const target = readTarget(url, allowed)
  if ('fault' in target) return 'refused'
  const found = await lookUp(target.host, resolver, AbortSignal.timeout(timeoutMs)).catch(() => [])
  if (found.length === 0) return 'unknown'
  return areAllowed(found, allowed) ? 'good' : 'refused'
}

function headerFault(name: string, value: unknown): string | null {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return 'This is not a valid header name.'
  const lower = name.toLowerCase()
  if (RESERVED_HEADERS.includes(lower) || lower.startsWith('proxy-')) return 'This header is set by the service.'
  if (typeof value !== 'string') return 'The value of a header must be a text.'
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return 'The value of a header must be one line of Latin characters.'
  return null
}
