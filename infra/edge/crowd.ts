import { countedAddress, plainAddress } from '@crm/runtime'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { EdgeBounds } from './bounds.ts'
import type { IsTrusted } from './headers.ts'
import { Places } from './places.ts'

/** Why a request is refused before anybody looks at it. */
export type Crowding = 429 | 503

/** A request as it is counted. */
export interface Entering {
  readonly address: string
  readonly isUpgrade: boolean
  /** What it shows of a credential, be it valid or not. */
  readonly credential: string | undefined
}

/** Watches how much each client has at once. */
export interface Crowd {
  /** What is wrong with the connection that a request came by. */
  crowdingOf(socket: Socket): Crowding | undefined
  /** Takes a place for a request, of its client and of its credential; gives the function that gives both back, or undefined when one of them has no more. */
  enter(request: Entering): (() => void) | undefined
}

/**
 * Counts the connections and requests of a server by address. A connection that is one too many is told so by the answer to its first
 * request. Connections of trusted proxies are those of many clients, so they are not counted; the requests of these clients are.
 */
export function watchCrowd(server: Server, bounds: EdgeBounds, isTrusted: IsTrusted): Crowd {
  const connections = new Places(bounds.connectionsPerAddress)
  // These wait for their refusal; without a bound they would be a way to have any number of connections.
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
