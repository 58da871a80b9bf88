import { countedAddress, plainAddress } from '@crm/runtime'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { EdgeBounds } from './bounds.ts'
import type { IsTrusted } from './headers.ts'
import { IdleConnections } from './idle-connections.ts'
import { Places } from './places.ts'

/** The status of a request that is refused unread. */
export type Crowding = 429 | 503

/** The facts by which a request is counted. */
interface Entering {
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

/** A connection that counts towards those of its address. */
interface Counted {
  readonly owner: string
  /** The requests under way on it. */
  requests: number
  leave(): void
}

/**
 * Counts the connections and requests of a server by address. Browsers keep several connections open that they may need again: one that waits for
 * its next request gives its place to a new one, so an office behind one address is refused only for what is under way. The first request on a connection over the limit is answered with the
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
  const idle = new IdleConnections()
  const counted = new WeakMap<Socket, Counted>()
  let open = 0

  /** Closes the connection that waits longest for its next request, of one address or of all; returns whether there was one. */
  const closeIdle = (owner?: string): boolean => {
    const socket = idle.take(owner)
    if (!socket) return false
    counted.get(socket)?.leave()
    socket.destroy()
    return true
  }

  server.on('connection', (socket: Socket) => {
    open++
    let hasLeft = false
    const leaveAll = (): void => {
      if (!hasLeft) open--
      hasLeft = true
    }
    socket.once('close', () => {
      leaveAll()
      idle.delete(socket)
    })
    if (bounds.connectionsMax > 0 && open > bounds.connectionsMax && !closeIdle()) crowded.set(socket, 503)
    const address = plainAddress(socket.remoteAddress ?? '')
    if (isTrusted(address)) return
    const owner = countedAddress(address)
    const leave = connections.take(owner) ?? (closeIdle(owner) ? connections.take(owner) : undefined)
    if (leave) {
      counted.set(socket, { owner, requests: 0, leave: () => (leave(), leaveAll()) })
      return void socket.once('close', leave)
    }
    const leaveRefused = refused.take(owner)
    if (!leaveRefused) return void socket.destroy()
    crowded.set(socket, 429)
    socket.once('close', leaveRefused)
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = counted.get(socket)
    if (!connection) return
    idle.delete(socket)
    connection.requests++
    response.once('close', () => {
      if (--connection.requests === 0 && !socket.destroyed) idle.add(socket, connection.owner)
    })
  })
  server.on('upgrade', ({ socket }: IncomingMessage) => idle.delete(socket))
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
