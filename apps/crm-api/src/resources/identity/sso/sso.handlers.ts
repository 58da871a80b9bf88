import { localPath, sso, success, type SsoError, type SsoPurpose } from '@crm/contract'
import { newId, schema } from '@crm/db'
import { ApiError } from '@crm/errors'
import { isFromOwnPage } from '@crm/http'
import { newSecret, sessionCookie } from '@crm/identity'
import { workspaceTag } from '@crm/redis'
import { SecretUnreadableError } from '@crm/secrets'
import { and, asc, eq } from 'drizzle-orm'
import { auditCheapRefusal, auditRefusal } from '../../../domain/sign-in/audit-refusal.ts'
import { completeSignIn, requireActive } from '../../../domain/sign-in/complete-sign-in.ts'
import { readOwnCookie, writeOwnCookie } from '../../../domain/sign-in/cookies.ts'
import { readPerson } from '../../../domain/sign-in/people.repository.ts'
import { renewSession, sessionIdleMs } from '../../../domain/sign-in/sessions.repository.ts'
import { asRefusal, findOrLink, followProvider, isLinkedTo, linkTo, SsoRefusal } from '../../../domain/sso/accounts.ts'
import { ProviderError, type Binding, type SignedIn } from '../../../platform/provider-client.ts'
import { findProvider, readProvider, withSecret, type ProviderRow } from '../../../domain/sso/providers.repository.ts'
import { insertState, stateLifeS, takeState, type SsoState } from '../../../domain/sso/states.repository.ts'
import { idTokenPlace } from '../../../domain/sso/sso-sessions.ts'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { countClient } from '../../../platform/count-client.ts'
import { audit, changingWorkspace } from '../../../records/audit.ts'

const { identities, identityProviders, ssoSessions } = schema

/** The cookie that binds a way to a provider to the browser that began it. */
const browserCookie = 'crm_sso'
/** The name of a person of whom no address is known. */
const somebody = 'somebody at a provider'
/** Clocks of providers may differ from ours by this. */
const clocksDifferMs = 60_000

export const implementedSso = implement(sso, {
  providers: async (_input, { db, workspace }) => {
    const providers = await db
      .select({ slug: identityProviders.slug, name: identityProviders.name })
      .from(identityProviders)
      .where(and(eq(identityProviders.workspaceId, workspace.id), eq(identityProviders.isActive, true)))
      .orderBy(asc(identityProviders.name))
    return success({ password: !workspace.signInPolicy.enforceSso, providers, workspaceName: workspace.name })
  },

  start: async ({ params, query }, context) => {
    const { workspace, deps, caller } = context
    await requireTurn(context)
    if (query.purpose !== 'sign-in') requireSession(context, query.purpose)
    const provider = await findProvider(context.db, workspace.id, params.slug)
    if (!provider) throw new ApiError('NOT_FOUND', { message: 'There is no such identity provider' })
    // Several ways may begin in one browser; each state works once.
    const [state, browser] = [
      newSecret(),
      readOwnCookie(workspace, context.requestHeaders, browserCookie) || newSecret(),
    ]
    const binding = { redirectUri: redirectUriOf(context, provider), state, nonce: newSecret(), verifier: newSecret() }
    try {
      const { clientSecret: _sealed, ...facts } = provider
      const isAgain = query.purpose === 'reauth'
      const place = await deps.providers.begin({ ...facts, clientSecret: null }, binding, { isAgain })
      const { nonce, verifier } = binding
      const isOwn = query.purpose !== 'sign-in'
      await insertState(
        context,
        { state, browser },
        {
          providerId: provider.id,
          nonce,
          verifier,
          purpose: query.purpose,
          sessionId: isOwn ? caller.credential.id : null,
          employeeId: isOwn ? caller.employee.id : null,
          next: localPath(query.next, workspace.baseUrl),
        },
      )
      context.setHeader('set-cookie', writeOwnCookie(workspace, browserCookie, browser, stateLifeS))
      return goTo(context, place)
    } catch (error) {
      if (error instanceof ProviderError) return refuse(context, new SsoRefusal('SSO_REFUSED', { cause: error }))
      throw error
    }
  },

  callback: async ({ params, query }, context) => {
    const { workspace } = context
    let purpose: SsoPurpose = 'sign-in'
    try {
      const browser = readOwnCookie(workspace, context.requestHeaders, browserCookie)
      const state =
        query.state && browser ? await takeState(context.db, context, { state: query.state, browser }) : undefined
      const provider = state && (await readProvider(context.db, workspace.id, state.providerId))
      if (!query.state || !state || provider?.slug !== params.slug) {
        await auditCheapRefusal(context, somebody, undefined, 'SSO')
        return goTo(context, errorPage('SSO_STATE_INVALID'))
      }
      purpose = state.purpose
      const signedIn = await redeem(context, provider, { ...state, state: query.state }, query)
      return goTo(context, await arrive[state.purpose](context, provider, state, signedIn))
    } catch (error) {
      if (error instanceof SsoRefusal) return refuse(context, error, { purpose })
      if (error instanceof ApiError && error.code === 'ACCOUNT_DISABLED')
        return refuse(context, new SsoRefusal('ACCOUNT_DISABLED'), { isWritten: true })
      throw error
    }
  },

  identities: async (_input, { db, workspace, caller }) => {
    const rows = await db
      .select({
        identity: identities,
        provider: { name: identityProviders.name, slug: identityProviders.slug, isActive: identityProviders.isActive },
      })
      .from(identities)
      .leftJoin(
        identityProviders,
        and(eq(identityProviders.workspaceId, identities.workspaceId), eq(identityProviders.issuer, identities.issuer)),
      )
      .where(and(eq(identities.workspaceId, workspace.id), eq(identities.employeeId, caller.employee.id)))
      .orderBy(asc(identities.createdAt), asc(identityProviders.isActive))
    const byId = new Map(rows.map((row) => [row.identity.id, row]))
    return {
      data: [...byId.values()].map(({ identity: { id, issuer, email, createdAt, lastUsedAt }, provider }) => ({
        id,
        issuer,
        providerName: provider?.name ?? null,
        slug: provider?.isActive ? provider.slug : null,
        email,
        createdAt,
        lastUsedAt,
      })),
    }
  },

  unlink: async ({ params }, context) => {
    const { workspace, caller } = context
    await context.transact(async (tx) => {
      const [gone] = await tx
        .delete(identities)
        .where(
          and(
            eq(identities.workspaceId, workspace.id),
            eq(identities.employeeId, caller.employee.id),
            eq(identities.id, params.id),
          ),
        )
        .returning({ issuer: identities.issuer })
      if (!gone) throw new ApiError('NOT_FOUND', { message: 'There is no such linked account' })
      await audit(tx, context, {
        action: 'identity.unlinked',
        subjectType: 'EMPLOYEE',
        subjectId: caller.employee.id,
        summary: `${caller.employee.name} no longer signs in with ${new URL(gone.issuer).host}`,
        data: { identityId: params.id },
      })
    })
    return success({ id: params.id })
  },
})

