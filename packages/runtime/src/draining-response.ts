import type { IncomingMessage } from 'node:http'

// An import of the whole module would also load the HTTP client, which takes four megabytes.
const { ServerResponse } = process.getBuiltinModule('node:http')

/** The rest of a body that is accepted after the answer; beyond that the connection is closed. */
const drain = { bytesMax: 64 * 1024 * 1024, withinMs: 30_000 } as const
/** A remaining body up to this size is on its way already. */
const smallBytesMax = 64 * 1024

/**
 * A response that may precede the end of its request's body, as for a body that is too large. The client has the answer
 * at once, and the rest of the body is discarded. Otherwise the connection would be reset under a client that is still sending,
 * which might then never see the answer, or the next request on the connection would fail.
 *
 * Pass it to `http.createServer` as `ServerResponse`.
 */
export class DrainingResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  #isEnded = false

  /** Whether `end` was called, even while the rest of the body is still arriving. */
  // @ts-expect-error The types of Node declare a property instead of an accessor.
  override get writableEnded(): boolean {
    return this.#isEnded
  }

  /** Announces that the connection closes when much of a body may still come: not every proxy reuses the connection of such a client. */
  override writeHead(statusCode: number, ...rest: unknown[]): this {
    if (!this.headersSent && hasMore(this.req) && announcedBytes(this.req) > smallBytesMax)
      this.setHeader('connection', 'close')
    return super.writeHead(statusCode, ...(rest as []))
  }

  override end(...given: unknown[]): this {
    if (this.#isEnded) return this
    this.#isEnded = true
    if (this.destroyed || !hasMore(this.req)) return super.end(...(given as []))
    const content = given[0] instanceof Uint8Array || typeof given[0] === 'string' ? given[0] : undefined
    const encoding = typeof given[1] === 'string' ? (given[1] as BufferEncoding) : 'utf8'
    this.#announceLength(content === undefined ? 0 : Buffer.byteLength(content, encoding))
    if (content === undefined) this.flushHeaders()
    else this.write(content, encoding)
    void this.#endAfterBody(given.find((one) => typeof one === 'function') as (() => void) | undefined)
    return this
  }

  /** Announces the length of the answer, because its end comes late. */
  #announceLength(bytes: number): void {
    const isFramed =
      this.headersSent ||
      this.hasHeader('content-length') ||
      this.hasHeader('transfer-encoding') ||
      this.statusCode === 204 ||
      this.statusCode === 304
    if (!isFramed) this.setHeader('content-length', bytes)
  }

  async #endAfterBody(done: (() => void) | undefined): Promise<void> {
    if (!(await readToEnd(this.req))) this.req.destroy()
    super.end(done)
  }
}

/** Returns the announced length of a request's body in bytes; a body without an announced length may be of any size. */
export function announcedBytes({ headers }: Pick<IncomingMessage, 'headers'>): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity
}

/** Whether more of the body may come. */
function hasMore(request: IncomingMessage): boolean {
  return announcedBytes(request) > 0 && !request.complete && !request.destroyed
}

/** Discards the rest of a body; false when it was too large or too slow. */
function readToEnd(request: IncomingMessage): Promise<boolean> {
  return new Promise((resolve) => {
    let bytes = 0
    const deadline = setTimeout(() => stop(false), drain.withinMs)
    const count = (chunk: Uint8Array): void => {
      bytes += chunk.length
      if (bytes > drain.bytesMax) stop(false)
    }
    const stop = (isOver: boolean): void => {
      clearTimeout(deadline)
      request.off('data', count)
      resolve(isOver)
    }
    request.on('data', count)
    // A client may disconnect before the end.
    for (const event of ['end', 'close', 'error']) request.once(event, () => stop(true))
    request.resume()
  })
}
