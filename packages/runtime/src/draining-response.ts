import type { IncomingMessage } from 'node:http'

// An import of the whole module would load the client side of HTTP too, which is four megabytes.
const { ServerResponse } = process.getBuiltinModule('node:http')

/** What a client may still send of a body whose request is answered; beyond that its connection is cut. */
const drain = { bytesMax: 64 * 1024 * 1024, withinMs: 30_000 } as const
/** The rest of a body up to this is on its way already. */
const smallBytesMax = 64 * 1024

/**
 * A response that may come before the body of its request has been read, as for a body that is too large. The client has the answer
 * at once, and the rest of the body is thrown away. Without that the connection would be reset under a client that is still sending,
 * which may then never see the answer, or the next request on the connection would fail.
 *
 * Give it to `http.createServer` as `ServerResponse`.
 */
export class DrainingResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  #isEnded = false

  /** Whether `end` was called, also while the rest of the body is still coming. */
  // @ts-expect-error The types of Node declare a property, and there is an accessor.
  override get writableEnded(): boolean {
    return this.#isEnded
  }

  /** Says that the connection closes when much of a body may still come: not every proxy uses the connection of such a client again. */
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

  /** Says how long the answer is, because its end comes late. */
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

/** How long the body of a request is by its headers, in bytes; one that does not say so may be of any length. */
export function announcedBytes({ headers }: Pick<IncomingMessage, 'headers'>): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity
}

/** Whether more of the body may come. */
function hasMore(request: IncomingMessage): boolean {
  return announcedBytes(request) > 0 && !request.complete && !request.destroyed
}

/** Throws away what is left of a body; false when it was too much or took too long. */
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
    // A client may go away before the end.
    for (const event of ['end', 'close', 'error']) request.once(event, () => stop(true))
    request.resume()
  })
}
