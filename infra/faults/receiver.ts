import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A customer's server on an address of its own. */
export interface Receiver extends AsyncDisposable {
  readonly url: string
  /** The arrival time of each request, by its path; in milliseconds of `performance.now()`. */
  readonly receivedAtMs: ReadonlyMap<string, number>
  readonly received: () => number
}

/** Starts a server that answers 200, or the given status. */
export async function startReceiver(
  answer: (response: ServerResponse) => void = (response) => void response.end(),
  host = '127.0.8.1',
): Promise<Receiver> {
  const receivedAtMs = new Map<string, number>()
  let received = 0
  const server = createServer((request, response) => {
    received++
    receivedAtMs.set(request.url ?? '', performance.now())
    request.resume()
    answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    receivedAtMs,
    received: () => received,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
