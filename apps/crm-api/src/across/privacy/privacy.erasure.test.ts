import { createDatabase, createPool, schema } from '@crm/db'
import { lockWaiters, serviceLog, type TestWorkspace } from '@crm/testkit'
import { createLogger } from '@crm/runtime'
import type { AccessLevel } from '@crm/permissions'
import { eq, sql } from 'drizzle-orm'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { ownApi, type Call } from '../../../test/harness.ts'
import { changesSince, wholeDatabase } from '../../../test/whole-database.ts'
import { finishErasures } from '../../workers/finish-erasures.ts'
import { spellingsOf } from './privacy.erasure.ts'
import { textRowsMax } from './privacy.erase.ts'

const api = await ownApi()
const { db } = api

const leadRights = ['VIEW_LEAD', 'CREATE_LEAD', 'UPDATE_LEAD', 'DELETE_LEAD'] as const
const own = (entityType: string) => ({ entityType, VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }) as const

it('finds an address in both spellings of its domain', () => {
  expect(spellingsOf('Ada@xn--bcher-kva.example')).toEqual(['ada@xn--bcher-kva.example', 'ada@bücher.example'])
  expect(spellingsOf('ada@navy.example')).toContain('ada@navy.example')
})

type Run = (method: Call['method'], path: string, body?: unknown) => ReturnType<typeof api.call>

async function place() {
  const workspace = await api.newWorkspace()
  const as =
    (cookie: string): Run =>
    (method, path, body) =>
      api.call({ method, path, cookie, body }, workspace)
  const admin = as(await workspace.session())
  const made = async (run: Run, path: string, body: object): Promise<string> => {
    const answer = await run('POST', path, body)
    expect({ path, status: answer.status }, JSON.stringify(answer.body)).toEqual({ path, status: 201 })
    return answer.body.data.id as string
  }
  const member = async (
    permissions: readonly string[],
    access: { entityType: string; VIEW: AccessLevel; UPDATE: AccessLevel; DELETE: AccessLevel }[],
  ) => {
    const { id } = await workspace.employee({ grant: { permissions, access } })
    return { id, run: as(await workspace.session(id)) }
  }
  return { workspace, admin, made, member }
}

const erase = (run: Run, type: 'LEAD' | 'CONTACT', id: string, confirm: string, more = {}) =>
  run('POST', '/api/settings/privacy/erasures', { subject: { type, id }, confirm, ...more })

/** Names that are words of the service, and one of a person with an account. */
const hostile: readonly Readonly<Record<string, string>>[] = [
  { firstName: 'argon2id' },
  { lastName: 'VIEW_LEAD' },
  { firstName: 'OPEN', lastName: 'Administrator' },
  { firstName: 'EUR' },
  { firstName: 'VIEW_LEAD', lastName: 'CREATE_LEAD' },
  { firstName: 'Europe', lastName: 'Berlin' },
  { firstName: '%', lastName: '_' },
  { firstName: '.*', lastName: '(.*)' },
  { firstName: '(erased)', lastName: '(erased)' },
]

describe('a caller who may delete their own leads', () => {
  it.each(hostile)('changes nothing but the lead by erasing one named %j', async (name) => {
    const { made, member, admin } = await place()
    await made(admin, '/api/deals', { name: 'VIEW_LEAD CREATE_LEAD and Europe Berlin', description: 'argon2id' })
    const { run } = await member(leadRights, [own('LEAD')])
    const id = await made(run, '/api/leads', name)
    const before = await wholeDatabase(db)
    const confirm = [name['firstName'], name['lastName']].filter(Boolean).join(' ')
    expect(await erase(run, 'LEAD', id, confirm)).toMatchObject({ status: 200 })
    expect(await changesSince(db, before, [id])).toEqual([])
    expect((await run('GET', `/api/leads/${id}`)).status).toBe(404)
  })

  it('takes no address from the account that has it, and learns nothing about who has', async () => {
    const { made, member, admin, workspace } = await place()
    const email = 'boss@corp.example'
    await workspace.employee({ email })
    await made(admin, '/api/leads', { lastName: 'Hidden', email })
    const { run } = await member(leadRights, [own('LEAD')])
    const id = await made(run, '/api/leads', { lastName: 'Mine', email })
    const before = await wholeDatabase(db)
    const answer = await erase(run, 'LEAD', id, email)
    expect(answer.body.data).toEqual({ erased: { leads: 1, timeline: 1 }, kept: [] })
    expect(await changesSince(db, before, [id])).toEqual([])
  })

  it('reaches texts of records that they may see and delete, and no others', async () => {
    const { made, member, admin } = await place()
    const { run } = await member(
      [...leadRights, 'VIEW_TASK', 'CREATE_TASK', 'UPDATE_TASK', 'DELETE_TASK', 'VIEW_DEAL', 'CREATE_DEAL'],
      [own('LEAD'), own('TASK')],
    )
    const text = 'Ask Walter Wunderlich'
    const mine = await made(run, '/api/tasks', { title: text })
    const visible = await made(run, '/api/deals', { name: text })
    const theirs = await made(admin, '/api/tasks', { title: text })
    const id = await made(run, '/api/leads', { firstName: 'Walter', lastName: 'Wunderlich' })
    const answer = await erase(run, 'LEAD', id, 'walter wunderlich')
    // The task, and its entry of history.
    expect(answer.body.data.erased).toEqual({ leads: 1, tasks: 1, timeline: expect.any(Number) })
    expect((await admin('GET', `/api/tasks/${mine}`)).body.data.title).toBe('Ask (erased)')
    expect((await admin('GET', `/api/tasks/${theirs}`)).body.data.title).toBe(text)
    expect((await admin('GET', `/api/deals/${visible}`)).body.data.name).toBe(text)
  })
})

