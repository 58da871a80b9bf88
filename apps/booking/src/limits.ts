import type { Budget } from '@crm/http'
import type { Workspace } from '@crm/identity'
import { createFixedWindow, workspaceTag } from '@crm/redis'
import type { BookingDeps, BookingLimits } from './deps.ts'
import { countedAddress, workspaceLimits } from '@crm/runtime'

/** One request as the limits see it. */
export interface CountedRequest {
  readonly workspace: Pick<Workspace, 'id' | 'limits'>
  /** The operation's key in the contract. */
  readonly operation: string
  readonly address: string
  readonly slug?: string
}

const usualLimits: BookingLimits = {
  writesPerAddress: 30,
  createsPerLink: workspaceLimits['bookings.per-minute'].usual,
  readsPerAddress: 120,
}
const windowMs = 60_000
const unlimited: Budget = { allowed: true, retryAfterS: 0 }

const writes = new Set(['create', 'reschedule', 'cancel'])
const reads = new Set(['availability', 'manage'])

/** Makes the function that counts a request before any part of it is read (docs/guide/limits.md). */
export function createLimits({
  redis,
  limits,
}: Pick<BookingDeps, 'redis' | 'limits'>): (request: CountedRequest) => Promise<Budget> {
  const { writesPerAddress, createsPerLink, readsPerAddress } = { ...usualLimits, ...limits }
  const writeWindow = createFixedWindow({ redis, name: 'booking-write', points: writesPerAddress, windowMs })
  const linkWindow = createFixedWindow({ redis, name: 'booking-link', points: createsPerLink, windowMs })
  const readWindow = createFixedWindow({ redis, name: 'booking-read', points: readsPerAddress, windowMs })

  return async ({ workspace, operation, address, slug = '' }) => {
    const tag = workspaceTag(workspace.id)
    const byAddress = `${tag}:${countedAddress(address)}`
    if (reads.has(operation)) return readWindow.consume(byAddress)
    if (!writes.has(operation)) return unlimited
    if (operation !== 'create') return writeWindow.consume(byAddress)
    // Both counts take one round trip.
    const byLink = `${tag}:${slug.toLowerCase()}`
    const [ofAddress, ofLink] = await Promise.all([
      writeWindow.consume(byAddress),
      linkWindow.consume(byLink, workspace.limits['bookings.per-minute']),
    ])
    if (ofAddress.allowed) return ofLink
    // An address over its own limit uses up nothing of the link's limit.
    await linkWindow.forgive(byLink)
    return ofAddress
  }
}
