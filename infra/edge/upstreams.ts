import { lookup } from 'node:dns/promises'
import { setTimeout as waitMs } from 'node:timers/promises'
import { isReady, type Target } from './health.ts'

/** The addresses of each deployable; a name may stand for several. */
export type Targets = Readonly<Record<string, Target | readonly Target[]>>

/** The processes of the deployables, and which of them are to be asked. */
export interface Upstreams {
  /** Returns the addresses that a request to a service may try, best first; a failed name has none. */
  addressesOf(service: string): Promise<readonly Target[]>
  close(): void
}

/** A request tries one address and at most two others. */
export const triesMax = 3
/** Processes come and go: names are resolved and processes are asked at this interval. */
const checkEveryMs = 1_000

/** Spreads requests over the addresses of a service, and leaves out those whose `/readyz` does not say that they are ready. */
export function createUpstreams(targets: Targets): Upstreams {
  // Bounded: the services of the routing table.
  const known = new Map<string, readonly Target[]>()
  // Bounded: the addresses that these have now.
  const away = new Set<string>()
  // Bounded: the services of the routing table.
  const turns = new Map<string, number>()
  const closed = new AbortController()

  const resolve = async ({ host, port }: Target): Promise<readonly Target[]> => {
    const found = await lookup(host, { all: true }).catch(() => [])
    return found.map(({ address }) => ({ host: address, port }))
  }

  const readAll = async (service: string): Promise<readonly Target[]> => {
    const given = targets[service]
    if (given === undefined) throw new Error(`The edge knows no address for ${service}.`)
    const found = (await Promise.all([given].flat().map(resolve))).flat()
    // A name server that fails for a moment takes no process away.
    const addresses = found.length > 0 ? found : (known.get(service) ?? [])
    known.set(service, addresses)
    return addresses
  }

  const check = async (target: Target): Promise<void> => {
    if (await isReady(target)) away.delete(keyOf(target))
    else away.add(keyOf(target))
  }

  // A service with one address is asked in any case, so nothing would follow from a check.
  const checkAll = async (): Promise<void> => {
    const several = await Promise.all(Object.keys(targets).map(readAll))
    const shared = several.filter((addresses) => addresses.length > 1).flat()
    await Promise.all(shared.map(check))
    const present = new Set(shared.map(keyOf))
    for (const key of away) if (!present.has(key)) away.delete(key)
  }

  const keepChecking = async (): Promise<void> => {
    for (;;) {
      await waitMs(checkEveryMs, undefined, { signal: closed.signal, ref: false })
      await checkAll()
    }
  }
  void keepChecking().catch(() => undefined)

  return {
    addressesOf: async (service) => {
      const addresses = known.get(service) ?? (await readAll(service))
      if (addresses.length < 2) return addresses
      const turn = (turns.get(service) ?? 0) % addresses.length
      turns.set(service, turn + 1)
      const inTurn = [...addresses.slice(turn), ...addresses.slice(0, turn)]
      const isAway = (target: Target): boolean => away.has(keyOf(target))
      return [...inTurn.filter((target) => !isAway(target)), ...inTurn.filter(isAway)].slice(0, triesMax)
    },
    close: () => closed.abort(),
  }
}

const keyOf = ({ host, port }: Target): string => `${host}:${port}`
