import type { AnyPorts, Exchange } from './exchange.ts'

/**
 * Does the work of a request where its operation may be worked on: reads that may lag on a replica, everything else on the primary. A
 * read that fails on a replica is repeated on the primary, and a change is noted before it is answered.
 */
export async function withReplicas<T>(exchange: Exchange, ports: AnyPorts, work: () => Promise<T>): Promise<T> {
  const { operation } = exchange.declared
  if (operation.mayLag) return readLate(exchange, ports, work)
  if (operation.method === 'GET' || operation.readOnly || !ports.noteChange) return work()
  try {
    return await work()
  } finally {
    await ports.noteChange(exchange)
  }
}

async function readLate<T>(exchange: Exchange, ports: AnyPorts, work: () => Promise<T>): Promise<T> {
  const use = await ports.useReplica?.(exchange)
  if (!use) return work()
  try {
    return await work()
  } catch (error) {
    // A refusal may be late too: what it misses may be there by now.
    use.giveUp(error)
    return work()
  }
}