describe('an administrator', () => {
  it('finds the person in every spelling, in texts and in text fields, never in choices', async () => {
    const { made, admin } = await place()
    const field = { entityType: 'DEAL', label: 'Said', key: 'said', type: 'TEXT' }
    expect((await admin('POST', '/api/settings/custom-fields', field)).status).toBe(201)
    const choice = { ...field, label: 'Region', key: 'region', type: 'SELECT' }
    const options = [{ value: 'İlker İpekçi', label: 'North' }]
    expect((await admin('POST', '/api/settings/custom-fields', { ...choice, options })).status).toBe(201)
    const customFields = { said: 'by ILKER IPEKÇI', region: 'İlker İpekçi' }
    const deal = await made(admin, '/api/deals', { name: 'for ilker ipekçi'.normalize('NFD'), customFields })
    const company = await made(admin, '/api/companies', { name: 'Acme', description: 'İLKER İPEKÇİ runs it' })
    const id = await made(admin, '/api/contacts', { firstName: 'İlker', lastName: 'İpekçi', email: 'i@ipekci.example' })
    const preview = await erase(admin, 'CONTACT', id, '', { dryRun: true })
    expect((await admin('GET', `/api/contacts/${id}`)).status).toBe(200)
    const answer = await erase(admin, 'CONTACT', id, 'i@ipekci.example')
    expect(answer.body).toEqual(preview.body)
    expect((await admin('GET', `/api/deals/${deal}`)).body.data).toMatchObject({
      name: 'for (erased)',
      customFields: { said: 'by (erased)', region: 'İlker İpekçi' },
    })
    expect((await admin('GET', `/api/companies/${company}`)).body.data.description).toBe('(erased) runs it')
  })

  it('is told of a record with the same name, whose name then stays in texts', async () => {
    const { made, admin } = await place()
    const task = await made(admin, '/api/tasks', { title: 'Ask Nora Neumann' })
    const twin = await made(admin, '/api/contacts', { firstName: 'Nora', lastName: 'Neumann' })
    const id = await made(admin, '/api/leads', { firstName: 'nora', lastName: 'NEUMANN' })
    const { kept } = (await erase(admin, 'LEAD', id, 'nora neumann')).body.data
    expect(kept).toEqual([{ type: 'CONTACT', id: twin, reason: expect.stringContaining('same name') }])
    expect((await admin('GET', `/api/tasks/${task}`)).body.data.title).toBe('Ask Nora Neumann')
    expect((await erase(admin, 'CONTACT', twin, 'Nora Neumann')).body.data.kept).toEqual([])
    expect((await admin('GET', `/api/tasks/${task}`)).body.data.title).toBe('Ask (erased)')
  })

  it('erases with a contact the lead that it was made from', async () => {
    const { made, admin } = await place()
    const lead = await made(admin, '/api/leads', {
      firstName: 'Otto',
      lastName: 'Obermann',
      email: 'otto@obermann.example',
    })
    const converted = await admin('POST', `/api/leads/${lead}/convert`, {})
    expect(converted.status).toBe(200)
    const contact = converted.body.data.contactId as string
    const first = await erase(admin, 'LEAD', lead, 'otto@obermann.example', { dryRun: true })
    expect(first.body.data.kept).toContainEqual({
      type: 'CONTACT',
      id: contact,
      reason: expect.stringContaining('same person'),
    })
    const answer = await erase(admin, 'CONTACT', contact, 'otto@obermann.example')
    expect(answer.body.data.erased).toMatchObject({ contacts: 1, leads: 1 })
    const [row] = await db.select().from(schema.leads).where(eq(schema.leads.id, lead))
    expect(row).toMatchObject({ firstName: null, lastName: null, email: null })
  })

  it('is refused when the name is rather a common phrase, and nothing changes', async () => {
    const { made, admin, workspace } = await place()
    const task = await made(admin, '/api/tasks', { title: 'Lots' })
    await db.execute(sql`INSERT INTO comments (workspace_id, id, entity_type, entity_id, body, visibility, author_type, author_name)
      SELECT ${workspace.workspaceId}, gen_random_uuid(), 'TASK', ${task}, 'please call back', 'INTERNAL', 'EMPLOYEE', 'A'
      FROM generate_series(1, ${textRowsMax + 1})`)
    const id = await made(admin, '/api/leads', { firstName: 'Call', lastName: 'Back' })
    const before = await wholeDatabase(db)
    for (const more of [{ dryRun: true }, {}])
      expect(await erase(admin, 'LEAD', id, 'Call Back', more)).toMatchObject({
        status: 409,
        body: { code: 'TOO_MANY_TEXTS', details: { limit: textRowsMax } },
      })
    expect(await changesSince(db, before, [])).toEqual([])
  })
})

