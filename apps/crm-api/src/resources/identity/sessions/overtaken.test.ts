import { schema, type Transaction } from '@crm/db'
import { hashPassword } from '@crm/identity'
import { lockWaiters, testPassword, type TestWorkspace } from '@crm/testkit'
import { and, eq } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { expect, it } from 'vitest'
import { cookieOf } from '../../../../test/cookies.ts'
import { ownApi, type CallAnswer } from '../../../../test/harness.ts'

const api = await ownApi()
const { db, clock, workspace } = api
const next = 'a wholly different sentence 47'
const chosenHash = await hashPassword('what the owner chose instead 93')

const post = (path: string, body: unknown, cookie?: string, at: TestWorkspace = workspace) =>
  api.call({ method: 'POST', path: `/api/auth/${path}`, body, ...(cookie ? { cookie } : {}) }, at)
const signIn = (email: string) => post('login', { email, password: testPassword })
const codeOf = (secret: string): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now().getTime() })

/** Sends a request, and commits a change of its person after everything was checked and before anything was stored. */
async function overtake(
  id: string,
  request: () => Promise<CallAnswer>,
  change: (tx: Transaction) => Promise<unknown>,
  { workspaceId } = workspace,
): Promise<CallAnswer> {
  let answer: Promise<CallAnswer> | undefined
  await db.transaction(async (tx) => {
    const isThem = and(eq(schema.employees.workspaceId, workspaceId), eq(schema.employees.id, id))
    await tx.select().from(schema.employees).where(isThem).for('update')
    answer = request()
    await expect.poll(() => lockWaiters(db), { timeout: 30_000 }).toHaveLength(1)
    await change(tx as Transaction)
  })
  return (await answer)!
}

/** What every new password does. */
const choosePassword = (id: string) => async (tx: Transaction) => {
  await tx.update(schema.employees).set({ passwordHash: chosenHash }).where(eq(schema.employees.id, id))
  await tx.delete(schema.pendingSignIns).where(eq(schema.pendingSignIns.employeeId, id))
  await tx.delete(schema.sessions).where(eq(schema.sessions.employeeId, id))
}

/** What happens when somebody resets the second factors of a person. */
const resetFactors = (id: string) => async (tx: Transaction) => {
  for (const table of [schema.totpFactors, schema.passkeys, schema.pendingSignIns, schema.sessions])
    await tx.delete(table).where(eq(table.employeeId, id))
}

/** Returns everything with which a person gets in. */
async function leftOf(id: string) {
  const counts: Record<string, number> = {}
  const tables = { sessions: schema.sessions, pending: schema.pendingSignIns, passkeys: schema.passkeys }
  for (const [name, table] of Object.entries(tables))
    counts[name] = (await db.select().from(table).where(eq(table.employeeId, id))).length
  const confirmed = await db.select().from(schema.totpFactors).where(eq(schema.totpFactors.employeeId, id))
  return { ...counts, apps: confirmed.filter(({ confirmedAt }) => confirmedAt).length }
}

const nothing = { sessions: 0, pending: 0, passkeys: 0, apps: 0 }

async function withApp() {
  const { id, email } = await workspace.employee()
  const cookie = await workspace.session(id)
  const { secret } = (await post('totp', undefined, cookie)).body.data
  expect((await post('totp/confirm', { code: codeOf(secret) }, cookie)).status).toBe(200)
  clock.advance(90_000)
  return { id, email, cookie, secret: secret as string }
}

it('a sign-in with a password that is replaced meanwhile is refused like a wrong one', async () => {
  const { id, email } = await workspace.employee()
  const answer = await overtake(id, () => signIn(email), choosePassword(id))
  const wrong = await post('login', { email, password: 'wrong' })
  expect([answer.status, answer.body]).toEqual([wrong.status, wrong.body])
  expect(await leftOf(id)).toEqual(nothing)
})

it('a sign-in of somebody who is suspended meanwhile is refused as such', async () => {
  const { id, email } = await workspace.employee()
  const suspend = (tx: Transaction) =>
    tx.update(schema.employees).set({ status: 'SUSPENDED' }).where(eq(schema.employees.id, id))
  expect(await overtake(id, () => signIn(email), suspend)).toMatchObject({
    status: 403,
    body: { code: 'ACCOUNT_DISABLED' },
  })
  expect(await leftOf(id)).toEqual(nothing)
})

it('nor does it wait for a second factor', async () => {
  const { id, email } = await withApp()
  const answer = await overtake(id, () => signIn(email), choosePassword(id))
  expect(answer).toMatchObject({ status: 401, body: { code: 'AUTHENTICATION_ERROR' } })
  expect(await leftOf(id)).toEqual({ ...nothing, apps: 1 })
})

it.each([
  ['a new password', choosePassword],
  ['a reset of second factors', resetFactors],
])('a second factor completes no sign-in that %s has ended', async (_what, change) => {
  const { id, email, secret } = await withApp()
  const pending = cookieOf(await signIn(email), 'crm_pending')
  const show = () => post('second-factor', { method: 'TOTP', code: codeOf(secret) }, pending)
  expect(await overtake(id, show, change(id))).toMatchObject({ status: 401, body: { code: 'SIGN_IN_EXPIRED' } })
  expect(await leftOf(id)).toMatchObject({ sessions: 0, pending: 0 })
})

it('whoever knew the former password does not replace the new one', async () => {
  const { id } = await workspace.employee()
  const cookie = await workspace.session(id)
  const replace = () => post('password', { current: testPassword, next }, cookie)
  expect(await overtake(id, replace, choosePassword(id))).toMatchObject({
    status: 401,
    body: { code: 'AUTHENTICATION_ERROR' },
  })
  const [row] = await db.select().from(schema.employees).where(eq(schema.employees.id, id))
  expect(row?.passwordHash).toBe(chosenHash)
})

it('and adds no second factor in the session that it ended', async () => {
  const { id } = await workspace.employee()
  const cookie = await workspace.session(id)
  const { secret } = (await post('totp', undefined, cookie)).body.data
  const confirm = () => post('totp/confirm', { code: codeOf(secret) }, cookie)
  expect(await overtake(id, confirm, choosePassword(id))).toMatchObject({ status: 401 })
  expect(await leftOf(id)).toEqual(nothing)
})

it('nor in the sign-in that needed a first one', async () => {
  const at = await api.newWorkspace()
  const admin = await at.session()
  const policy = { method: 'PATCH', path: '/api/settings/sign-in', cookie: admin } as const
  expect((await api.call({ ...policy, body: { secondFactor: 'REQUIRED' } }, at)).status).toBe(200)
  const { id, email } = await at.employee()
  const pending = cookieOf(await post('login', { email, password: testPassword }, undefined, at), 'crm_pending')
  const { secret } = (await post('totp', undefined, pending, at)).body.data
  const confirm = () => post('totp/confirm', { code: codeOf(secret) }, pending, at)
  expect(await overtake(id, confirm, choosePassword(id), at)).toMatchObject({
    status: 401,
    body: { code: 'SIGN_IN_EXPIRED' },
  })
  expect(await leftOf(id)).toEqual(nothing)
})
