import { randomUUID } from 'node:crypto'

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
  /** Throws when there can be no call; `signal` is aborted when it takes too long. */
  create(call: PlannedCall, signal: AbortSignal): Promise<{ readonly roomId: string }>
  cancel(roomId: string): Promise<void>
  /** Where a browser goes on to the room; null: the page itself is the room. */
  roomUrl(roomId: string): string | null
}

/** Chooses the provider that the configuration names. */
export function createCallProvider(name: CallProviderName, { jitsiBaseUrl }: { readonly jitsiBaseUrl?: string } = {}): CallProvider {
  if (name === 'fail') return failing
  return name === 'jitsi' && jitsiBaseUrl !== undefined ? jitsi(jitsiBaseUrl) : builtin
}

/** Rooms of this service: whether one is open depends on its booking alone, so there is nothing to make or remove. */
const builtin: CallProvider = {
  create: async () => ({ roomId: randomUUID() }),
  cancel: async () => undefined,
  roomUrl: () => null,
}

/** Rooms of a Jitsi server, which exist as soon as somebody enters; the name is the secret. */
function jitsi(baseUrl: string): CallProvider {
  const root = baseUrl.replace(/\/+$/, '')
  return { ...builtin, roomUrl: (roomId) => `${root}/${roomId}` }
}

const failing: CallProvider = {
  create: () => Promise.reject(new Error('CALL_PROVIDER=fail makes no calls')),
  cancel: async () => undefined,
  roomUrl: () => null,
}
