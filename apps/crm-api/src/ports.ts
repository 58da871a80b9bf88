import { knownMigrations, type Transaction } from '@crm/db'
import type { Ports } from '@crm/http'
import { createRecogniser, type Caller, type Workspace } from '@crm/identity'
import { createAdmission, createFixedWindow } from '@crm/redis'
import type { FastifyRequest } from 'fastify'
import { createContext, type CrmContext } from './context.ts'
import type { CrmApiDeps } from './deps.ts'
import { createOnce } from './idempotency.ts'
import { readSavedQuery } from './resources/saved-filters/saved-query.ts'
import { customFieldKindsOf, customFieldParamNames } from './records/custom-field-filters.ts'

const windowMs = 60_000

/** What the pipeline needs of the CRM API. */
export function createPorts(deps: CrmApiDeps): Ports<Workspace, Caller, CrmContext, Transaction> {
  const limit = createFixedWindow({ redis: deps.redis, name: 'api', points: deps.requestsPerMinute ?? 600, windowMs })
  const recognise = createRecogniser({
    pool: deps.pool,
    epochs: deps.epochs,
    limit,
    admit: createAdmission(deps.redis, deps.epochs, limit),
    now: () => deps.clock.now(),
    runTokenSecret: deps.runTokenSecret,
    withQuotas: true,
  })
  return {
    recognise: (request) =>
      recognise({
        host: request.headers.host ?? '',
        authorization: request.headers.authorization,
        cookie: request.headers.cookie,
        source: headerOf(request, 'x-crm-source'),
      }),
    isSchemaBehind: createSchemaCheck(deps),
    once: createOnce(deps.db, deps.clock),
    customFieldParams: async (workspace, entityType) => {
      return new Set((await customFieldKindsOf(deps.db, workspace.id, entityType)).flatMap(customFieldParamNames))
    },
    savedQuery: (workspace, caller, list, id) => readSavedQuery(deps.db, workspace, caller, list, id),
    createContext: ({ recognition, request, reply }, tx) => {
      if (!recognition.workspace) throw new Error('No workspace was recognised')
      const facts = {
        address: request.ip,
        headers: request.headers,
        epoch: recognition.epoch,
        setHeader: (name: string, value: string) => void reply.header(name, value),
      }
      return createContext(deps, recognition.workspace, recognition.caller, facts, tx)
    },
    report: (error, details) => deps.logger.error({ err: error, ...details }, 'request failed'),
    fileBytesMax: deps.fileBytesMax,
    checkReplies: deps.checkReplies,
  }
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

const askedEveryMs = 2_000

/** Whether the database has fewer migrations than the code knows; asked again only while it is so. */
function createSchemaCheck(deps: CrmApiDeps): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined
  let askedAtMs = 0
  const ask = async (): Promise<boolean> => {
    const { rows } = await deps.pool.query<{ n: number }>('SELECT count(*)::int AS n FROM migrations.__drizzle_migrations')
    return (rows[0]?.n ?? 0) < (await knownMigrations())
  }
  return async () => {
    const isBehind = await (answer ??= ask())
    const nowMs = performance.now()
    if (isBehind && nowMs - askedAtMs >= askedEveryMs) {
      askedAtMs = nowMs
      answer = undefined
    }
    return isBehind
  }
}
