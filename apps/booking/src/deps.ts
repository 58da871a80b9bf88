import type { Database, Pool } from '@crm/db'
import type { Mailer } from '@crm/mail'
import type { Epochs, RedisConnection } from '@crm/redis'
import type { Clock, Logger } from '@crm/runtime'
import type { MailOutcomes } from './bookings/mail-outcomes.ts'
import type { CallProvider } from './call/call-provider.ts'
import type { IceConfig } from './call/ice-servers.ts'
import type { RoomBus } from './call/room-bus.ts'

/** The numbers of requests per minute (docs/guide/limits.md). */
export interface BookingLimits {
  /** Create, reschedule and cancel together, by address. */
  readonly writesPerAddress: number
  /** Create, by booking link. */
  readonly createsPerLink: number
  /** Availability and manage reads together, by address. */
  readonly readsPerAddress: number
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
