import { traced, traceHeaders } from '@crm/runtime'
import { Pool } from 'undici'

/** One call of the CRM API. */
interface CrmApiRequest {
  readonly method: string
  /** The path with its query. */
  readonly path: string
  /** The Host header that names the workspace. */
  readonly host: string
  readonly token: string
  readonly idempotencyKey?: string
  readonly body?: unknown
}

export interface CrmApiAnswer {
  readonly status: number
  readonly body: unknown
  /** The wait in seconds, from `Retry-After`. */
  readonly retryAfterS: number | null
}

/** The CRM API as the dispatcher reaches it, over kept-alive connections. */
export interface CrmApi {
  /** Sends one request; throws when no answer comes. */
  send(request: CrmApiRequest): Promise<CrmApiAnswer>
  close(): Promise<void>
}

const answerTimeoutMs = 30_000

/** Makes the connections to the CRM API at CRM_API_URL. */
export function createCrmApi(baseUrl: string, connections: number): CrmApi {
  const { origin, pathname } = new URL(baseUrl)
  const prefix = pathname.replace(/(?<!\/)\/+$/, '')
  const pool = new Pool(origin, {
    connections,
    headersTimeout: answerTimeoutMs,
    bodyTimeout: answerTimeoutMs,
    connect: { timeout: 5_000 },
  })
  return {
    send: ({ method, path, host, token, idempotencyKey, body }) =>
      traced({ name: `${method} crm-api`, kind: 'client' }, async () => {
        const headers = {
          ...traceHeaders(),
          host,
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        }
        const answer = await pool.request({
          method,
          path: prefix + path,
          headers,
          body: body === undefined ? null : JSON.stringify(body),
        })
        const text = await answer.body.text()
        return {
          status: answer.statusCode,
          body: readJson(text),
          retryAfterS: readSeconds(answer.headers['retry-after']),
        }
      }),
    close: () => pool.destroy(),
  }
}

/** Whether a failed request certainly never reached the CRM API. */
export function neverArrived(error: unknown): boolean {
  const code = (error as { code?: string } | null)?.code ?? ''
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'EHOSTUNREACH', 'ENETUNREACH'].includes(
    code,
  )
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

function readSeconds(header: string | string[] | undefined): number | null {
  const seconds = Number(header)
  return header !== undefined && Number.isFinite(seconds) ? seconds : null
}