/** Rows whose texts an erasure has to change, more than one batch of them. */
async function manyTexts(workspace: TestWorkspace, task: string): Promise<void> {
  await db.execute(sql`INSERT INTO comments (workspace_id, id, entity_type, entity_id, body, visibility, author_type, author_name)
    SELECT ${workspace.workspaceId}, gen_random_uuid(), 'TASK', ${task}, 'Paula Petersen called', 'INTERNAL', 'EMPLOYEE', 'A'
    FROM generate_series(1, 900)`)
}

async function leftIn(workspace: TestWorkspace): Promise<number> {
  const { rows } = await db.execute<{ n: number }>(
    sql`SELECT count(*)::int AS n FROM comments WHERE workspace_id = ${workspace.workspaceId} AND body LIKE '%Petersen%'`,
  )
  return rows[0]?.n ?? 0
}

it('goes on where it was when its connection was killed in the middle', async () => {
  const { made, admin, workspace } = await place()
  const task = await made(admin, '/api/tasks', { title: 'Lots' })
  await manyTexts(workspace, task)
  const id = await made(admin, '/api/leads', { firstName: 'Paula', lastName: 'Petersen' })
  // A lock on the last row makes the erasure wait in the middle of its last batch.
  const holder = new Client({ connectionString: api.databaseUrl })
  await holder.connect()
  await holder.query('BEGIN')
  const [last] = (
    await holder.query(
      `SELECT id FROM comments WHERE workspace_id = $1 AND body LIKE '%Petersen%' ORDER BY id DESC LIMIT 1 FOR UPDATE`,
      [workspace.workspaceId],
    )
  ).rows
  expect(last).toBeDefined()
  const answering = erase(admin, 'LEAD', id, 'Paula Petersen')
  await expect
    .poll(async () => {
      const erasing = (await lockWaiters(db)).filter(({ query }) => /FROM "comments".*FOR UPDATE/s.test(query))
      for (const { pid } of erasing) await db.execute(sql`SELECT pg_terminate_backend(${pid}::int)`)
      return erasing.length
    })
    .toBeGreaterThan(0)
  expect((await answering).body.data.erased.comments).toBe(900)
  await holder.query('ROLLBACK')
  await holder.end()
  const left = await leftIn(workspace)
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThan(900)

  const pool = createPool({ databaseUrl: api.databaseUrl, max: 2, applicationName: 'test-erasures' })
  const logger = createLogger({ name: 'erasures', level: 'silent', destination: serviceLog() })
  const round = () => finishErasures({ db: createDatabase(pool), clock: api.clock, logger })
  try {
    await round()
    // Whoever began it has its time.
    expect(await leftIn(workspace)).toBe(left)
    api.clock.advance(120_000)
    await round()
  } finally {
    await pool.end()
  }
  expect(await leftIn(workspace)).toBe(0)
  const [erasure] = await db.select().from(schema.erasures).where(eq(schema.erasures.subjectId, id))
  expect(erasure).toMatchObject({ remaining: 0, words: null, targets: [], doneAt: expect.any(String) })
})
