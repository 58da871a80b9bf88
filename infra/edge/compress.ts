import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { Route } from './routes.ts'

/** An answer below this size takes as many packets either way. */
export const compressedFrom = 1024
/** More saves little and costs much time. */
export const brotliQuality = 4
export const gzipLevel = 5
/** The memory of one compression stays below half a megabyte. */
const brotliWindow = 17

/** The types of content that are texts, without parameters. */
export const textTypes = [
  'text/html',
  'text/css',
  'text/plain',
  'text/csv',
  'text/calendar',
  'text/markdown',
  'text/javascript',
  'application/javascript',
  'application/json',
  'application/manifest+json',
  'application/xml',
  'image/svg+xml',
] as const

const isText: ReadonlySet<string> = new Set(textTypes)

/** An answer in the form in which the edge sends it on. */
export interface Packed {
  /** Name, value, name, value. */
  readonly headers: readonly string[]
  /** Undefined for an answer that stays as it is. */
  readonly stream: Transform | undefined
}

/**
 * Compresses an answer for a client that understands it.
 *
 * Streams of events stay as they are: an event would wait for the next one. So do answers that show a secret, because their size would tell of
 * it: answers to requests that may change something, ones that set a cookie, and all of the routes that are marked.
 * @param headers the headers of the answer: name, value, name, value
 */
export function pack(
  { method, headers: asked }: Pick<IncomingMessage, 'method' | 'headers'>,
  { statusCode, headers: given }: Pick<IncomingMessage, 'statusCode' | 'headers'>,
  headers: readonly string[],
  route: Pick<Route, 'secrets' | 'reads'>,
): Packed {
  // A large list comes in slices, without a length. Events do too, but they are no text in this sense.
  const length = given['content-length'] === undefined ? undefined : Number(given['content-length'])
  const mayBePacked =
    (method === 'GET' || method === 'HEAD' || (method === 'POST' && route.reads === true)) &&
    statusCode === 200 &&
    route.secrets !== true &&
    isText.has(given['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '') &&
    given['content-encoding'] === undefined &&
    given['set-cookie'] === undefined &&
    given['content-range'] === undefined &&
    !/\bno-transform\b/i.test(given['cache-control'] ?? '') &&
    (length === undefined || length >= compressedFrom)
  if (!mayBePacked) return { headers, stream: undefined }
  const encoding = encodingFor(asked['accept-encoding'] ?? '')
  const varied = withVary(headers)
  if (encoding === undefined) return { headers: varied, stream: undefined }
  return {
    headers: [...packedHeaders(varied), 'content-encoding', encoding],
    stream: method === 'HEAD' ? undefined : streamOf(encoding, length),
  }
}

type Encoding = 'br' | 'gzip'

/** Returns the best encoding that a client takes (RFC 9110, 12.5.3). */
function encodingFor(accepted: string): Encoding | undefined {
  const weights = new Map(
    accepted.split(',').map((each) => {
      const [name = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase())
      const q = parameters.find((parameter) => parameter.startsWith('q='))
      return [name, q === undefined ? 1 : Number(q.slice(2))] as const
    }),
  )
  const weightOf = (name: Encoding): number => weights.get(name) ?? weights.get('*') ?? 0
  const [best] = (['br', 'gzip'] as const)
    .filter((name) => weightOf(name) > 0)
    .toSorted((a, b) => weightOf(b) - weightOf(a))
  return best
}

function streamOf(encoding: Encoding, length = 0): Transform {
  if (encoding === 'gzip') return createGzip({ level: gzipLevel })
  return createBrotliCompress({
    params: {
      [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
      [constants.BROTLI_PARAM_LGWIN]: brotliWindow,
      [constants.BROTLI_PARAM_SIZE_HINT]: length,
    },
  })
}

/** Other bytes have another length, and are equal in meaning alone. */
function packedHeaders(headers: readonly string[]): readonly string[] {
  return pairsOf(headers).flatMap(([name, value]) => {
    const lowerCased = name.toLowerCase()
    if (lowerCased === 'content-length' || lowerCased === 'accept-ranges') return []
    return lowerCased === 'etag' && !value.startsWith('W/') ? [name, `W/${value}`] : [name, value]
  })
}

function withVary(headers: readonly string[]): readonly string[] {
  const known = pairsOf(headers).filter(([name]) => name.toLowerCase() === 'vary')
  if (known.some(([, value]) => /(^|,)\s*(\*|accept-encoding)\s*(,|$)/i.test(value))) return headers
  return [...headers, 'vary', 'Accept-Encoding']
}

function pairsOf(headers: readonly string[]): readonly (readonly [string, string])[] {
  return Array.from({ length: headers.length / 2 }, (_, at) => [headers[2 * at]!, headers[2 * at + 1]!] as const)
}
