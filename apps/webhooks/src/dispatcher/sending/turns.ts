import { placesOf } from '@crm/runtime'

/** The limits for running work, and for work that waits in this process. */
export interface TurnBounds {
  readonly total: number
  /** The places of each workspace without a share of its own. */
  readonly perWorkspace: number
  /** The places of each rule or workflow. */
  readonly perOwner: number
  /** The places of each host, by workspace: one workspace does not take another one's places at a host they share. */
  readonly perReceiver: number
  readonly waiting: number
  readonly waitingPerOwner: number
}

/** The workspace, owner and receiver of the work that wants a place. */
export interface Turn {
  readonly workspaceId: string
  /** The id of the rule or workflow. */
  readonly ownerId: string
  /** The percentage of all places that the workspace may have, if it has one of its own. */
  readonly share?: number | null
  /** The host that the request goes to; null for work without a receiver. */
  readonly receiver: string | null
}

/** Gives the place back; a second call has no effect. */
export type Leave = () => void

interface Waiting {
  readonly turn: Turn
  readonly start: (leave: Leave | null) => void
}

/**
 * Places for work, taken in turn.
 *
 * The next free place goes to another workspace than the last one and, within a workspace, to another rule or workflow.
 * Work whose rule or receiver has no free place is passed over, so it delays nobody else.
 */
export class Turns {
  readonly #bounds: TurnBounds
  /** Bounded: what has a place now. */
  readonly #taken = new Map<string, number>()
  /** The waiting work by workspace and by rule or workflow; the first of each is next. Bounded: no more waits than the bounds say. */
  readonly #lines = new Map<string, Map<string, Waiting[]>>()
  #waiting = 0
  #isClosed = false

  constructor(bounds: TurnBounds) {
    this.#bounds = bounds
  }

  /** Waits for a place; null when too much work waits already or no more may begin. */
  async enter(turn: Turn): Promise<Leave | null> {
    const line = this.#lines.get(turn.workspaceId)?.get(turn.ownerId) ?? []
    const isFull = this.#waiting >= this.#bounds.waiting || line.length >= this.#bounds.waitingPerOwner
    if (line.length === 0 && this.#isFree(turn)) return this.enterNow(turn)
    if (this.#isClosed || isFull) return null
    return new Promise((start) => {
      line.push({ turn, start })
      this.#waiting++
      const ofWorkspace = this.#lines.get(turn.workspaceId) ?? new Map<string, Waiting[]>()
      this.#lines.set(turn.workspaceId, ofWorkspace.set(turn.ownerId, line))
      this.#startNext()
    })
  }

  /** Takes a place that is free now; null when there is none. */
  enterNow(turn: Turn): Leave | null {
    if (this.#isClosed || !this.#isFree(turn)) return null
    const keys = this.#keysOf(turn).map(([key]) => key)
    for (const key of keys) this.#taken.set(key, this.#takenOf(key) + 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      for (const key of keys) this.#giveBack(key)
      this.#startNext()
    }
  }

  /** Dismisses all waiting work; no more begins. */
  close(): void {
    this.#isClosed = true
    const waiting = [...this.#lines.values()].flatMap((owners) => [...owners.values()].flat())
    this.#lines.clear()
    this.#waiting = 0
    for (const { start } of waiting) start(null)
  }

  #startNext(): void {
    for (let next = this.#takeNext(); next; next = this.#takeNext()) next.start(this.enterNow(next.turn))
  }

  /** Takes the first work that has a place; its workspace and its rule or workflow go behind all others. */
  #takeNext(): Waiting | undefined {
    for (const [workspaceId, owners] of this.#lines) {
      for (const [ownerId, line] of owners) {
        const at = line.findIndex(({ turn }) => this.#isFree(turn))
        if (at < 0) continue
        const [next] = line.splice(at, 1)
        this.#waiting--
        owners.delete(ownerId)
        if (line.length > 0) owners.set(ownerId, line)
        this.#lines.delete(workspaceId)
        if (owners.size > 0) this.#lines.set(workspaceId, owners)
        return next
      }
    }
    return undefined
  }

  #isFree(turn: Turn): boolean {
    return this.#keysOf(turn).every(([key, bound]) => this.#takenOf(key) < bound)
  }

  #keysOf({ workspaceId, ownerId, share, receiver }: Turn): (readonly [string, number])[] {
    const { total, perWorkspace, perOwner, perReceiver } = this.#bounds
    return [
      ['all', total],
      [`workspace ${workspaceId}`, typeof share === 'number' ? placesOf(total, share) : perWorkspace],
      [`owner ${workspaceId} ${ownerId}`, perOwner],
      ...(receiver === null ? [] : [[`receiver ${workspaceId} ${receiver}`, perReceiver] as const]),
    ]
  }

  #takenOf(key: string): number {
    return this.#taken.get(key) ?? 0
  }

  #giveBack(key: string): void {
    const left = this.#takenOf(key) - 1
    if (left > 0) this.#taken.set(key, left)
    else this.#taken.delete(key)
  }
}
