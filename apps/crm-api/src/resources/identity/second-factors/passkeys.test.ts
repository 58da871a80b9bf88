import { schema } from '@crm/db'
import { createTestWorkspace, launchBrowser, testPassword } from '@crm/testkit'
import { and, eq, isNull, type SQL } from 'drizzle-orm'
import { beforeEach, expect, it } from 'vitest'
import { ownApi } from '../../../../test/harness.ts'

/** The browser keeps the cookies, and its virtual authenticator the passkeys. */
const api = await ownApi()
await api.app.listen({ host: '127.0.0.1', port: 0 })
const { port } = api.app.server.address() as { port: number }
const baseUrl = `http://localhost:${port}`
const workspace = await createTestWorkspace(api.db, { baseUrl })
await api.db.insert(schema.workspaceHosts).values({ host: 'localhost', workspaceId: workspace.workspaceId })
const browser = await launchBrowser()
const context = await browser.newContext()
const page = await context.newPage()
await page.goto(`${baseUrl}/api/settings/openapi.json`)
const device = await context.newCDPSession(page)
await device.send('WebAuthn.enable')

interface Answer {
  readonly status: number
  // The assertions of the tests check the content of an answer.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

let authenticatorId = ''
beforeEach(async () => {
  if (authenticatorId) await device.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
  const made = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  authenticatorId = made.authenticatorId
  await context.clearCookies()
})

/** Sends a request as the console would. */
const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
  page.evaluate(
    async (asked) => {
      const answer = await fetch(`/api/${asked.path}`, {
        method: asked.method,
        ...(asked.body === undefined
          ? {}
          : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(asked.body) }),
      })
      return { status: answer.status, body: await answer.json() }
    },
    { method, path, body },
  )

/** Makes a passkey, or shows one, with options of the service. */
const make = (options: unknown): Promise<unknown> => inPage('create', 'parseCreationOptionsFromJSON', options)
const show = (options: unknown): Promise<object> => inPage('get', 'parseRequestOptionsFromJSON', options)

/** The page is no part of this program, which therefore knows no types for it. */
const inPage = (act: string, parse: string, options: unknown): Promise<object> =>
  page.evaluate(`navigator.credentials.${act}({ publicKey: PublicKeyCredential.${parse}(${JSON.stringify(options)}) })
    .then((credential) => credential.toJSON())`)

const optionsOf = async (path: string) => (await send('POST', path)).body.data as unknown
const signIn = (email: string) => send('POST', 'auth/login', { email, password: testPassword })
const addPasskey = async (name = 'Laptop') =>
  send('POST', 'auth/passkeys', { name, response: await make(await optionsOf('auth/passkeys/options')) })
const alone = async () => ({ response: await show(await optionsOf('auth/passkey/options')) })
const methodOfSession = async () =>
  (await send('GET', 'auth/sessions')).body.data.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent)

async function personWithPasskey() {
  const person = await workspace.employee()
  await signIn(person.email)
  const added = await addPasskey()
  expect(added).toMatchObject({ status: 201, body: { data: { name: 'Laptop', lastUsedAt: null } } })
  return { ...person, passkeyId: added.body.data.id as string }
}

const { auditLog } = schema
/** The reasons of the refused sign-ins that stand in the audit log. */
const refusals = async (which: SQL) => {
  const refused = and(which, eq(auditLog.action, 'session.refused'))
  const lines = await api.db.select().from(auditLog).where(refused).orderBy(auditLog.id)
  return lines.map(({ data }) => data['reason'])
}

const unknown = { status: 401, body: { code: 'AUTHENTICATION_ERROR' } }

it('a passkey alone signs in, counts as both steps, and its answer works once', async () => {
  const { id } = await personWithPasskey()
  await context.clearCookies()
  const answer = await alone()
  expect(await send('POST', 'auth/passkey', answer)).toMatchObject({
    status: 200,
    body: { data: { step: 'DONE', user: { id } } },
  })
  expect(await methodOfSession()).toMatchObject({ method: 'PASSKEY', secondFactor: true })
  expect(await send('POST', 'auth/passkey', answer)).toMatchObject(unknown)
  const late = await alone()
  api.clock.advance(5 * 60_000)
  expect(await send('POST', 'auth/passkey', late)).toMatchObject(unknown)
})

