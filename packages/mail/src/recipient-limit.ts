import { createFixedWindow, type RedisConnection } from '@crm/redis'
import { hash } from 'node:crypto'

export interface RecipientLimitOptions {
  readonly redis: RedisConnection
  /** Limits with the same name count together, over all processes; by default the name for mail about bookings and records. */
  readonly name?: string
  /** Messages to one address in an hour; 10 by default. */
  readonly perHour?: number
  /** Messages to one person of the workspace in an hour; 300 by default. */
  readonly perHourToMember?: number
}

const hourMs = 3_600_000

/**
 * Makes the function that counts a message to an address and returns whether it may be sent; addresses are kept as digests, without
 * case.
 */
export function createRecipientLimit({
  redis,
  name = 'mail',
  perHour = 10,
  perHourToMember = 300,
}: RecipientLimitOptions): (address: string, isMember?: boolean) => Promise<boolean> {
  const perRecipient = createFixedWindow({ redis, name, points: perHour, windowMs: hourMs })
  const perMember = createFixedWindow({ redis, name: `${name}-member`, points: perHourToMember, windowMs: hourMs })
  return async (address, isMember = false) =>
    (await (isMember ? perMember : perRecipient).consume(hash('sha256', address.toLowerCase(), 'base64url'))).allowed
}
