import { declaredOperations, settingsContract } from '@crm/contract'
import { createDatabase, createPool, type Database } from '@crm/db'
import type { AddressResolver } from '@crm/egress'
import type { Mailer, MailMessage } from '@crm/mail'
import { connectRedis, createEpochs, type Epochs, type RedisConnection } from '@crm/redis'
import { createLogger, fixedClock, type Clock, type FixedClock, type Logger } from '@crm/runtime'
import { createSecrets, environmentKeys } from '@crm/secrets'
import { createStorage, type Storage } from '@crm/storage'
import {
  createTestWorkspace,
  afterThisFile,
  onceForAllFiles,
  serviceLog,
  testDatabase,
  testRedis,
  type TestDatabase,
  type TestWorkspace,
  asDeployable,
} from '@crm/testkit'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mailerTo } from '@crm/testkit/mailer'
import { createCrmApi } from '../src/app.ts'
import type { LateReads } from '../src/platform/late-reads.ts'

/** The secret that signs the credentials of workflow runs for the API under test. */
export const runTokenSecret = 'a secret of the tests that is long enough'

export const runTokenSecretPrevious = 'the secret of the tests before that one'

/** The sealing of the API under test. */
export const secrets = createSecrets(environmentKeys(Buffer.alloc(32, 'a key of the tests')))

/** One request against the API under test. */
export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  /** An API key or another bearer token. */
  readonly key?: string
  readonly cookie?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface CallAnswer {
  readonly status: number
  // The assertions of the tests check the content of an answer.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
  readonly headers: Readonly<Record<string, unknown>>
}

export interface ApiUnderTest {
  readonly app: FastifyInstance
  readonly db: Database
  readonly epochs: Epochs
  readonly clock: Clock
  readonly logger: Logger
  readonly storage: Storage
  /** The mails that requests sent. */
  readonly mails: MailMessage[]
  readonly workspace: TestWorkspace
  /** A key of the administrator with every scope. */
  readonly key: string
  call(call: Call, workspace?: TestWorkspace): Promise<CallAnswer>
  newWorkspace(): Promise<TestWorkspace>
}

/** An API whose clock, database and Redis belong to one test file. */
export interface OwnApi extends ApiUnderTest {
  readonly clock: FixedClock
  readonly redis: RedisConnection
  readonly redisUrl: string
  /** The folder of the storage. */
  readonly filesDirectory: string
  /** The database as the API reaches it. */
  readonly databaseUrl: string
  /** The database as the dispatcher reaches it. */
  readonly dispatcherDatabaseUrl: string
}

interface ApiOptions {
  readonly mailer?: Mailer
  readonly breachedPasswordsFile?: string
  readonly searchMs?: number
  readonly uncheckedReach?: ReadonlySet<string>
  readonly requestsPerMinute?: number
  readonly requestsAtOnce?: number
  /** A database on servers of its own. */
  readonly database?: TestDatabase
  readonly lateReads?: (redis: RedisConnection) => LateReads
  readonly outboundResolver?: AddressResolver
  readonly outboundAllowCidrs?: readonly string[]
  readonly dnsServers?: readonly string[]
  readonly fileBytesMax?: number
}

/** Gives a test file a workspace in an API that all files of this process share; every reply is checked against its schema. */
export async function apiUnderTest(): Promise<ApiUnderTest> {
  return forThisFile(await sharedApi())
}

/**
 * Starts an API with a database of this test file's own: for what moves its clock, works on all workspaces at once, needs other options, or
 * fills or changes the tables.
 */
export async function ownApi(options: ApiOptions = {}): Promise<OwnApi> {
  return forThisFile(await startApi(options))
}

type StartedApi = Omit<OwnApi, 'workspace' | 'key' | 'call'> & {
  /** Lets what the service logs belong to the test file that calls it. */
  readonly logHere: () => void
}

const sharedApi = onceForAllFiles(() => startApi({}))

async function forThisFile({ logHere, ...api }: StartedApi): Promise<OwnApi> {
  logHere()
  api.mails.length = 0
  api.clock.advance(Date.now() - api.clock.now().getTime())
  const workspace = await api.newWorkspace()
  const { key } = await workspace.apiKey()
  return { ...api, workspace, key, call: (call, at = workspace) => send(api.app, at, call) }
}

