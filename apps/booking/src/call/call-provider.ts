import { createHmac, randomUUID } from 'node:crypto'
import type { RoomBus } from './room-bus.ts'

/** Who may hold the video calls. */
export const callProviders = ['builtin', 'jitsi', 'fail'] as const
export type CallProviderName = (typeof callProviders)[number]

/** What a call is made for. */
export interface PlannedCall {
  readonly bookingId: string
  readonly startAt: string
  readonly endAt: string
}

/** Makes and removes the rooms of video calls; guests reach a room through our own page only. */
export interface CallProvider {
  /** Names a room without asking anybody; providers whose rooms another server has to make have none of it. */
  readonly nameRoom?: () => string
  /** Throws when there can be no call; `signal` is aborted when it takes too long. Asked where `nameRoom` is not there. */
  create(call: PlannedCall, signal: AbortSignal): Promise<{ readonly roomId: string }>
  /** Sends whoever is in the room away. */
  cancel(roomId: string): Promise<void>
  /** Where a browser goes on to a room that closes then; null: the page itself is the room. */
  roomUrl(roomId: string, closesAt: Date): string | null
}

/** A Jitsi server of one's own; with an application id and secret it lets in only whoever shows a signed token. */
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

/** Rooms of this service: whether one is open depends on its booking alone, so there is nothing to make. */
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
  const root = baseUrl.replace(/\/+$/, '')
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

/** A token as Jitsi's token authentication takes it: HS256, for one room, until it closes. */
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
