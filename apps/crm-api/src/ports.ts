import type { RevealedObject } from '@crm/contract'
import { createSchemaCheck, isUnavailable, scopeOf, type Transaction } from '@crm/db'
import { hidesClients, ReadLines, type Exchange, type Ports, versionCheckOf } from '@crm/http'
import {
  createRecogniser,
  createRequestLimit,
  createScimLimit,
  LaterTokenError,
  viewAsRole,
  type Caller,
  type Workspace,
} from '@crm/identity'
import { createAdmission } from '@crm/redis'
import { addressIn, countedAddress, SharedPlaces, usualRequestsAtOnce } from '@crm/runtime'
import type { FastifyRequest } from 'fastify'
import { createForeignAddressNote } from './domain/people/foreign-address.ts'
import { createContext, type CountedClient, type CrmContext } from './platform/context.ts'
import type { CrmApiDeps } from './platform/deps.ts'
import { createLateReads } from './platform/late-reads.ts'
import { createOnce } from './platform/idempotency.ts'
import { pendingCookie, readOwnCookie } from './domain/sign-in/cookies.ts'
import { createAgentControl } from './across/agents/control.ts'
import { createReachGuard } from './reach/guard-reach.ts'
import { seenInAutomation, type FindSeen } from './resources/automation/automation/seen.ts'
import { seenInTransfers } from './across/transfers/transfers.seen.ts'
import { seenLastRequests } from './resources/automation/workflows/last-request.seen.ts'
import { readSavedQuery } from './resources/workspace/saved-filters/saved-query.ts'
import { parentTypeOf, readNames } from './domain/summaries/names.ts'
import { customFieldKindsOf, customFieldParamNames } from './records/custom-field-filters.ts'

/** The finders of the objects whose content the caller may see. */
const finders: Readonly<Record<RevealedObject, FindSeen>> = {
  ...seenInAutomation,
  ...seenInTransfers,
  'last-request': seenLastRequests,
}

/** Returns the parts of the CRM API that the pipeline needs. */
export function createPorts(deps: CrmApiDeps): Ports<Workspace, Caller, CrmContext, Transaction> {
  const limit = createRequestLimit(deps.redis, deps.requestsPerMinute)
  const recognise = createRecogniser({
    pool: deps.pool,
    epochs: deps.epochs,
    limit,
    limitName: 'api.per-minute',
    admit: createAdmission(deps.redis, deps.epochs, limit),
    now: () => deps.clock.now(),
    runTokenSecrets: [deps.runTokenSecret, deps.runTokenSecretPrevious].filter((secret) => secret !== undefined),
    withQuotas: true,
  })
  const isFromDispatcher = addressIn(deps.runTokenNetworks ?? ['loopback'])
  const late = deps.lateReads && createLateReads(deps.lateReads)
  const contextOf = (exchange: Exchange<Workspace, Caller>, tx?: Transaction): CrmContext => {
    const { recognition, request, reply } = exchange
    if (!recognition.workspace) throw new Error('No workspace was recognised')
    const facts = {
      address: () => request.ip,
      countedClient: () => countedClient(request),
      peer: request.socket.remoteAddress ?? '',
      headers: request.headers,
      requestId: request.id,
      operation: exchange.declared.id,
      epoch: recognition.epoch,
      replica: late?.databaseOf(exchange),
      setHeader: (name: string, value: string | string[]) => void reply.header(name, value),
      expectVersion: versionCheckOf(exchange),
    }
    return createContext(deps, recognition.workspace, recognition.caller, facts, tx)
  }
  return {
    ...late?.ports,
    recognise: async (request) => {
      const found = await recognise({
        host: request.headers.host ?? '',
        authorization: request.headers.authorization,
        cookie: request.headers.cookie,
        source: headerOf(request, 'x-crm-source'),
        address: () => request.ip,
        isInternal: !cameThroughProxy(request) && isFromDispatcher(request.socket.remoteAddress),
      })
      const roleId = headerOf(request, 'x-view-as-role')
      if (roleId === undefined || !found.workspace || !found.caller) return found
      return { ...found, caller: await viewAsRole(deps.pool, found.workspace.id, found.caller, roleId) }
    },
    noteForeignAddress: createForeignAddressNote(contextOf),
    isSchemaBehind: createSchemaCheck(deps.pool),
    once: createOnce(deps.db, deps.clock),
    control: createAgentControl(deps),
    guardReach: createReachGuard(deps.db),
    isSigningIn: ({ request, recognition: { workspace } }) =>
      workspace !== null && readOwnCookie(workspace, request.headers, pendingCookie) !== undefined,
    isFresh: ({ freshUntil }) => freshUntil === null || Date.parse(freshUntil) > deps.clock.now().getTime(),
    seen: (exchange, object, ids, tx) => finders[object](contextOf(exchange, tx), ids),
    uncheckedReach: deps.uncheckedReach,
    customFieldParams: async (workspace, entityType) => {
      return new Set((await customFieldKindsOf(deps.db, workspace.id, entityType)).flatMap(customFieldParamNames))
    },
    customFieldKeys: async (workspace, entityType) =>
      (await customFieldKindsOf(deps.db, workspace.id, entityType)).map(({ key }) => key),
    readNames: (exchange, field, ids) => {
      const { declared, recognition } = exchange
      const { workspace, caller } = recognition
      if (!workspace || !caller) throw new Error('Nobody was recognised')
      const scopeIfAllowed = (entityType: string) => scopeOf(workspace.id, caller, entityType)
      return readNames(
        late?.databaseOf(exchange) ?? deps.db,
        { workspace, caller, scopeIfAllowed },
        parentTypeOf(declared),
        field,
        ids,
      )
    },
    savedQuery: (workspace, caller, list, id, params) => readSavedQuery(deps.db, workspace, caller, list, id, params),
    createContext: contextOf,
    report: (error, details) => deps.logger.error({ err: error, ...details }, 'request failed'),
    isTransient: (error) => isUnavailable(error) || error instanceof LaterTokenError,
    fileBytesMax: deps.fileBytesMax,
    reads: new ReadLines(deps.pool.options.max),
    places: new SharedPlaces(deps.requestsAtOnce ?? usualRequestsAtOnce),
    checkAnswers: deps.checkAnswers,
  }
}

/** Returns the parts that the pipeline needs for directories: their tokens alone count, and have a limit of their own. */
export function createScimPorts(
  deps: CrmApiDeps,
  ports: ReturnType<typeof createPorts>,
): Ports<Workspace, Caller, CrmContext, Transaction> {
  const recognise = createRecogniser({
    pool: deps.pool,
    epochs: deps.epochs,
    limit: createScimLimit(deps.redis, deps.requestsPerMinute),
    now: () => deps.clock.now(),
    accepts: ['scim-token'],
    withQuotas: true,
  })
  return {
    ...ports,
    recognise: (request) =>
      recognise({
        host: request.headers.host ?? '',
        authorization: request.headers.authorization,
        address: () => request.ip,
      }),
  }
}

/** A proxy that nobody trusts has a count of its own: one of its clients, who came without its header, uses up nothing of it. */
function countedClient(request: FastifyRequest): CountedClient {
  const isProxy = hidesClients(request)
  const address = countedAddress(request.ip)
  return { key: isProxy ? `proxy:${address}` : address, isProxy }
}

/** Whether a request came through a proxy: every edge names its client, and the dispatcher calls directly. */
function cameThroughProxy({ headers }: FastifyRequest): boolean {
  return headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined || headers.via !== undefined
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}