it('a passkey is the second factor after a password, and makes a session fresh', async () => {
  const { email, id } = await personWithPasskey()
  await context.clearCookies()
  expect((await signIn(email)).body.data).toEqual({ step: 'SECOND_FACTOR', methods: ['PASSKEY'] })
  const response = await show(await optionsOf('auth/second-factor/options'))
  const done = await send('POST', 'auth/second-factor', { method: 'PASSKEY', response })
  expect(done.body.data).toMatchObject({ step: 'DONE', user: { id } })
  expect(await methodOfSession()).toMatchObject({ method: 'PASSWORD', secondFactor: true })
  api.clock.advance(60 * 60_000)
  expect((await send('POST', 'auth/totp')).body.code).toBe('REAUTHENTICATION_REQUIRED')
  const again = await show(await optionsOf('auth/second-factor/options'))
  expect((await send('POST', 'auth/reauthenticate', { response: again })).status).toBe(200)
  expect((await send('POST', 'auth/totp')).status).toBe(200)
  expect((await send('POST', 'auth/reauthenticate', { response: again })).body.code).toBe('SECOND_FACTOR_INVALID')
})

it('403 SSO_REQUIRED: an enforced provider refuses a passkey, of whomever it is', async () => {
  const { id } = await personWithPasskey()
  await context.clearCookies()
  const policy = (signInPolicy: Readonly<Record<string, unknown>>) =>
    api.db.update(schema.workspaces).set({ signInPolicy }).where(eq(schema.workspaces.id, workspace.workspaceId))
  const made = await alone()
  const nonsense = { id: 'x', rawId: 'x', type: 'public-key', clientExtensionResults: {}, response: {} }
  for (const breakGlassUserIds of [[], [id]]) {
    await policy({ enforceSso: true, breakGlassUserIds })
    await api.epochs.bump(workspace.workspaceId)
    for (const answer of [made, { response: nonsense }])
      expect(await send('POST', 'auth/passkey', answer)).toMatchObject({ status: 403, body: { code: 'SSO_REQUIRED' } })
  }
  await policy({})
  await api.epochs.bump(workspace.workspaceId)
  expect((await send('POST', 'auth/passkey', made)).status).toBe(200)
  expect(await refusals(eq(auditLog.subjectId, id))).toEqual(['SSO', 'SSO'])
})

it('a copy of a passkey is refused, because its counter does not grow', async () => {
  const { id, email } = await personWithPasskey()
  const { credentials } = await device.send('WebAuthn.getCredentials', { authenticatorId })
  for (let times = 0; times < 2; times += 1) {
    await context.clearCookies()
    expect((await send('POST', 'auth/passkey', await alone())).status).toBe(200)
  }
  await device.send('WebAuthn.clearCredentials', { authenticatorId })
  for (const credential of credentials) await device.send('WebAuthn.addCredential', { authenticatorId, credential })
  await context.clearCookies()
  expect(await send('POST', 'auth/passkey', await alone())).toMatchObject(unknown)
  expect(await refusals(eq(auditLog.subjectId, id))).toEqual(['SECOND_FACTOR'])
  await signIn(email)
  const response = await show(await optionsOf('auth/second-factor/options'))
  expect((await send('POST', 'auth/second-factor', { method: 'PASSKEY', response })).body.code).toBe(
    'SECOND_FACTOR_INVALID',
  )
  expect(await refusals(eq(auditLog.subjectId, id))).toEqual(['SECOND_FACTOR', 'SECOND_FACTOR'])
})