/** What follows a checked answer of a provider, by purpose; each returns where the person goes. */
const arrive: Readonly<
  Record<
    SsoPurpose,
    (context: CrmContext, provider: ProviderRow, state: SsoState, signedIn: SignedIn) => Promise<string>
  >
> = {
  'sign-in': async (context, provider, { next }, signedIn) => {
    const person = await findOrLink(context, provider, signedIn)
    await requireActive(context, person)
    await followProvider(context, provider, person, signedIn)
    const { amr } = signedIn.claims
    const outcome = await completeSignIn(context, {
      person,
      method: 'SSO',
      hasSecondFactor: provider.assumesSecondFactor || (Array.isArray(amr) && amr.includes('mfa')),
      hoursMax: provider.sessionHours,
      ssoId: provider.rpLogout ? await keepIdToken(context, provider, signedIn.idToken) : null,
    })
    return outcome.step === 'DONE' ? next : `/sign-in?step=${outcome.step}&next=${encodeURIComponent(next)}`
  },

  link: async (context, provider, state, signedIn) => {
    const person = await requireSameSession(context, state)
    await linkTo(context, person, provider, signedIn)
    return state.next
  },

  reauth: async (context, provider, state, signedIn) => {
    const person = await requireSameSession(context, state)
    const { auth_time: at } = signedIn.claims
    const isNew = typeof at === 'number' && at * 1_000 >= Date.parse(state.createdAt) - clocksDifferMs
    if (!isNew) throw new SsoRefusal('SSO_TOKEN_INVALID')
    if (!(await isLinkedTo(context, person.id, provider, signedIn))) throw new SsoRefusal('SSO_LINK_CONFLICT')
    const token = await changingWorkspace(context, async (tx) => {
      await audit(tx, context, {
        action: 'session.reauthenticated',
        subjectType: 'EMPLOYEE',
        subjectId: person.id,
        summary: `${context.caller.employee.name} confirmed who they are`,
        data: { method: 'SSO' },
      })
      return renewSession(tx, context, context.caller.credential.id)
    })
    const { workspace } = context
    context.setHeader('set-cookie', writeOwnCookie(workspace, sessionCookie, token, sessionIdleMs(context) / 1_000))
    return state.next
  },
}

