import { ApiError } from '@crm/errors'
import type { Budget } from '@crm/http'
import type { Workspace } from '@crm/identity'
import { createFixedWindow, workspaceTag } from '@crm/redis'
import type { BookingDeps, BookingLimits } from './deps.ts'
import { countedAddress, workspaceLimits } from '@crm/runtime'

/** One request as the limits see it. */
interface CountedRequest {
  readonly workspace: Pick<Workspace, 'id'>
  /** The operation's key in the contract. */
  readonly operation: string
  readonly address: string
}

/** The limits of the booking API (docs/guide/limits.md). */
export interface Limits {
  /** Counts a request for its address, before any part of it is read. */
  readonly count: (request: CountedRequest) => Promise<Budget>
  /**
   * Performs the booking of a valid request within the share that all guests of a link have together. What is refused uses nothing up:
   * otherwise one visitor could close the link for all others. Throws RATE_LIMITED.
   */
  readonly withinShare: <T>(
    workspace: Pick<Workspace, 'id' | 'limits'>,
    slug: string,
    book: () => Promise<T>,
  ) => Promise<T>
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

/** Makes the limits of the booking API. */
export function createLimits({ redis, limits }: Pick<BookingDeps, 'redis' | 'limits'>): Limits {
  const { writesPerAddress, createsPerLink, readsPerAddress } = { ...usualLimits, ...limits }
  const writeWindow = createFixedWindow({ redis, name: 'booking-write', points: writesPerAddress, windowMs })
  const linkWindow = createFixedWindow({ redis, name: 'booking-link', points: createsPerLink, windowMs })
  const readWindow = createFixedWindow({ redis, name: 'booking-read', points: readsPerAddress, windowMs })

  return {
    count: async ({ workspace, operation, address }) => {
      const byAddress = `${workspaceTag(workspace.id)}:${countedAddress(address)}`
      if (reads.has(operation)) return readWindow.consume(byAddress)
      return writes.has(operation) ? writeWindow.consume(byAddress) : unlimited
    },

    withinShare: async (workspace, slug, book) => {
      const byLink = `${workspaceTag(workspace.id)}:${slug.toLowerCase()}`
      try {
        const { allowed, retryAfterS } = await linkWindow.consume(byLink, workspace.limits['bookings.per-minute'])
        if (!allowed) throw new ApiError('RATE_LIMITED', { retryAfterS })
        return await book()
      } catch (error) {
        await linkWindow.forgive(byLink)
        throw error
      }
    },
  }
}