async function startApi({
  requestsPerMinute = 1_000_000,
  requestsAtOnce,
  database: given,
  lateReads,
  outboundResolver,
  outboundAllowCidrs,
  dnsServers,
  fileBytesMax,
  uncheckedReach,
  searchMs,
  mailer,
  breachedPasswordsFile,
}: ApiOptions): Promise<StartedApi> {
  const database = given ?? (await testDatabase())
  const owner = createPool({ databaseUrl: database.ownerUrl, max: 4, applicationName: 'test-owner' })
  const pool = createPool({
    databaseUrl: database.urlFor('crm_api'),
    max: 30,
    applicationName: 'test-api',
    ...asDeployable,
  })
  const { url } = await testRedis()
  const redis = await connectRedis(url, { role: 'test' })
  const filesDirectory = await mkdtemp(join(tmpdir(), 'crm-files-'))
  const storage = await createStorage({ directory: filesDirectory })
  const clock = fixedClock(new Date())
  const epochs = createEpochs(redis)
  const mails: MailMessage[] = []
  const keeping = mailerTo((message) => mails.push(message))
  let log: ReturnType<typeof serviceLog> | undefined
  const logger = createLogger({ name: 'crm-api', level: 'info', destination: { write: (line) => log?.write(line) } })
  const app = createCrmApi({
    mailer: mailer ?? keeping,
    pool,
    db: createDatabase(pool),
    redis,
    epochs,
    clock,
    logger,
    trustedProxies: ['loopback'],
    storage,
    ...(fileBytesMax ? { fileBytesMax } : {}),
    checkAnswers: true,
    agentFlushMs: 20,
    requestsPerMinute,
    ...(requestsAtOnce ? { requestsAtOnce } : {}),
    ...(lateReads ? { lateReads: lateReads(redis) } : {}),
    ...(uncheckedReach ? { uncheckedReach } : {}),
    ...(searchMs === undefined ? {} : { searchMs }),
    ...(breachedPasswordsFile ? { breachedPasswordsFile } : {}),
    ...(outboundResolver ? { outboundResolver } : {}),
    ...(outboundAllowCidrs ? { outboundAllowCidrs } : {}),
    ...(dnsServers ? { dnsServers } : {}),
    runTokenSecret,
    runTokenSecretPrevious,
    secrets,
  })
  const db = createDatabase(owner)
  afterThisFile(async () => {
    await app.close()
    await Promise.all([pool.end(), owner.end(), redis.close(), rm(filesDirectory, { recursive: true, force: true })])
  })
  const newWorkspace = async () => {
    const made = await createTestWorkspace(db)
    return { ...made, session: (id?: string, at = clock.now()) => made.session(id, at) }
  }
  return {
    app,
    db,
    epochs,
    clock,
    logger,
    redis,
    redisUrl: url,
    mails,
    storage,
    filesDirectory,
    databaseUrl: database.urlFor('crm_api'),
    dispatcherDatabaseUrl: database.urlFor('crm_dispatcher'),
    newWorkspace,
    logHere: () => {
      log = serviceLog()
    },
  }
}

async function send(
  app: FastifyInstance,
  workspace: TestWorkspace,
  { method = 'GET', path, body, key, cookie, headers }: Call,
): Promise<CallAnswer> {
  const isRaw = typeof body === 'string'
  const answer = await inject(app, {
    method,
    url: path,
    headers: {
      host: workspace.host,
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(cookie ? { cookie, origin: `http://${workspace.host}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    payload: body === undefined ? undefined : isRaw ? body : JSON.stringify(body),
  })
  const isJson = /^application\/(scim\+)?json/.test(String(answer.headers['content-type']))
  const read = isJson && answer.body !== '' ? answer.json() : answer.body
  return { status: answer.statusCode, body: answer.body === '' ? undefined : read, headers: answer.headers }
}

const endless = declaredOperations(settingsContract)
  .filter(({ operation }) => operation.reply.mediaType === 'text/event-stream')
  .map(({ operation }) => operation.path)

/** Sends a request to the API; an endless answer is left after its first bytes. */
export async function inject(
  app: FastifyInstance,
  request: InjectOptions & { readonly url: string },
): Promise<LightMyRequestResponse> {
  if (!endless.some((path) => request.url.startsWith(path))) return app.inject(request)
  const answer = await app.inject({ ...request, payloadAsStream: true })
  const stream = answer.stream()
  if (answer.headers['content-type']?.startsWith('text/event-stream')) {
    stream.destroy()
    return Object.assign(answer, { body: '' })
  }
  const body = (await stream.toArray()).join('')
  return Object.assign(answer, { body, json: () => JSON.parse(body) as never })
}
