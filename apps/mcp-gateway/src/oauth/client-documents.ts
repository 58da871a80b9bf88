import { OutboundError, type Egress } from '@crm/egress'
import { OAuthError } from './oauth-error.ts'
import { readRegistration, type NewClient } from './registration.ts'

/** What a document says of its client, and for how long. */
export interface ClientDocument extends NewClient {
  readonly freshMs: number
}

const minuteMs = 60_000
const freshMsMin = 5 * minuteMs
const freshMsMax = 24 * 60 * minuteMs
const urlCharactersMax = 500

/** The longest answer that is read of a document, and the time that it may take (docs/guide/access.md). */
export const documentBytesMax = 64 * 1024
export const documentTimeoutMs = 5_000

/** Whether a client calls itself by the address of a document: https with a path, as it is written in one way only. */
export function isDocumentUrl(id: string): boolean {
  if (id.length > urlCharactersMax || !id.startsWith('https://') || !URL.canParse(id)) return false
  const { href, pathname, hash, username, password } = new URL(id)
  return href === id && pathname !== '/' && hash === '' && !id.includes('#') && username === '' && password === ''
}

/**
 * Reads the document of a client (OAuth Client ID Metadata Document).
 *
 * @throws {OAuthError} invalid_client, when there is none that names this very client
 */
export async function readDocument(egress: Pick<Egress, 'fetch'>, url: string): Promise<ClientDocument> {
  const answer = await egress.fetch(url, { method: 'GET', headers: { accept: 'application/json' } }).catch(refuse)
  if (answer.status !== 200) throw notRead(`it answered ${answer.status}`)
  const document: unknown = await answer.json().catch(() => undefined)
  if (document === null || typeof document !== 'object' || Array.isArray(document)) throw notRead('it is not JSON')
  if (!('client_id' in document) || document.client_id !== url) throw notRead('it names another client')
  return { ...readClient(document), freshMs: freshMsIn(answer.headers.get('cache-control') ?? '') }
}

function readClient(document: object): NewClient {
  try {
    return readRegistration(document)
  } catch (error) {
    throw error instanceof OAuthError ? notRead(error.message) : error
  }
}

function refuse(error: unknown): never {
  throw error instanceof OutboundError ? notRead('it cannot be reached') : error
}

const notRead = (reason: string): OAuthError =>
  new OAuthError('invalid_client', `The document of the client does not count: ${reason}`)

/** Returns for how long an answer may be kept, within bounds of our own. */
function freshMsIn(cacheControl: string): number {
  if (/no-store|no-cache/i.test(cacheControl)) return freshMsMin
  const [, seconds] = /max-age=(\d{1,9})/i.exec(cacheControl) ?? []
  return Math.min(freshMsMax, Math.max(freshMsMin, Number(seconds ?? 0) * 1_000))
}
