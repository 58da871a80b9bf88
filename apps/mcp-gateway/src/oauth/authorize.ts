import { inTransaction } from '@crm/db'
import { agentLimitMax, agentLimitNames, writesModes, type AgentLimits } from '@crm/permissions'
import { workspaceTag } from '@crm/redis'
import type { GatewayWorkspace } from '../discovery/deps.ts'
import { csrfTokenOf, isCsrfToken, readAuthorization, type AuthorizationRequest } from './authorization-request.ts'
import { isDocumentUrl, readDocument } from './client-documents.ts'
import { findClient, keepDocument, type Client } from './clients.repository.ts'
import { consentPage, problemPage, signInBefore, signInPath } from './consent-page.ts'
import { auditConnection, type OAuthDeps, type SignedIn } from './deps.ts'
import { findEarlierChoice, insertGrant, type Choice } from './grants.repository.ts'
import { OAuthError } from './oauth-error.ts'
import { readParameters, type Parameters } from './parameters.ts'
import { isRegistered, withParameters } from './redirect-uris.ts'
import { planOffer, type OfferedRight } from './rights.ts'

/** The answer to the person's browser: a page of ours, or a redirect. */
export type BrowserAnswer =
  | { readonly kind: 'page'; readonly status: number; readonly body: string }
  | { readonly kind: 'redirect'; readonly to: string }

interface Visit {
  readonly workspace: GatewayWorkspace
  readonly cookie: string | undefined
}

/** A request whose client and address are known to belong together. */
interface Asked extends Visit {
  readonly client: Client
  readonly request: AuthorizationRequest
  readonly person: SignedIn
  readonly rights: readonly OfferedRight[]
  /** What the person chose for the client the last time. */
  readonly earlier: Choice | null
}

/** Answers `GET authorize` with the consent page, or with the place that the person has to visit first. */
export function showConsent(deps: OAuthDeps, visit: Visit, given: URLSearchParams): Promise<BrowserAnswer> {
  return withRequest(deps, visit, given, async (asked) => signInFirst(deps, asked) ?? consent(asked))
}

/** Answers the form of the consent page. */
export function takeDecision(deps: OAuthDeps, visit: Visit, form: URLSearchParams): Promise<BrowserAnswer> {
  const ticked = new Set(form.getAll('right'))
  const fields = new URLSearchParams([...form].filter(([name]) => !choiceFields.includes(name)))
  return withRequest(deps, visit, fields, async (asked, parameters) => {
    if (!isCsrfToken(parameters.get('csrf'), asked.request, asked.person.sessionToken))
      return problem(403, 'This decision did not come from the page that asks for it.')
    if (parameters.get('decision') !== 'allow') throw new OAuthError('access_denied', 'The person said no')
    const detour = signInFirst(deps, asked)
    if (detour) return detour
    const scopes = asked.rights.map(({ name }) => name).filter((name) => ticked.has(name))
    if (scopes.length === 0) return consent(asked, 'Tick at least one right, or cancel.')
    const limits = limitsIn(form)
    if (!limits) return consent(asked, 'A limit is a whole number, or empty for none.')
    const choice = { scopes, writes: writesIn(form), limits, confirm: form.get('confirm') !== null }
    return { kind: 'redirect', to: backTo(asked, { code: await grant(deps, asked, choice) }) }
  })
}

/** The fields of the form by which a person chooses; the others are the request. */
const choiceFields: readonly string[] = ['right', 'writes', 'confirm', ...agentLimitNames]

function writesIn(form: URLSearchParams): Choice['writes'] {
  return writesModes.find((mode) => mode === form.get('writes')) ?? 'DIRECT'
}

/** Returns the limits of the form; null where one is no whole number. */
function limitsIn(form: URLSearchParams): Partial<AgentLimits> | null {
  const typed = agentLimitNames.map((name) => [name, (form.get(name) ?? '').trim()] as const)
  const isLimit = (text: string): boolean => text === '' || (/^\d{1,9}$/.test(text) && Number(text) <= agentLimitMax)
  if (!typed.every(([, text]) => isLimit(text))) return null
  return Object.fromEntries(typed.map(([name, text]) => [name, text === '' ? null : Number(text)]))
}

/** A connection outlives the session, so only a fresh one makes it; anybody may refuse one. */
function signInFirst({ clock }: OAuthDeps, { person, request }: Asked): BrowserAnswer | null {
  const { freshUntil } = person.caller
  const isFresh = freshUntil === null || Date.parse(freshUntil) > clock.now().getTime()
  return isFresh ? null : { kind: 'redirect', to: signInPath(request) }
}

