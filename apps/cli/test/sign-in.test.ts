import { createDatabase, createPool, newId, schema } from '@crm/db'
import { createTestWorkspace, startDns, testDatabase, testRedis } from '@crm/testkit'
import { eq } from 'drizzle-orm'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { commandIn } from './command.ts'

const database = await testDatabase()
const { url: redisUrl } = await testRedis()
const dataDir = mkdtempSync(join(tmpdir(), 'crm-cli-'))
const pool = createPool({ databaseUrl: database.ownerUrl, max: 2, applicationName: 'test-cli' })
const db = createDatabase(pool)
const dns = await startDns()
afterAll(async () => {
  await Promise.all([pool.end(), dns.close()])
  rmSync(dataDir, { recursive: true, force: true })
})

const crm = (...args: string[]) =>
  commandIn(
    {
      DATABASE_URL: database.operatorUrl,
      DATABASE_PREPARE: process.env['DATABASE_PREPARE'],
      REDIS_URL: redisUrl,
      DATA_DIR: dataDir,
      BASE_URL: 'http://localhost:9090',
    },
    args,
  )

it('crm sign-in sso-off lets people in with passwords again', async () => {
  const { workspaceId, slug } = await createTestWorkspace(db)
  const { workspaces } = schema
  await db
    .update(workspaces)
    .set({ signInPolicy: { enforceSso: true } })
    .where(eq(workspaces.id, workspaceId))
  const { code, stdout } = await crm('sign-in', 'sso-off', '--workspace', slug, '--json')
  expect({ code, ...JSON.parse(stdout) }).toEqual({ code: 0, workspaceId, enforceSso: false })
  const [row] = await db.select().from(workspaces).where(eq(workspaces.id, workspaceId))
  expect(row?.signInPolicy).toMatchObject({ enforceSso: false })
})

it('crm user status leaves the emergency access and what a person chose', async () => {
  const { workspaceId, slug, adminUserId, adminEmail, employee } = await createTestWorkspace(db)
  const { workspaces, employees, scimPeople, totpFactors } = schema
  const other = await employee({ roles: ['Administrator'] })
  const at = new Date().toISOString()
  await db.insert(totpFactors).values({ workspaceId, employeeId: adminUserId, secret: 'x', confirmedAt: at })
  await db
    .update(workspaces)
    .set({ signInPolicy: { enforceSso: true, breakGlassUserIds: [adminUserId] } })
    .where(eq(workspaces.id, workspaceId))
  const status = (email: string, to: string) => crm('user', 'status', email, to, '--workspace', slug)
  expect(await status(adminEmail, 'SUSPENDED')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('BREAK_GLASS_REQUIRED'),
  })
  const [row] = await db.select().from(employees).where(eq(employees.id, adminUserId))
  expect(row?.status).toBe('ACTIVE')
  await db.insert(scimPeople).values({ workspaceId, employeeId: other.id, isSuspended: true })
  expect((await status(other.email, 'SUSPENDED')).code).toBe(0)
  const [facts] = await db.select().from(scimPeople).where(eq(scimPeople.employeeId, other.id))
  expect(facts?.isSuspended).toBe(false)
})

it('crm domain verify looks in DNS, and gives a domain to one workspace', async () => {
  const [one, other] = [await createTestWorkspace(db), await createTestWorkspace(db)]
  for (const { workspaceId } of [one, other])
    await db.insert(schema.domains).values({ workspaceId, id: newId(), domain: 'acme.example', challenge: workspaceId })
  const verify = (slug: string, domain = 'acme.example') =>
    crm('domain', 'verify', domain, '--workspace', slug, '--dns', dns.address, '--json')
  expect(await verify(one.slug, 'else.example')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('does not claim'),
  })
  expect(await verify(one.slug)).toMatchObject({ code: 1, stderr: expect.stringContaining('DOMAIN_NOT_VERIFIED') })
  dns.texts.set('_crm-challenge.acme.example', `crm-domain=${one.workspaceId}`)
  expect(JSON.parse((await verify(one.slug)).stdout)).toMatchObject({ domain: 'acme.example', status: 'VERIFIED' })
  dns.texts.set('_crm-challenge.acme.example', `crm-domain=${other.workspaceId}`)
  expect(await verify(other.slug)).toMatchObject({ code: 1, stderr: expect.stringContaining('Another workspace') })
})
