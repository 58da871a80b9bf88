import { countedAddress, plainAddress } from '@crm/runtime'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { EdgeBounds } from './bounds.ts'
import type { IsTrusted } from './headers.ts'
import { Places } from './places.ts'

/** The status of a request that is refused unread. */
export type Crowding = 429 | 503

/** The facts by which a request is counted. */
export interface Entering {
  readonly address: string
  readonly isUpgrade: boolean
  /** The credential in the request, valid or not. */
  readonly credential: string | undefined
}

/** Counts the concurrent connections and requests of each client. */
export interface Crowd {
  /** Returns the reason to refuse the connection of a request, if there is one. */
  crowdingOf(socket: Socket): Crowding | undefined
  /**
   * Takes a place for a request, of its client and of its credential; returns the function that releases both, or undefined when one
   * has none left.
   */
  enter(request: Entering): (() => void) | undefined
}

/**
 * Counts the connections and requests of a server by address. The first request on a connection over the limit is answered with the
 * refusal. Connections of trusted proxies carry many clients, so only the requests of these clients are counted.
 */
export function watchCrowd(server: Server, bounds: EdgeBounds, isTrusted: IsTrusted): Crowd {
  const connections = new Places(bounds.connectionsPerAddress)
  // These connections wait for their refusal; without a limit they would allow any number of connections.
  const refused = new Places(bounds.connectionsPerAddress)
  const requests = new Places(bounds.connectionsPerAddress)
  const upgrades = new Places(bounds.upgradesPerAddress)
  // One key or session may be used from many addresses.
  const credentials = new Places(bounds.connectionsPerAddress)
  const crowded = new WeakMap<Socket, Crowding>()
  let open = 0

  server.on('connection', (socket: Socket) => {
    open++
    socket.once('close', () => open--)
    if (bounds.connectionsMax > 0 && open > bounds.connectionsMax) crowded.set(socket, 503)
    const address = plainAddress(socket.remoteAddress ?? '')
    if (isTrusted(address)) return
    const owner = countedAddress(address)
    const leave = connections.take(owner)
    if (leave) return void socket.once('close', leave)
    const leaveRefused = refused.take(owner)
    if (!leaveRefused) return void socket.destroy()
    crowded.set(socket, 429)
    socket.once('close', leaveRefused)
  })
  if (bounds.connectionsMax > 0) server.maxConnections = 2 * bounds.connectionsMax

  return {
    crowdingOf: (socket) => crowded.get(socket),
    enter: ({ address, isUpgrade, credential }) => {
      const leave = (isUpgrade ? upgrades : requests).take(countedAddress(address))
      if (!leave || credential === undefined) return leave
      const leaveCredential = credentials.take(credential)
      if (leaveCredential) return () => (leave(), leaveCredential())
      leave()
      return undefined
    },
  }
}