/** Client and address are checked first: nobody is redirected until they are known to belong together. */
async function withRequest(
  deps: OAuthDeps,
  visit: Visit,
  given: URLSearchParams,
  next: (asked: Asked, parameters: Parameters) => Promise<BrowserAnswer>,
): Promise<BrowserAnswer> {
  const { workspace } = visit
  const known = await findDestination(deps, visit, given)
  if ('kind' in known) return known
  const { client, redirectUri } = known
  try {
    const parameters = readParameters(given)
    const request = readAuthorization(parameters, { redirectUri, baseUrl: workspace.baseUrl })
    const person = await deps.findPerson(workspace, visit.cookie)
    if (!person) return { kind: 'redirect', to: signInPath(request) }
    if (person.caller.employee.status !== 'ACTIVE') return problem(403, 'Your account is suspended.')
    const earlier = await findEarlierChoice(deps.db, workspace.id, {
      employeeId: person.caller.employee.id,
      clientId: client.id,
    })
    const rights = planOffer({
      held: person.caller.owned,
      scope: request.scope,
      earlier: earlier?.scopes ?? null,
      tools: deps.tools,
    })
    if (rights.length === 0) throw new OAuthError('invalid_scope', 'The person holds none of these rights')
    return await next({ ...visit, client, request, person, rights, earlier }, parameters)
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    const state = given.getAll('state').length === 1 ? (given.get('state') ?? undefined) : undefined
    return {
      kind: 'redirect',
      to: backTo(
        { workspace, request: { redirectUri, state } },
        { error: error.code, error_description: error.message },
      ),
    }
  }
}

async function findDestination(
  deps: OAuthDeps,
  visit: Visit,
  given: URLSearchParams,
): Promise<{ readonly client: Client; readonly redirectUri: string } | BrowserAnswer> {
  const [clientId, ...otherClients] = given.getAll('client_id')
  const [redirectUri, ...otherUris] = given.getAll('redirect_uri')
  if (otherClients.length > 0 || otherUris.length > 0)
    return problem(400, 'The request names more than one client or address.')
  const client = clientId === undefined ? null : await clientOf(deps, visit, clientId, given)
  if (client && 'kind' in client) return client
  if (!client) return problem(400, 'The client is not registered here; it has to connect again from the start.')
  if (redirectUri === undefined || !isRegistered(client.redirectUris, redirectUri))
    return problem(400, 'The address to go back to is not one that the client registered.')
  return { client, redirectUri }
}

/** Returns the client; one that is described by a document is read anew when it is time, for people who are signed in. */
async function clientOf(
  deps: OAuthDeps,
  { workspace, cookie }: Visit,
  clientId: string,
  given: URLSearchParams,
): Promise<Client | BrowserAnswer | null> {
  const { db, clock, egress, documentReads } = deps
  const known = await findClient(db, workspace.id, clientId)
  const at = clock.now()
  if (!isDocumentUrl(clientId) || (known?.freshUntil && Date.parse(known.freshUntil) > at.getTime())) return known
  const person = await deps.findPerson(workspace, cookie)
  if (!person) return { kind: 'redirect', to: signInBefore(given) }
  const budget = await documentReads.consume(`${workspaceTag(workspace.id)}:${person.caller.employee.id}`)
  if (!budget.allowed) return problem(429, 'You have connected many clients in a short time. Please wait an hour.')
  try {
    const { freshMs, ...said } = await readDocument(egress, clientId)
    return await keepDocument(db, workspace.id, clientId, said, { at, freshUntil: new Date(at.getTime() + freshMs) })
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    return problem(400, `${error.message}.`)
  }
}

function consent({ client, workspace, person, request, rights, earlier }: Asked, said?: string): BrowserAnswer {
  const { name, email } = person.caller.employee
  const body = consentPage({
    clientName: client.name,
    documentUrl: client.documentUrl,
    workspaceName: workspace.name,
    baseUrl: workspace.baseUrl,
    person: { name, email },
    request,
    rights,
    held: earlier ?? { writes: 'DIRECT', limits: {}, confirm: false },
    csrfToken: csrfTokenOf(request, person.sessionToken),
    problem: said,
  })
  return {
    kind: 'page',
    status: said === undefined ? 200 : 400,
    body,
  }
}

function problem(status: number, sentence: string): BrowserAnswer {
  return { kind: 'page', status, body: problemPage(sentence) }
}

function backTo(
  {
    workspace,
    request: { redirectUri, state },
  }: { readonly workspace: GatewayWorkspace; readonly request: Pick<AuthorizationRequest, 'redirectUri' | 'state'> },
  outcome: Readonly<Record<string, string>>,
): string {
  return withParameters(redirectUri, { ...outcome, state, iss: workspace.baseUrl })
}

async function grant(
  { db, clock }: OAuthDeps,
  { workspace, client, person, request }: Asked,
  choice: Choice,
): Promise<string> {
  const at = clock.now()
  const { id, name } = person.caller.employee
  return inTransaction(db, undefined, async (tx) => {
    const { code } = await insertGrant(tx, workspace.id, { employeeId: id, clientId: client.id, choice, request }, at)
    await auditConnection(
      tx,
      workspace.id,
      {
        actor: { id, name },
        action: 'connection.created',
        clientId: client.id,
        summary: `Connected the client ${client.name}`,
        data: { ...choice },
      },
      at,
    )
    return code
  })
}