it('a challenge serves its own purpose and person, and a passkey its own workspace', async () => {
  const { email } = await personWithPasskey()
  await context.clearCookies()
  await signIn(email)
  const forFactor = await show(await optionsOf('auth/second-factor/options'))
  expect(await send('POST', 'auth/passkey', { response: forFactor })).toMatchObject(unknown)
  const forSignIn = await alone()
  expect((await send('POST', 'auth/second-factor', { method: 'PASSKEY', ...forSignIn })).body.code).toBe(
    'SECOND_FACTOR_INVALID',
  )
  const elsewhere = await api.call({ method: 'POST', path: '/api/auth/passkey', body: await alone() })
  expect(elsewhere).toMatchObject(unknown)
})

it('a passkey that does not verify the person is a second factor, and no sign-in alone', async () => {
  const { email } = await personWithPasskey()
  await context.clearCookies()
  const options = { ...((await optionsOf('auth/passkey/options')) as object), userVerification: 'discouraged' }
  await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  expect(await send('POST', 'auth/passkey', { response: await show(options) })).toMatchObject(unknown)
  await signIn(email)
  const asFactor = { ...((await optionsOf('auth/second-factor/options')) as object), userVerification: 'discouraged' }
  expect((await send('POST', 'auth/second-factor', { method: 'PASSKEY', response: await show(asFactor) })).status).toBe(
    200,
  )
})

it('passkeys are listed, renamed and removed by their owner, and the last that is needed stays', async () => {
  const { passkeyId } = await personWithPasskey()
  const named = await send('PATCH', `auth/passkeys/${passkeyId}`, { name: 'Desk' })
  expect(named.body.data).toMatchObject({ id: passkeyId, name: 'Desk' })
  expect((await send('GET', 'auth/factors')).body.data).toMatchObject({ totp: null, passkeys: [{ name: 'Desk' }] })
  const other = await workspace.employee()
  await context.clearCookies()
  await signIn(other.email)
  for (const method of ['PATCH', 'DELETE'])
    expect(
      await send(method, `auth/passkeys/${passkeyId}`, method === 'PATCH' ? { name: 'Mine' } : undefined),
    ).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  await context.clearCookies()
  await send('POST', 'auth/passkey', await alone())
  const policy = (signInPolicy: Readonly<Record<string, unknown>>) =>
    api.db.update(schema.workspaces).set({ signInPolicy }).where(eq(schema.workspaces.id, workspace.workspaceId))
  await policy({ secondFactor: 'REQUIRED' })
  await api.epochs.bump(workspace.workspaceId)
  expect((await send('DELETE', `auth/passkeys/${passkeyId}`)).body.code).toBe('SECOND_FACTOR_REQUIRED')
  await policy({})
  await api.epochs.bump(workspace.workspaceId)
  expect((await send('DELETE', `auth/passkeys/${passkeyId}`)).status).toBe(200)
})

it('a required second factor may be a passkey, which gives the session', async () => {
  const { email, id } = await workspace.employee({ roles: ['Manager'] })
  await api.db
    .update(schema.workspaces)
    .set({ signInPolicy: { secondFactorRoleIds: [workspace.roleIds['Manager']] } })
    .where(eq(schema.workspaces.id, workspace.workspaceId))
  await api.epochs.bump(workspace.workspaceId)
  expect((await signIn(email)).body.data.step).toBe('ENROL')
  expect((await addPasskey()).body.data).toMatchObject({ name: 'Laptop', step: 'DONE', user: { id } })
  expect((await send('GET', 'auth/sessions')).status).toBe(200)
})

it('what is no passkey is refused', async () => {
  const { email } = await workspace.employee()
  await signIn(email)
  const response = { id: 'x', rawId: 'x', type: 'public-key', clientExtensionResults: {}, response: {} }
  expect((await send('POST', 'auth/passkeys', { name: 'Fake', response })).body.code).toBe('SECOND_FACTOR_INVALID')
  const ofStrangers = and(eq(auditLog.workspaceId, workspace.workspaceId), isNull(auditLog.subjectId))!
  const before = await refusals(ofStrangers)
  expect(await send('POST', 'auth/passkey', { response })).toMatchObject(unknown)
  expect(await refusals(ofStrangers)).toEqual([...before, 'UNKNOWN'])
  expect((await send('POST', 'auth/passkey', { response: { id: 1 } })).body.code).toBe('VALIDATION_ERROR')
})
