import type { Socket } from 'node:net'

/** The connections that wait for their next request, those that wait longest first. */
export class IdleConnections {
  /** Bounded: open connections. The number is how much was read when the wait began. */
  readonly #all = new Map<Socket, number>()
  /** Bounded: owners of open connections. */
  readonly #ofOwner = new Map<string, Set<Socket>>()
  readonly #owners = new WeakMap<Socket, string>()

  add(socket: Socket, owner: string): void {
    this.#all.set(socket, socket.bytesRead)
    this.#owners.set(socket, owner)
    this.#ofOwner.set(owner, (this.#ofOwner.get(owner) ?? new Set()).add(socket))
  }

  delete(socket: Socket): void {
    if (!this.#all.delete(socket)) return
    const owner = this.#owners.get(socket) ?? ''
    const others = this.#ofOwner.get(owner)
    others?.delete(socket)
    if (others?.size === 0) this.#ofOwner.delete(owner)
  }

  /** Takes out the connection that waits longest, of one owner or of all; one on which a request has begun to arrive waits no more. */
  take(owner?: string): Socket | undefined {
    const waiting = owner === undefined ? this.#all.keys() : (this.#ofOwner.get(owner) ?? [])
    for (const socket of waiting) {
      if (socket.bytesRead !== this.#all.get(socket)) continue
      this.delete(socket)
      return socket
    }
    return undefined
  }
}
