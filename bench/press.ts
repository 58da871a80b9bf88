import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { measure, type Load } from './load.ts'

/** A workspace whose lists are asked. */
export interface Press {
  readonly on: Load['on']
  readonly host: string
  readonly keys: readonly string[]
  readonly connections: number
  readonly seconds: number
  /** The most requests a second; without it each connection sends its next one at once. */
  readonly perSecondMax?: number
}

/** The first page of leads, by a key after the other. */
export function listsOf({ on, host, keys }: Press): Load {
  return {
    on,
    status: 200,
    request: (n) => ({
      path: '/api/leads?pageSize=50',
      headers: { host, authorization: `Bearer ${keys[n % keys.length]}` },
    }),
  }
}

if (!isMainThread) {
  const press = workerData as Press
  const { perSecond } = await measure(listsOf(press), press.connections, press.seconds, press.perSecondMax)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is a thread, not a window
  parentPort?.postMessage(perSecond)
}
