import { freePort as portOfTheSystem } from '../../../infra/local/ports.ts'

/** Below the ports that Linux assigns to outgoing connections and to processes without a chosen port. */
const firstPort = 20_000
const portsPerWorker = 4_000
const workersMax = 3

let given = process.pid * 7

/**
 * Finds a port of 127.0.0.1 for a process that is about to listen there.
 *
 * Until it listens, no other process may get the port, and no connection may begin at it: workers have ranges of their own,
 * and none of them returns a port twice in a row.
 */
export async function freePort(): Promise<number> {
  const worker = (Number(process.env['VITEST_POOL_ID']) || 0) % workersMax
  for (let tries = 0; tries < portsPerWorker; tries += 1) {
    given += 1
    const port = firstPort + worker * portsPerWorker + (given % portsPerWorker)
    if ((await portOfTheSystem(port)) === port) return port
  }
  throw new Error('No free port for a process of a test.')
}
