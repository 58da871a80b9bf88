import { createDatabase, createPool, newId, schema, type Database } from '@crm/db'
import type { MailMessage } from '@crm/mail'
import { connectRedis, createEpochs, type Epochs, type RedisConnection } from '@crm/redis'
import { createLogger, fixedClock, type FixedClock } from '@crm/runtime'
import {
  createTestWorkspace,
  serviceLog,
  testDatabase,
  testRedis,
  type TestWorkspace,
  asDeployable,
} from '@crm/testkit'
import type { FastifyInstance } from 'fastify'
import { afterAll } from 'vitest'
import { mailerTo } from '@crm/testkit/mailer'
import { createBookingApp } from '../src/app.ts'
import { createMailOutcomes } from '../src/bookings/mail-outcomes.ts'
import { createCallProvider } from '../src/rooms/call-provider.ts'
import { createRoomBus, type RoomBus } from '../src/rooms/room-bus.ts'
import type { BookingDeps } from '../src/platform/deps.ts'

/** A Monday morning, long before the offices of Berlin open. */
export const mondayMorning = '2026-06-01T04:00:00.000Z'

export interface Answer {
  readonly status: number
  // The assertions of the tests describe the contents of an answer.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
  readonly headers: Readonly<Record<string, unknown>>
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'OPTIONS' | 'PUT'
  /** The path after `/api/public/booking/`, or a path from the root. */
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface TestLink {
  readonly id: string
  readonly slug: string
  readonly organizerId: string
}

export interface BookingUnderTest {
  readonly app: FastifyInstance
  readonly db: Database
  readonly clock: FixedClock
  readonly redis: RedisConnection
  readonly epochs: Epochs
  readonly rooms: RoomBus
  readonly redisUrl: string
  readonly database: Awaited<ReturnType<typeof testDatabase>>
  readonly workspace: TestWorkspace
  /** The mail so far, the latest last. */
  readonly mails: MailMessage[]
  call(call: Call, at?: TestWorkspace): Promise<Answer>
  newWorkspace(): Promise<TestWorkspace>
  link(values?: Partial<typeof schema.bookingLinks.$inferInsert>, at?: TestWorkspace): Promise<TestLink>
  /** Returns the resources of an instance with other parts, for work that no request starts. */
  depsWith(deps: Partial<BookingDeps>): BookingDeps
  /** Starts another instance of the service on the same database, with other parts. */
  instance(deps: Partial<BookingDeps>): FastifyInstance
}

const manyRequests = { writesPerAddress: 1e9, createsPerLink: 1e9, readsPerAddress: 1e9 }
const workdays = [1, 2, 3, 4, 5].map((day) => ({ day, start: '09:00', end: '17:00' }))

/** Starts the booking service with a database of this file's own, mail kept in memory and limits that nobody reaches. */
export async function bookingUnderTest(overrides: Partial<BookingDeps> = {}): Promise<BookingUnderTest> {
  const database = await testDatabase()
  const owner = createPool({ databaseUrl: database.ownerUrl, max: 4, applicationName: 'test-owner' })
  const pool = createPool({
    databaseUrl: database.urlFor('crm_booking'),
    max: 12,
    applicationName: 'test-booking',
    ...asDeployable,
  })
  const { url: redisUrl } = await testRedis()
  const redis = await connectRedis(redisUrl, { role: 'test' })
  const epochs = createEpochs(redis)
  const clock = fixedClock(new Date(mondayMorning))
  const db = createDatabase(owner)
  const mails: MailMessage[] = []
  const apps: FastifyInstance[] = []
  const rooms = createRoomBus(redis)
  const logger = createLogger({ name: 'booking', level: 'info', destination: serviceLog() })
  const mailOutcomes = createMailOutcomes({ db: createDatabase(pool), logger })

  const depsWith = (deps: Partial<BookingDeps>): BookingDeps => ({
    pool,
    db: createDatabase(pool),
    redis,
    epochs,
    clock,
    logger,
    mailOutcomes,
    mailer: mailerTo((message) => mails.push(message), 'bookings@service.test'),
    callProvider: createCallProvider('builtin', { rooms }),
    rooms,
    trustedProxies: ['loopback'],
    limits: manyRequests,
    checkAnswers: true,
    ...overrides,
    ...deps,
  })
  const instance = (deps: Partial<BookingDeps>): FastifyInstance => {
    const app = createBookingApp(depsWith(deps))
    apps.push(app)
    return app
  }
  const app = instance({})
  afterAll(async () => {
    await Promise.all(apps.map((one) => one.close()))
    rooms.close()
    await Promise.all([pool.end(), owner.end(), redis.close()])
  })

  const newWorkspace = () => createTestWorkspace(db, { timezone: 'Europe/Berlin' })
  const workspace = await newWorkspace()
  const link: BookingUnderTest['link'] = async (values = {}, at = workspace) => {
    const id = newId()
    const made = {
      workspaceId: at.workspaceId,
      id,
      slug: `link-${id.slice(-12)}`,
      name: 'Intro call',
      organizerId: at.adminUserId,
      durationMin: 30,
      timezone: 'Europe/Berlin',
      weeklyHours: workdays,
      ...values,
    }
    await db.insert(schema.bookingLinks).values(made)
    return { id, slug: made.slug, organizerId: made.organizerId }
  }
  return {
    app,
    db,
    clock,
    redis,
    epochs,
    rooms,
    redisUrl,
    database,
    workspace,
    mails,
    newWorkspace,
    link,
    depsWith,
    instance,
    call: (call, at = workspace) => send(app, at, call),
  }
}

/** Sends one request to an instance. */
export async function send(
  app: FastifyInstance,
  workspace: Pick<TestWorkspace, 'host'>,
  { method = 'GET', path, body, headers }: Call,
): Promise<Answer> {
  const answer = await app.inject({
    method,
    url: path.startsWith('/') ? path : `/api/public/booking/${path}`,
    headers: {
      host: workspace.host,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    payload: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
  })
  const isJson = String(answer.headers['content-type']).includes('json')
  return { status: answer.statusCode, body: isJson ? answer.json() : answer.body, headers: answer.headers }
}

/** A body that books a slot. */
export function guest(startAt: string, extra: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { name: 'Zoë Guest', email: 'zoe@guest.test', startAt, timezone: 'America/New_York', ...extra }
}

/** Returns an hour of a day in Berlin's summer as an instant: `at('2026-06-02', 9)` is 09:00 there. */
export function berlin(date: string, hour: number, minute = 0): string {
  return new Date(Date.parse(`${date}T00:00:00.000Z`) + ((hour - 2) * 60 + minute) * 60_000).toISOString()
}
