import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** An answer as received. */
export interface RawAnswer {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** A connection for requests written byte by byte, so that no client library hides how they are answered. */
export interface RawClient {
  /** Resolves when the bytes are sent; a closed connection accepts no more, and `ended` reports its end. */
  send(...pieces: readonly (string | Buffer)[]): Promise<void>
  /** Returns the next answer that is not an interim one; rejects when the connection ends before. */
  next(): Promise<RawAnswer>
  /** Resolves when the other side has closed the connection: with an error code when it was reset. */
  readonly ended: Promise<string | undefined>
  close(): void
}

/** Connects to a server on loopback. */
export function connectRaw(port: number, from = '127.0.0.1'): RawClient {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  const { promise: ended, resolve: end } = Promise.withResolvers<string | undefined>()
  let error: string | undefined
  socket.on('error', (fault: NodeJS.ErrnoException) => (error = fault.code))
  socket.on('close', () => end(error))
  const answers = answersOf(socket)
  return {
    send: async (...pieces) => {
      for (const piece of pieces)
        if (!socket.destroyed && !socket.write(piece))
          await Promise.race([once(socket, 'drain').catch(() => undefined), ended])
    },
    next: async () => {
      const { value, done } = await answers.next()
      if (done) throw new Error(`The connection ended (${error ?? 'by itself'}) before the answer`)
      return value
    },
    ended,
    close: () => void socket.destroy(),
  }
}

function answersOf(socket: Socket): AsyncGenerator<RawAnswer, void> {
  const arrived: string[] = []
  let isOver = false
  let wake: () => void = () => undefined
  socket.on('data', (chunk: Buffer) => {
    arrived.push(chunk.toString('latin1'))
    wake()
  })
  socket.on('close', () => {
    isOver = true
    wake()
  })
  async function* parsed(): AsyncGenerator<RawAnswer, void> {
    let received = ''
    for (;;) {
      received += arrived.splice(0).join('')
      const answer = firstOf(received)
      if (answer) {
        received = received.slice(answer.length)
        if (answer.status >= 200) yield answer
      } else if (isOver) {
        return
      } else {
        await new Promise<void>((resolve) => (wake = resolve))
      }
    }
  }
  return parsed()
}

function firstOf(received: string): (RawAnswer & { readonly length: number }) | undefined {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const head = received.slice(0, headEnd)
  const status = Number(head.split(' ')[1])
  const from = headEnd + 4
  if (status < 200 || status === 204 || status === 304) return { status, head, body: '', length: from }
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length !== undefined) {
    const body = received.slice(from, from + Number(length))
    return body.length === Number(length) ? { status, head, body, length: from + body.length } : undefined
  }
  return firstChunked(received.slice(from), { status, head, from })
}

function firstChunked(
  rest: string,
  { status, head, from }: { readonly status: number; readonly head: string; readonly from: number },
): (RawAnswer & { readonly length: number }) | undefined {
  let body = ''
  let at = 0
  for (;;) {
    const lineEnd = rest.indexOf('\r\n', at)
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(rest.slice(at, lineEnd), 16)
    const next = lineEnd + 2 + size + 2
    if (Number.isNaN(size) || rest.length < next) return undefined
    if (size === 0) return { status, head, body, length: from + next }
    body += rest.slice(lineEnd + 2, lineEnd + 2 + size)
    at = next
  }
}
