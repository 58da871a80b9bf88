import type { Operation } from '@crm/contract'

/** The arguments of any call, as the client handles them. */
export interface AnyArguments {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly form?: FormData
  readonly idempotencyKey?: string
  readonly ifMatch?: number | string
  readonly signal?: AbortSignal
}

/** The destination of requests and their credential. */
export interface Target {
  readonly baseUrl: string
  /** An API key, the session cookie of the browser, or nothing. */
  readonly credential?: { readonly apiKey: string } | 'cookie'
}

/** Makes the request of a call; all attempts of a call share one Idempotency-Key. */
export function requestOf(
  operation: Operation,
  args: AnyArguments,
  { baseUrl, credential }: Target,
): { readonly url: string; readonly init: RequestInit } {
  const headers: Record<string, string> = {}
  if (typeof credential === 'object') headers['authorization'] = `Bearer ${credential.apiKey}`
  // The content type of a form names its boundary, which only fetch knows.
  if (operation.body && !args.form) headers['content-type'] = 'application/json'
  if (operation.idempotent) headers['idempotency-key'] = args.idempotencyKey ?? newKey()
  if (args.ifMatch !== undefined)
    headers['if-match'] = typeof args.ifMatch === 'number' ? `"${args.ifMatch}"` : args.ifMatch
  return {
    url:
      baseUrl.replace(/(?<!\/)\/+$/, '') +
      filledPath(operation.path, args.params ?? {}) +
      queryString(args.query ?? {}),
    init: {
      method: operation.method,
      headers,
      body: args.form ?? (operation.body ? JSON.stringify(args.body ?? {}) : undefined),
      credentials: credential === 'cookie' ? 'same-origin' : 'omit',
      signal: args.signal,
    },
  }
}

function filledPath(template: string, params: Readonly<Record<string, string | number>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(params[name] ?? '')
    // A segment of dots would lead to another path.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`The path ${template} needs ${name}`)
    return encodeURIComponent(value)
  })
}

function queryString(query: Readonly<Record<string, unknown>>): string {
  const sent = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  return sent.length === 0 ? '' : `?${new URLSearchParams(sent.map(([name, value]) => [name, String(value)]))}`
}

/** Returns random text; `crypto.randomUUID` is missing in pages that were not loaded over https. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
