import { openAnother, type RedisConnection } from '@crm/redis'
import { randomUUID } from 'node:crypto'

/** A message between members of a room, carried by their sockets. */
export type RoomMessage =
  | { readonly kind: 'hello' | 'bye'; readonly from: string }
  | { readonly kind: 'here'; readonly from: string; readonly to: string }
  | { readonly kind: 'signal'; readonly from: string; readonly to: string; readonly data: unknown }
  | { readonly kind: 'closed' }

type Listener = (message: RoomMessage) => void

/** Carries the messages of rooms between the sockets of all processes; without Redis, between the sockets of this process. */
export interface RoomBus {
  /** Listens to a room until the returned function is called. */
  join(roomId: string, listener: Listener): Promise<() => void>
  /** Sends a message to everybody in a room. */
  say(roomId: string, message: RoomMessage): void
  close(): void
}

/** The version of the messages between processes; those of another one are left to processes that know them. */
const version = 1

interface Envelope {
  readonly version: typeof version
  readonly origin: string
  readonly message: RoomMessage
}

const channelOf = (roomId: string): string => `call:${roomId}`

/** Returns a message of this version, undefined for every other text. */
function readEnvelope(text: string): Envelope | undefined {
  try {
    const read = JSON.parse(text) as Partial<Envelope> | null
    return read?.version === version ? (read as Envelope) : undefined
  } catch {
    return undefined
  }
}

/** Makes the bus of one process. */
export function createRoomBus(redis: RedisConnection): RoomBus {
  const origin = randomUUID()
  // Bounded: the rooms whose members are connected now.
  const listeners = new Map<string, Set<Listener>>()
  const subscriber = redis.client && openAnother(redis.client)
  const deliver = (channel: string, message: RoomMessage) => {
    for (const listener of listeners.get(channel) ?? []) listener(message)
  }
  // A subscription that fails now is made when the connection is back.
  const subscribe = (...channels: string[]) => subscriber?.subscribe(...channels).catch(() => undefined)
  subscriber?.on('error', () => undefined)
  subscriber?.on('ready', () => void (listeners.size > 0 && subscribe(...listeners.keys())))
  subscriber?.on('message', (channel: string, text: string) => {
    const envelope = readEnvelope(text)
    if (envelope && envelope.origin !== origin) deliver(channel, envelope.message)
  })
  void subscriber?.connect().catch(() => undefined)

  return {
    join: async (roomId, listener) => {
      const channel = channelOf(roomId)
      const present = listeners.get(channel) ?? new Set()
      listeners.set(channel, present.add(listener))
      await subscribe(channel)
      return () => {
        present.delete(listener)
        if (present.size > 0) return
        listeners.delete(channel)
        void subscriber?.unsubscribe(channel).catch(() => undefined)
      }
    },
    say: (roomId, message) => {
      const channel = channelOf(roomId)
      deliver(channel, message)
      if (redis.isReady())
        redis.client
          ?.publish(channel, JSON.stringify({ version, origin, message } satisfies Envelope))
          .catch(() => undefined)
    },
    close: () => subscriber?.disconnect(),
  }
}