async function redeem(
  context: CrmContext,
  provider: ProviderRow,
  { state, nonce, verifier }: Pick<Binding, 'state' | 'nonce' | 'verifier'>,
  query: Readonly<Record<string, string | undefined>>,
): Promise<SignedIn> {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const binding = { redirectUri: redirectUriOf(context, provider), state, nonce, verifier }
  try {
    const facts = await withSecret(context.db, context.deps.secrets, provider)
    return await context.deps.providers.finish(facts, binding, new URLSearchParams(given), provider)
  } catch (error) {
    if (error instanceof SecretUnreadableError) {
      noteUnreadable(context, error)
      throw new SsoRefusal('SSO_REFUSED', { cause: error })
    }
    if (!(error instanceof ProviderError)) throw error
    context.deps.logger.warn({ err: error, workspaceId: context.workspace.id }, 'a sign-in at a provider was refused')
    throw asRefusal(error)
  }
}

function noteUnreadable({ deps, workspace }: CrmContext, error: SecretUnreadableError): void {
  deps.logger.error({ err: error, workspaceId: workspace.id }, 'a secret of a provider could not be opened or sealed')
}

/**
 * Keeps the token with which the provider is signed out of, and returns the id of the sign-in; null where nothing can be sealed, so
 * that a lost key keeps nobody out.
 */
async function keepIdToken(context: CrmContext, provider: ProviderRow, idToken: string): Promise<string | null> {
  try {
    return await insertIdToken(context, provider, idToken)
  } catch (error) {
    if (!(error instanceof SecretUnreadableError)) throw error
    noteUnreadable(context, error)
    return null
  }
}

async function insertIdToken(context: CrmContext, provider: ProviderRow, idToken: string): Promise<string> {
  const { workspace, deps, at } = context
  const sessionId = newId()
  await context.transact(async (tx) => {
    await tx.insert(ssoSessions).values({
      workspaceId: workspace.id,
      sessionId,
      providerId: provider.id,
      idToken: await deps.secrets.seal(tx, idTokenPlace(workspace.id, sessionId), idToken),
      createdAt: at,
    })
  })
  return sessionId
}

/** What is begun for somebody who is signed in is begun by themselves, on a page of the workspace. */
function requireSession({ caller, at, requestHeaders, workspace }: CrmContext, purpose: SsoPurpose): void {
  if (!caller.isAmbient) throw new ApiError('AUTHENTICATION_ERROR')
  if (!isFromOwnPage({ headers: requestHeaders }, workspace.baseUrl)) throw new ApiError('ORIGIN_REFUSED')
  if (purpose === 'link' && caller.freshUntil !== null && caller.freshUntil <= at)
    throw new ApiError('REAUTHENTICATION_REQUIRED')
}

async function requireSameSession(context: CrmContext, { sessionId, employeeId }: SsoState) {
  const { caller, workspace } = context
  const isSame = caller.isAmbient && caller.credential.id === sessionId && caller.employee.id === employeeId
  const person = isSame ? await readPerson(context.db, workspace.id, caller.employee.id) : undefined
  if (!person || person.status !== 'ACTIVE') throw new SsoRefusal('SSO_STATE_INVALID')
  return person
}

/** Sends the browser to the sign-in page with the reason, and writes the refusal down. */
async function refuse(
  context: CrmContext,
  refusal: SsoRefusal,
  { isWritten = false, purpose = 'sign-in' }: { readonly isWritten?: boolean; readonly purpose?: SsoPurpose } = {},
) {
  if (purpose === 'link' && context.caller.isAmbient) await auditRefusedLink(context, refusal)
  else if (!isWritten) await auditRefusal(context, refusal.email ?? somebody, undefined, 'SSO')
  return goTo(context, errorPage(refusal.code))
}

async function auditRefusedLink(context: CrmContext, refusal: SsoRefusal): Promise<void> {
  const { employee } = context.caller
  await context.transact((tx) =>
    audit(tx, context, {
      action: 'identity.refused',
      outcome: 'FAILURE',
      subjectType: 'EMPLOYEE',
      subjectId: employee.id,
      summary: `${employee.name} could not link an account at a provider`,
      data: { reason: refusal.code },
    }),
  )
}

function errorPage(code: SsoError): string {
  return `/sign-in?error=${code}`
}

/** Answers with a redirect; the answer itself is empty. */
function goTo(context: CrmContext, place: string) {
  context.setHeader('location', place)
  return {}
}

function redirectUriOf({ workspace }: CrmContext, { slug }: ProviderRow): string {
  return `${workspace.baseUrl.replace(/\/$/, '')}/api/auth/sso/${slug}/callback`
}

/**
 * A start keeps a row and may ask a provider, so starts are counted by address and for the whole workspace; those that the limit of
 * their address refuses take nothing from the workspace.
 */
async function requireTurn(context: CrmContext): Promise<void> {
  const { ofAddress, ofWorkspace } = context.deps.ssoStarts
  const own = await countClient(context, ofAddress, 1_500)
  const { allowed, retryAfterS } = own.allowed ? await ofWorkspace.consume(workspaceTag(context.workspace.id)) : own
  if (!allowed) throw new ApiError('RATE_LIMITED', { retryAfterS })
}
