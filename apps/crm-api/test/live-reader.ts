import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ApiUnderTest } from './harness.ts'

/** One event of a stream. */
interface LiveEvent {
  readonly event: string
  readonly id: string
  // The assertions of the tests check the content of an event.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any
}

/** A stream of events as its reader sees it. */
export interface LiveReader {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** The events so far, without beats. */
  readonly events: readonly LiveEvent[]
  /** The answer without a stream. */
  body(): Promise<string>
  /** Waits until an event fits. */
  until(fits: (event: LiveEvent) => boolean): Promise<LiveEvent>
  /** Waits until the server ends the stream. */
  ended(): Promise<void>
  /** Stops taking bytes from the connection. */
  pause(): void
  close(): void
}

/** The parts of a request for a stream. */
export interface LiveRequest {
  readonly host: string
  readonly cookie?: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Opens a stream of changes over a connection of its own. */
export async function openLive(
  { app }: Pick<ApiUnderTest, 'app'>,
  { host, cookie, query = '', headers = {} }: LiveRequest,
): Promise<LiveReader> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const asked = request({
    host: '127.0.0.1',
    port,
    path: `/api/events/stream${query}`,
    agent: false,
    headers: { host, ...(cookie ? { cookie } : {}), ...headers },
  })
  asked.end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  const events: LiveEvent[] = []
  let text = ''
  const ended = new Promise<void>((resolve) => response.once('close', resolve))
  response.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
    const blocks = text.split('\n\n')
    if (response.headers['content-type']?.startsWith('text/event-stream') !== true) return
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)]),
      )
      const data = fields.get('data')
      if (data !== undefined)
        events.push({ event: fields.get('event') ?? '', id: fields.get('id') ?? '', data: JSON.parse(data) })
    }
    response.emit('read')
  })
  response.on('error', () => undefined)
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    body: async () => (await ended, text),
    until: async (fits) => {
      for (;;) {
        const found = events.find(fits)
        if (found) return found
        if (response.closed) throw new Error(`The stream ended without it: ${JSON.stringify(events)}`)
        await Promise.race([once(response, 'read'), ended])
      }
    },
    ended: () => ended,
    pause: () => void response.pause(),
    close: () => void asked.destroy(),
  }
}
