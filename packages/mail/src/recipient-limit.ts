import { createFixedWindow, type RedisConnection } from '@crm/redis'
import { hash } from 'node:crypto'

export interface RecipientLimitOptions {
  readonly redis: RedisConnection
  /** Limits of one name count together, over all processes; that of mail about bookings and records unless told. */
  readonly name?: string
  /** Messages to one address in an hour; 10 unless told. */
  readonly perHour?: number
  /** The same for people of the workspace; 300 unless told. */
  readonly perHourToMember?: number
}

const hourMs = 3_600_000

/** Makes the function that counts a message to an address and says whether it may go; addresses are kept as digests, in any case of letters. */
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
