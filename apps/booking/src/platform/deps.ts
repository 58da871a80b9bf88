import type { Database, Pool, schema } from '@crm/db'
import type { Mailer } from '@crm/mail'
import type { Epochs, RedisConnection } from '@crm/redis'
import type { Clock, Logger } from '@crm/runtime'
import type { CallProvider } from '../rooms/call-provider.ts'
import type { IceConfig } from '../rooms/ice-servers.ts'
import type { RoomBus } from '../rooms/room-bus.ts'

/** The numbers of requests per minute (docs/guide/limits.md). */
export interface BookingLimits {
  /** Create, reschedule and cancel together, by address. */
  readonly writesPerAddress: number
  /** Create, by booking link. */
  readonly createsPerLink: number
  /** Availability and manage reads together, by address. */
  readonly readsPerAddress: number
}

/** Notes of mail that reached all its recipients; notes of the same time share one statement. */
export interface MailOutcomes {
  /** Notes a mail. Resolves when the note is stored or failed to be; in the second case the mail is sent once more. */
  note(mail: typeof schema.bookingMails.$inferSelect): Promise<void>
  /** Waits for the noted mail, because the server does not wait for guests who left without their answer. */
  close(): Promise<void>
}

/** The resources of the booking service; tests supply their own. */
export interface BookingDeps {
  readonly pool: Pool
  readonly db: Database
  readonly redis: RedisConnection
  readonly epochs: Epochs
  readonly clock: Clock
  readonly logger: Logger
  readonly mailer: Mailer
  /** Stores which mail was sent. */
  readonly mailOutcomes: MailOutcomes
  readonly callProvider: CallProvider
  /** Carries the messages between the browsers of a call. */
  readonly rooms: RoomBus
  /** Servers that help the browsers of a call to find each other; none by default. */
  readonly ice?: IceConfig
  readonly trustedProxies: readonly string[]
  /** The requests that a process works on at once; 2,000 by default. */
  readonly requestsAtOnce?: number
  readonly limits?: Partial<BookingLimits>
  /** The deadline for the creation of a call; 5000 by default. */
  readonly callDeadlineMs?: number
  /** The deadline for handing over a message; 10000 by default. */
  readonly mailDeadlineMs?: number
  /** Whether an answer that the contract does not declare is a fault; only tests set it. */
  readonly checkAnswers?: boolean
}
