import type { Database, Pool } from '@crm/db'
import type { Mailer } from '@crm/mail'
import type { Epochs, RedisConnection } from '@crm/redis'
import type { Clock, Logger } from '@crm/runtime'
import type { MailOutcomes } from './bookings/mail-outcomes.ts'
import type { CallProvider } from './call/call-provider.ts'
import type { IceConfig } from './call/ice-servers.ts'
import type { RoomBus } from './call/room-bus.ts'

/** How many requests a minute takes (docs/guide/limits.md). */
export interface BookingLimits {
  /** Create, reschedule and cancel together, by address. */
  readonly writesPerAddress: number
  /** Create, by booking link. */
  readonly createsPerLink: number
  /** Availability and manage reads together, by address. */
  readonly readsPerAddress: number
}

/** What the booking service works with; tests give their own. */
export interface BookingDeps {
  readonly pool: Pool
  readonly db: Database
  readonly redis: RedisConnection
  readonly epochs: Epochs
  readonly clock: Clock
  readonly logger: Logger
  readonly mailer: Mailer
  /** Keeps what went. */
  readonly mailOutcomes: MailOutcomes
  readonly callProvider: CallProvider
  /** Carries what the browsers of a call say to each other. */
  readonly rooms: RoomBus
  /** Servers that help the browsers of a call to find each other; none unless told. */
  readonly ice?: IceConfig
  readonly trustedProxies: readonly string[]
  readonly limits?: Partial<BookingLimits>
  /** How long the call may take to be created; 5000 unless told. */
  readonly callDeadlineMs?: number
  /** How long a message may take to be handed over; 10000 unless told. */
  readonly mailDeadlineMs?: number
  /** Whether an answer that the contract does not declare is a fault; tests alone give it. */
  readonly checkAnswers?: boolean
}
