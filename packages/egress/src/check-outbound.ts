import type { AddressResolver } from './resolve.ts'
import { readCidr } from './address.ts'
import { areAllowed, dnsResolver, lookUp } from './resolve.ts'
import { readTarget } from './target.ts'

/** The methods that an outbound request may have (docs/guide/webhooks.md). */
export const OUTBOUND_METHODS = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'] as const
export type OutboundMethod = (typeof OUTBOUND_METHODS)[number]

/** What a customer configures: where to send, how, and with which headers. */
export type OutboundSettings = { url: string; method: string; headers?: Readonly<Record<string, string>> }

/** One reason why a request cannot be sent as configured; `path` leads to the setting. */
export type OutboundProblem = { path: string[]; message: string }

/** What the operator allows beyond the internet, as blocks (`10.0.0.0/8`). */
export type Allowance = { allowCidrs?: readonly string[] }

/** Headers that decide how the message is carried; the sender alone sets them. */
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

/** Lists what is wrong with a configured request, without asking the network; for the moment it is saved. */
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

/** What a look-up says of an address: `unknown` when its name has no address now. */
export type AddressJudgement = 'good' | 'refused' | 'unknown'

/** Looks the host of a configured URL up and says whether requests may go there; for the moment it is saved. The answer can change until a request is sent, so sending checks again. */
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
