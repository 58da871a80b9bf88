import type { FrozenRequest } from '@crm/db'
import { DELIVERY_ERRORS, type Delivered, type Egress, type OutboundRequest } from '@crm/egress'
import type { Logger } from '@crm/runtime'
import { unreadableHeaders, type SecretPlace } from '@crm/secrets'
import type { Circuits } from './circuits.ts'

/** Sends requests and remembers receivers that do not answer. */
export interface Sender {
  /** Returns how long a request to an address has to wait for a receiver that does not answer; 0 sends it now. */
  waitMs(workspaceId: string, url: string): number
  /**
   * Sends one request, once, and does not throw. The delivery log shows its text about a failure.
   * @param headers where the values of its headers were sealed
   */
  send(workspaceId: string, request: FrozenRequest, headers: SecretPlace): Promise<Delivered>
}

/** Makes a sender; a receiver is a host in the view of one workspace. */
export function createSender({
  egress,
  circuits,
  count,
  open,
  logger,
}: {
  readonly egress: Egress
  readonly circuits: Circuits
  /** Counts a request by its outcome. */
  readonly count: (outcome: 'succeeded' | 'failed') => void
  /** Opens the values of the headers of a request. */
  readonly open: (place: SecretPlace, request: FrozenRequest) => Promise<FrozenRequest>
  readonly logger: Logger
}): Sender {
  return {
    waitMs: (workspaceId, url) => circuits.waitMs(receiverKey(workspaceId, url), performance.now()),
    send: async (workspaceId, request, headers) => {
      const opened = await open(headers, request).catch((error: unknown) => error)
      if (opened instanceof Error) {
        logger.error({ err: opened }, 'the headers of a request cannot be opened')
        count('failed')
        return { ok: false, status: null, durationMs: 0, responseBody: '', truncated: false, error: unreadableHeaders }
      }
      const receiver = receiverKey(workspaceId, request.url)
      const sentAtMs = performance.now()
      const delivered = await egress.send(opened as OutboundRequest)
      count(delivered.ok ? 'succeeded' : 'failed')
      if (delivered.error !== DELIVERY_ERRORS.timedOut) {
        circuits.answered(receiver)
        return delivered
      }
      const pauseMs = circuits.timedOut(receiver, { sentAtMs, nowMs: performance.now() })
      return pauseMs === null ? delivered : { ...delivered, error: `${delivered.error} ${triedLater(pauseMs)}` }
    },
  }
}

/** Returns the host of an address; the address itself when it has none, and sending then refuses it. */
export function receiverOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

function receiverKey(workspaceId: string, url: string): string {
  return `${workspaceId} ${receiverOf(url)}`
}

function triedLater(pauseMs: number): string {
  return `The receiver has left several requests in a row without an answer. It is tried again after ${Math.round(pauseMs / 1_000)} seconds; what is to be sent there waits until then.`
}
