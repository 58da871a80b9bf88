import { noteRefusal } from '@crm/http'
import { countedAddress } from '@crm/runtime'
import { workspaceTag } from '@crm/redis'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { DiscoveryDeps, GatewayWorkspace } from '../discovery/deps.ts'
import { authorizePath, registerPath, revokePath, tokenPath } from '../discovery/metadata.ts'
import { requireWorkspace } from '../discovery/routes.ts'
import { showConsent, takeDecision, type BrowserAnswer } from './authorize.ts'
import { insertClient, pruneClients } from './clients.repository.ts'
import { pageHeaders } from './html.ts'
import type { OAuthDeps } from './deps.ts'
import { problemPage } from './consent-page.ts'
import { OAuthError } from './oauth-error.ts'
import { readParameters, withBasicClient, type Parameters } from './parameters.ts'
import { readRegistration, registrationAnswer } from './registration.ts'
import { issueTokens, revokeToken, type Place } from './token.ts'

const bodyBytesMax = 64 * 1024

/** Adds the OAuth 2.1 server (docs/guide/tools.md and docs/guide/access.md). */
export function addOAuthRoutes(app: FastifyInstance, deps: DiscoveryDeps & { readonly oauth: OAuthDeps }): void {
  // Only this context accepts a form as a body.
  void app.register(async (oauth) => {
    oauth.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, new URLSearchParams(String(body))),
    )
    oauth.addHook(
      'onRequest',
      async (_request, reply) => void reply.header('cache-control', 'no-store').header('pragma', 'no-cache'),
    )
    oauth.setErrorHandler(answerOAuthError)
    const options = { bodyLimit: bodyBytesMax }
    oauth.post(registerPath, options, async (request, reply) => reply.code(201).send(await register(deps, request)))
    oauth.post(tokenPath, options, async (request, reply) =>
      reply.send(await issueTokens(deps.oauth, await placeOf(deps, request), formOf(request))),
    )
    oauth.post(revokePath, options, async (request, reply) => {
      await revokeToken(deps.oauth, await placeOf(deps, request), formOf(request))
      return reply.code(200).send()
    })
    for (const url of [registerPath, tokenPath, revokePath]) {
      oauth.route({
        method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'],
        url,
        handler: (_request, reply) => refuseMethod(reply, 'POST'),
      })
    }
    oauth.get(authorizePath, async (request, reply) => {
      const visit = await visitOf(deps, request)
      return sendToBrowser(
        reply,
        isFramed(request)
          ? framed
          : await showConsent(deps.oauth, visit, new URL(request.url, 'http://any').searchParams),
      )
    })
    oauth.post(authorizePath, options, async (request, reply) => {
      const visit = await visitOf(deps, request)
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
      return sendToBrowser(
        reply,
        isFramed(request) || !isOwnOrigin(request, visit.workspace)
          ? framed
          : await takeDecision(deps.oauth, visit, form),
      )
    })
    oauth.route({
      method: ['PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      url: authorizePath,
      handler: (_request, reply) => refuseMethod(reply, 'GET, POST'),
    })
  })
}

async function register(
  deps: DiscoveryDeps & { readonly oauth: OAuthDeps },
  request: FastifyRequest,
): Promise<Readonly<Record<string, unknown>>> {
  const { id: workspaceId } = await requireWorkspace(deps, request.headers.host)
  const { db, clock, registrations } = deps.oauth
  const client = readRegistration(request.body)
  const budget = await registrations.consume(`${workspaceTag(workspaceId)}:${countedAddress(request.ip)}`)
  if (!budget.allowed)
    throw new OAuthError('temporarily_unavailable', 'Too many registrations from this address', {
      status: 429,
      retryAfterS: budget.retryAfterS,
    })
  const at = clock.now()
  await pruneClients(db, workspaceId, at)
  return registrationAnswer(await insertClient(db, workspaceId, client, at))
}

async function placeOf(deps: DiscoveryDeps & { readonly oauth: OAuthDeps }, request: FastifyRequest): Promise<Place> {
  const { id, baseUrl } = await requireWorkspace(deps, request.headers.host)
  const sender = `${countedAddress(request.ip)} ${request.headers['user-agent'] ?? ''}`
  return { workspaceId: id, baseUrl, sender }
}

async function visitOf(
  deps: DiscoveryDeps & { readonly oauth: OAuthDeps },
  request: FastifyRequest,
): Promise<{ readonly workspace: GatewayWorkspace; readonly cookie: string | undefined }> {
  return { workspace: await requireWorkspace(deps, request.headers.host), cookie: request.headers.cookie }
}

function formOf({ body, headers }: FastifyRequest): Parameters {
  if (!(body instanceof URLSearchParams))
    throw new OAuthError('invalid_request', 'The body must be application/x-www-form-urlencoded')
  return withBasicClient(readParameters(body), headers.authorization)
}

const framed: BrowserAnswer = {
  kind: 'page',
  status: 403,
  body: problemPage('This page cannot be used from within another one.'),
}

/** Browsers tell the destination of a page; within another page a person cannot see whom they give access. */
function isFramed({ headers }: FastifyRequest): boolean {
  return ['iframe', 'frame', 'embed', 'object', 'fencedframe'].includes(String(headers['sec-fetch-dest']))
}

function isOwnOrigin({ headers: { origin, host } }: FastifyRequest, { baseUrl }: GatewayWorkspace): boolean {
  return (
    origin === undefined ||
    origin === new URL(baseUrl).origin ||
    (URL.canParse(origin) && new URL(origin).host === host?.toLowerCase())
  )
}

function sendToBrowser(reply: FastifyReply, answer: BrowserAnswer): FastifyReply {
  if (answer.kind === 'redirect') return reply.redirect(answer.to, 302)
  return reply.code(answer.status).headers(pageHeaders()).send(answer.body)
}

function refuseMethod(reply: FastifyReply, allow: string): FastifyReply {
  noteRefusal(reply.request, { code: 'METHOD_NOT_ALLOWED' })
  return reply.code(405).header('allow', allow).send({ error: 'Method not allowed' })
}

function answerOAuthError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = toOAuthError(error, request)
  if (!refusal) throw error
  noteRefusal(request, { code: refusal.code.toUpperCase() })
  if (refusal.retryAfterS !== undefined) void reply.header('retry-after', String(refusal.retryAfterS))
  void reply.code(refusal.status).send({ error: refusal.code, error_description: refusal.message })
}

/** Returns the framework's refusal in the words of OAuth; null for errors that the client did not cause. */
function toOAuthError(error: unknown, request: FastifyRequest): OAuthError | null {
  if (error instanceof OAuthError) return error
  const isUnreadable =
    error instanceof Error &&
    (error.name === 'InvalidJsonError' || ('code' in error && String(error.code).startsWith('FST_ERR_CTP_')))
  if (!isUnreadable) return null
  const status = 'statusCode' in error && error.statusCode === 413 ? 413 : 400
  return new OAuthError(
    request.url.startsWith(registerPath) ? 'invalid_client_metadata' : 'invalid_request',
    'The body cannot be read',
    { status },
  )
}
