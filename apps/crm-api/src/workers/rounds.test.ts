import { sealEntries } from '@crm/audit'
import { createDatabase, createPool, newId, schema } from '@crm/db'
import { createEgress, type AddressResolver } from '@crm/egress'
import type { MailMessage } from '@crm/mail'
import { isSealed } from '@crm/secrets'
import { asDeployable, provePeriodicWork, stepsOf, testDatabase, type PlantDue, type TestWorkspace } from '@crm/testkit'
import { and, eq, isNull } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { mailerTo } from '@crm/testkit/mailer'
import { ownApi, secrets } from '../../test/harness.ts'
import { periodicJobs } from './periodic-jobs.ts'

const database = await testDatabase()
const api = await ownApi({ database })
const { clock, logger, storage } = api
const pool = createPool({ databaseUrl: api.databaseUrl, max: 10, applicationName: 'test-rounds', ...asDeployable })
const owner = createPool({ databaseUrl: database.ownerUrl, max: 4, applicationName: 'test-owner' })
const db = createDatabase(owner)

const asked: string[] = []
const server = createServer((request, response) => {
  asked.push(request.url ?? '')
  request.resume()
  response.end('BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n')
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
const resolver: AddressResolver = async () => ['127.0.0.1']
const egress = createEgress({ allowCidrs: ['127.0.0.0/8'], resolver })
afterAll(async () => {
  await egress.close()
  server.close()
  await Promise.all([pool.end(), owner.end()])
})

const mails: MailMessage[] = []
const kept = new Set<string>()
const jobs = periodicJobs({
  pool,
  db: createDatabase(pool),
  storage,
  clock,
  logger,
  secrets,
  egress,
  exportsKeptDays: 7,
  countExports: () => undefined,
  auditProof: { key: Buffer.alloc(32, 'k'), keep: async ({ workspaceId }) => void kept.add(workspaceId) },
  mailer: mailerTo((message) => mails.push(message)),
})

const dayMs = 86_400_000
const ago = (days: number): string => new Date(clock.now().getTime() - days * dayMs).toISOString()
const hash = (): Buffer => Buffer.from(newId())

/** Whether a table has no rows of a workspace any more. */
const isEmpty =
  (table: PgTable & { readonly workspaceId: AnyPgColumn }, { workspaceId }: TestWorkspace) =>
  async () =>
    (await db.$count(table, eq(table.workspaceId, workspaceId))) === 0

async function addEntry(workspaceId: string): Promise<void> {
  await db.insert(schema.auditLog).values({
    workspaceId,
    id: newId(),
    actorType: 'SYSTEM',
    actorName: 'Test',
    action: 'test.done',
    subjectType: 'TEST',
    summary: 'Done',
  })
}

const subscribe = async ({ workspaceId, adminUserId: employeeId }: TestWorkspace): Promise<void> => {
  const url = `http://calendar.example:${port}/${workspaceId}.ics`
  await db.insert(schema.calendarSubscriptions).values({
    workspaceId,
    id: newId(),
    employeeId,
    name: 'Private',
    url,
    nextFetchAt: ago(0.001),
  })
}

const fetched: PlantDue = async (workspace) => {
  await subscribe(workspace)
  const { calendarSubscriptions: table } = schema
  return async () =>
    (await db.$count(table, and(eq(table.workspaceId, workspace.workspaceId), isNull(table.fetchedAt)))) === 0
}

const sealedSecret: PlantDue = async (workspace) => {
  await db.update(schema.backfills).set({ doneAt: null })
  await subscribe(workspace)
  const { calendarSubscriptions: table } = schema
  return async () => {
    const rows = await db.select({ url: table.url }).from(table).where(eq(table.workspaceId, workspace.workspaceId))
    return rows.every(({ url }) => isSealed(url))
  }
}

const healedZone: PlantDue = async ({ workspaceId, adminUserId }) => {
  const { backfills, employees } = schema
  await db.update(backfills).set({ doneAt: null })
  await db.update(employees).set({ timezone: 'AET' }).where(eq(employees.id, adminUserId))
  return async () =>
    (await db.$count(employees, and(eq(employees.workspaceId, workspaceId), eq(employees.timezone, 'AET')))) === 0
}

const dueTask: PlantDue = async ({ workspaceId, adminUserId }) => {
  const { notifications, tasks } = schema
  await db.insert(tasks).values({
    workspaceId,
    id: newId(),
    number: 1,
    title: 'Call',
    status: 'TODO',
    assigneeId: adminUserId,
    dueAt: ago(0.01),
  })
  return async () =>
    (await db.$count(
      notifications,
      and(eq(notifications.workspaceId, workspaceId), eq(notifications.kind, 'task.due')),
    )) === 1
}

const mailedNotice: PlantDue = async ({ workspaceId, adminUserId: employeeId, adminEmail }) => {
  await db.insert(schema.notificationMails).values({ workspaceId, employeeId, kinds: ['RULE_PAUSED'], since: ago(1) })
  await db.insert(schema.notifications).values({
    workspaceId,
    id: newId(),
    employeeId,
    kind: 'RULE_PAUSED',
    text: 'The rule was paused.',
    createdAt: ago(0.01),
  })
  return async () => mails.some(({ to }) => to.address === adminEmail)
}

const sealedEntry: PlantDue = async ({ workspaceId }) => {
  await addEntry(workspaceId)
  const { auditLog } = schema
  return async () =>
    (await db.$count(auditLog, and(eq(auditLog.workspaceId, workspaceId), isNull(auditLog.hash)))) === 0
}

const sentEntry: PlantDue = async ({ workspaceId }) => {
  await addEntry(workspaceId)
  await sealEntries(db, workspaceId)
  const url = `http://stream.example:${port}/${workspaceId}`
  await db.insert(schema.auditStreams).values({ workspaceId, url, nextAt: ago(0.01) })
  return async () => asked.includes(`/${workspaceId}`)
}

const signedHead: PlantDue = async ({ workspaceId }) => {
  await addEntry(workspaceId)
  await sealEntries(db, workspaceId)
  return async () => kept.has(workspaceId)
}

const file: PlantDue = async (workspace) => {
  const { workspaceId, adminUserId: uploadedById } = workspace
  const facts = { name: 'a.txt', contentType: 'text/plain', size: 1, sha256: '00' }
  await db.insert(schema.files).values({ ...facts, workspaceId, id: newId(), uploadedById, leavesAt: ago(1) })
  return isEmpty(schema.files, workspace)
}

const upload: PlantDue = async (workspace) => {
  await db.insert(schema.fileUploads).values({ workspaceId: workspace.workspaceId, id: newId(), startedAt: ago(1) })
  return isEmpty(schema.fileUploads, workspace)
}

const content: PlantDue = async ({ workspaceId }) => {
  const { leavingContents } = schema
  const key = `${workspaceId}/${newId()}`
  await db.insert(leavingContents).values({ workspaceId, key, leavesAt: ago(1) })
  // The contents of other pieces may still be kept for a while.
  return async () => (await db.$count(leavingContents, eq(leavingContents.key, key))) === 0
}

const deadImport: PlantDue = async (workspace) => {
  const { workspaceId, adminUserId: employeeId } = workspace
  await db.insert(schema.imports).values({
    workspaceId,
    id: newId(),
    employeeId,
    entityType: 'LEAD',
    state: 'UPLOADING',
    createdAt: ago(1),
  } as typeof schema.imports.$inferInsert)
  return isEmpty(schema.imports, workspace)
}

const oldExport: PlantDue = async (workspace) => {
  const { workspaceId, adminUserId: employeeId } = workspace
  await db
    .insert(schema.exports)
    .values({ workspaceId, id: newId(), employeeId, entityType: 'LEAD', state: 'DONE', createdAt: ago(30) })
  return isEmpty(schema.exports, workspace)
}

const signIn: PlantDue = async (workspace) => {
  const { workspaceId, adminUserId: employeeId } = workspace
  await db
    .insert(schema.pendingSignIns)
    .values({ workspaceId, tokenHash: hash(), employeeId, step: 'ENROL', method: 'SSO', expiresAt: ago(1) })
  return isEmpty(schema.pendingSignIns, workspace)
}

const challenge: PlantDue = async (workspace) => {
  const { workspaceId, adminUserId: employeeId } = workspace
  await db
    .insert(schema.passkeyChallenges)
    .values({ workspaceId, challenge: newId(), employeeId, purpose: 'ADD', expiresAt: ago(1) })
  return isEmpty(schema.passkeyChallenges, workspace)
}

const reset: PlantDue = async (workspace) => {
  const { workspaceId, adminUserId: employeeId } = workspace
  await db.insert(schema.passwordResets).values({ workspaceId, tokenHash: hash(), employeeId, expiresAt: ago(2) })
  return isEmpty(schema.passwordResets, workspace)
}

const signInTry: PlantDue = async (workspace) => {
  await db.insert(schema.signInTries).values({ workspaceId: workspace.workspaceId, key: newId(), endsAt: ago(1) })
  return isEmpty(schema.signInTries, workspace)
}

const ssoState: PlantDue = async (workspace) => {
  const { workspaceId } = workspace
  const providerId = newId()
  await db.insert(schema.identityProviders).values({
    workspaceId,
    id: providerId,
    slug: 'corp',
    name: 'Corp',
    issuer: 'https://corp.example',
    clientId: 'crm',
    authMethod: 'none',
    scopes: [],
  })
  await db.insert(schema.ssoStates).values({
    workspaceId,
    providerId,
    stateHash: hash(),
    browserHash: hash(),
    nonce: 'n',
    verifier: 'v',
    purpose: 'sign-in',
    next: '/',
    expiresAt: ago(1),
  })
  return isEmpty(schema.ssoStates, workspace)
}

const expiringKey: PlantDue = async (workspace) => {
  const { id } = await workspace.apiKey({ expiresAt: ago(-3) })
  const { apiKeys } = schema
  await db
    .update(apiKeys)
    .set({ createdAt: ago(60) })
    .where(eq(apiKeys.id, id))
  return async () => (await db.$count(apiKeys, and(eq(apiKeys.id, id), isNull(apiKeys.toldExpiresAt)))) === 0
}

const deletedRecord: PlantDue = async (workspace) => {
  await db.insert(schema.companies).values({
    workspaceId: workspace.workspaceId,
    id: newId(),
    name: 'Old',
    deletedAt: ago(40),
  } as typeof schema.companies.$inferInsert)
  return isEmpty(schema.companies, workspace)
}

const retiredField: PlantDue = async (workspace) => {
  await db.insert(schema.retiredFields).values({
    workspaceId: workspace.workspaceId,
    id: newId(),
    entityType: 'LEAD',
    key: 'colour',
    definition: {} as (typeof schema.retiredFields.$inferInsert)['definition'],
    valueCount: 0,
    retiredAt: ago(40),
    purgeAt: ago(1),
  })
  return isEmpty(schema.retiredFields, workspace)
}

const erasedText: PlantDue = async ({ workspaceId }) => {
  const { comments, erasures } = schema
  const id = newId()
  await db.insert(comments).values({
    workspaceId,
    id,
    entityType: 'TASK',
    entityId: newId(),
    body: 'Ada Quixworth called',
    visibility: 'INTERNAL',
    authorType: 'EMPLOYEE',
    authorName: 'A',
  } as typeof comments.$inferInsert)
  await db.insert(erasures).values({
    workspaceId,
    subjectType: 'LEAD',
    subjectId: newId(),
    words: { names: [['Ada', 'Quixworth']], emails: [], phones: [] },
    targets: [{ table: 'comments', keyColumns: ['id'], keys: [[id]] }],
    remaining: 1,
    nextAt: ago(0.01),
  })
  return async () =>
    (await db.$count(erasures, and(eq(erasures.workspaceId, workspaceId), isNull(erasures.doneAt)))) === 0
}

const oldProposal: PlantDue = async (workspace) => {
  const { workspaceId, adminUserId: employeeId } = workspace
  const credential = { credentialClass: 'api-key', credentialId: newId() } as const
  const via = { viaType: 'API_KEY', viaId: newId(), viaName: 'Agent' } as const
  const request = { method: 'DELETE', url: '/api/leads/1', body: null } as const
  await db.insert(schema.proposals).values({
    workspaceId,
    id: newId(),
    employeeId,
    ...credential,
    ...via,
    operation: 'leads.delete',
    request,
    changes: [],
    versions: {},
    expiresAt: ago(91),
  })
  return isEmpty(schema.proposals, workspace)
}

const oldUse: PlantDue = async (workspace) => {
  const { workspaceId } = workspace
  const [day, createdAt] = [ago(8).slice(0, 10), ago(8)]
  await db.insert(schema.budgetUses).values({ workspaceId, budgetKey: newId(), day, writes: 1, createdAt })
  return isEmpty(schema.budgetUses, workspace)
}

describe('the periodic work of the CRM API', () => {
  provePeriodicWork({
    atOnce: stepsOf(2_000),
    jobs,
    db,
    ownerUrl: database.ownerUrl,
    newWorkspace: () => api.newWorkspace(),
    advance: (ms) => clock.advance(ms),
    due: {
      calendars: [fetched],
      'due-tasks': [dueTask],
      'notification-mails': [mailedNotice],
      backfills: [healedZone, sealedSecret],
      'audit-chains': [sealedEntry],
      'audit-streams': [sentEntry],
      'audit-heads': [signedHead],
      erasures: [erasedText],
      'old-files': [file, upload],
      'old-contents': [content],
      'old-transfers': [deadImport, oldExport],
      'old-sign-in-tries': [signIn, challenge, reset, signInTry],
      'expiring-keys': [expiringKey],
      'old-sso-states': [ssoState],
      'deleted-records': [deletedRecord],
      'retired-fields': [retiredField],
      'old-agents': [oldProposal, oldUse],
    },
  })
})

it('fetches 2,000 calendars that are due together in one round, and none twice', async () => {
  const workspace = await api.newWorkspace()
  const { workspaceId, adminUserId: employeeId } = workspace
  const rows = Array.from({ length: 2_000 }, (_, n) => ({
    workspaceId,
    id: newId(),
    employeeId,
    name: `Calendar ${n}`,
    url: `http://calendar.example:${port}/${n}.ics`,
    nextFetchAt: ago(0.001),
  }))
  for (let at = 0; at < rows.length; at += 500)
    await db.insert(schema.calendarSubscriptions).values(rows.slice(at, at + 500))
  asked.splice(0)
  await jobs.find(({ name }) => name === 'calendars')?.perform()
  const fetchedUrls = asked.filter((url) => /^\/\d+\.ics$/.test(url))
  expect([fetchedUrls.length, new Set(fetchedUrls).size]).toEqual([2_000, 2_000])
})
