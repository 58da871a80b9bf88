import { createHmac, randomUUID } from 'node:crypto'
import type { RoomBus } from './room-bus.ts'

/** The providers of video calls. */
export const callProviders = ['builtin', 'jitsi', 'fail'] as const
export type CallProviderName = (typeof callProviders)[number]

/** The meeting that a call is made for. */
interface PlannedCall {
  readonly bookingId: string
  readonly startAt: string
  readonly endAt: string
}

/** Makes and removes the rooms of video calls; guests reach a room only through our own page. */
export interface CallProvider {
  /** Names a room without a request; absent for providers whose rooms another server has to make. */
  readonly nameRoom?: () => string
  /**
   * Creates a room. Throws when there can be no call; `signal` is aborted when it takes too long. Used when `nameRoom`
   * is absent.
   */
  create(call: PlannedCall, signal: AbortSignal): Promise<{ readonly roomId: string }>
  /** Closes a room and sends its members away. */
  cancel(roomId: string): Promise<void>
  /** Returns the address at which a browser enters a room that closes at that time; null when the page itself is the room. */
  roomUrl(roomId: string, closesAt: Date): string | null
}

/** A self-hosted Jitsi server; with an application id and secret it admits only people with a signed token. */
export interface JitsiConfig {
  readonly baseUrl: string
  readonly appId?: string
  readonly appSecret?: string
}

/** Chooses the provider that the configuration names. */
export function createCallProvider(
  name: CallProviderName,
  { rooms, jitsi }: { readonly rooms: RoomBus; readonly jitsi?: JitsiConfig },
): CallProvider {
  if (name === 'fail') return failing
  return name === 'jitsi' && jitsi ? onJitsi(jitsi) : builtin(rooms)
}

/** Rooms of this service: the booking alone decides whether one is open, so no room has to be made. */
function builtin(rooms: RoomBus): CallProvider {
  return {
    nameRoom: () => randomUUID(),
    create: async () => ({ roomId: randomUUID() }),
    cancel: async (roomId) => rooms.say(roomId, { kind: 'closed' }),
    roomUrl: () => null,
  }
}

/** Rooms of a Jitsi server, which exist as soon as somebody enters; the name is the secret. */
function onJitsi({ baseUrl, appId, appSecret }: JitsiConfig): CallProvider {
  const root = baseUrl.replace(/(?<!\/)\/+$/, '')
  return {
    nameRoom: () => randomUUID(),
    create: async () => ({ roomId: randomUUID() }),
    cancel: async () => undefined,
    roomUrl: (roomId, closesAt) => {
      const token =
        appId !== undefined && appSecret !== undefined
          ? signJitsiToken({ appId, appSecret, host: new URL(root).hostname, roomId, closesAt })
          : undefined
      return `${root}/${roomId}${token === undefined ? '' : `?jwt=${token}`}`
    },
  }
}

/** Returns a token for Jitsi's token authentication: HS256, for one room, until it closes. */
function signJitsiToken({
  appId,
  appSecret,
  host,
  roomId,
  closesAt,
}: {
  appId: string
  appSecret: string
  host: string
  roomId: string
  closesAt: Date
}): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { aud: 'jitsi', iss: appId, sub: host, room: roomId, exp: Math.floor(closesAt.getTime() / 1000) }
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${signed}.${createHmac('sha256', appSecret).update(signed).digest('base64url')}`
}

const failing: CallProvider = {
  create: () => Promise.reject(new Error('CALL_PROVIDER=fail makes no calls')),
  cancel: async () => undefined,
  roomUrl: () => null,
}
