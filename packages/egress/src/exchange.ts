import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { productAgent } from '@crm/runtime'
import { OutboundError } from './faults.ts'

/** One request as it leaves; names of headers are lower case. */
export type SendOptions = {
  method: string
  headers: Readonly<Record<string, string>>
  body: string | null
}

const HEADER_BYTES_MAX = 16_384
/** Interim answers (RFC 9110, section 15.2) say nothing; a receiver that sends more of them than this means no good. */
const INTERIM_ANSWERS_MAX = 100

/** What every request says of itself, unless its own headers say otherwise. */
const USUAL_HEADERS = { 'user-agent': productAgent, 'accept-encoding': 'gzip, br' }

/**
 * Sends one request over a fresh connection and returns its final answer, whose body is still to be read.
 *
 * Node's own client passes interim answers over; the signal ends the request and the reading of its answer.
 */
export async function exchange(
  url: URL,
  socket: Socket,
  { method, headers, body }: SendOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  // Most processes never send a request, so the client is loaded on first use.
  const { request: open } = await import('node:http')
  return new Promise((resolve, reject) => {
    const request = open({
      createConnection: () => socket,
      method,
      path: `${url.pathname}${url.search}`,
      headers: {
        host: url.host,
        connection: 'keep-alive',
        ...USUAL_HEADERS,
        ...headers,
        ...(body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      },
      maxHeaderSize: HEADER_BYTES_MAX,
      signal,
    })
    const refuse = (): void => {
      reject(new OutboundError('notHttp'))
      socket.destroy()
    }
    let interim = 0
    request.on('information', () => {
      interim += 1
      if (interim > INTERIM_ANSWERS_MAX) refuse()
    })
    request.once('response', resolve)
    // Nobody asked for another protocol.
    request.once('upgrade', refuse)
    request.on('error', reject)
    request.once('close', () => reject(new OutboundError('hungUp')))
    request.end(body ?? undefined)
  })
}
