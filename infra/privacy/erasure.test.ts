import { readEntries, sealEntries, verifyChain } from '@crm/audit'
import { newId, schema } from '@crm/db'
import { digest, newSecret, sessionCookie } from '@crm/identity'
import { testScratchDir } from '@crm/testkit'
import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { ownApi } from '../../apps/crm-api/test/harness.ts'
import { jobsUnderTest } from '../../apps/crm-api/test/jobs.ts'
import { changesSince, holdingOf, wholeDatabase } from '../../apps/crm-api/test/whole-database.ts'
import { seedDemo } from '../../apps/cli/src/demo/seed-demo.ts'

const api = await ownApi()
const { db } = api
const jobs = await jobsUnderTest(api)
const host = 'privacy.test'
const person = { firstName: 'Ada', lastName: 'Quixworth', email: 'ada@quixworth.example', phone: '+4915199887766' }
const mention = 'Ada Quixworth, ada@quixworth.example, +4915199887766 (quixworth)'
const erasedMention = '(erased), (erased), (erased) (quixworth)'
let workspaceId: string
let cookie: string

async function sessionOf(employeeId: string): Promise<string> {
  const token = newSecret()
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  await db.insert(schema.sessions).values({ workspaceId, employeeId, tokenHash: digest(token), expiresAt })
  return `${sessionCookie}=${token}`
}

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown, as = cookie) =>
  api.call({ method, path, body, cookie: as, headers: { host, origin: `http://${host}` } })

/** Every row of the workspace with the word in any column, by table. */
async function foundIn(text: string): Promise<Record<string, number>> {
  const { rows } = await db.execute<{ name: string }>(
    sql`SELECT DISTINCT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'workspace_id' ORDER BY 1`,
  )
  const found: Record<string, number> = {}
  for (const { name } of rows) {
    const [row] = (
      await db.execute<{ n: number }>(
        sql`SELECT count(*)::int AS n FROM ${sql.identifier(name)} t WHERE workspace_id = ${workspaceId} AND t::text ILIKE ${`%${text}%`}`,
      )
    ).rows
    if (row && row.n > 0) found[name] = row.n
  }
  return found
}

/** The text columns of every table of workspaces, as the database lists them. */
async function openColumns(): Promise<{ table: string; column: string; type: string }[]> {
  const { rows } = await db.execute<{ table: string; column: string; type: string }>(sql`
    SELECT c.relname AS "table", a.attname AS "column", a.atttypid::regtype::text AS type
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.atttypid IN ('text'::regtype, 'jsonb'::regtype, 'text[]'::regtype)
      AND EXISTS (SELECT FROM pg_attribute w WHERE w.attrelid = c.oid AND w.attname = 'workspace_id')`)
  return rows
}

/**
 * Writes the person into every column that takes a text, in one row of each table; returns the columns. The log of the audit, which a trigger
 * protects, and what the request itself needs stay as they are.
 */
async function plantEverywhere(subjectId: string, invoiceId: string): Promise<Set<string>> {
  const needed =
    /^(audit_log|audit_chains|data_keys|erasures)\.|^(contacts|leads)\.custom_fields|^sessions\.|^workspace_hosts\.|^employees\.|^roles\.(permissions|access)|^custom_(entities|records)\.(entity_)?key|^number_|\.entity_type$/
  // The API refuses a row with what is planted.
  const readAgain: Readonly<Record<string, string>> = { contacts: subjectId, leads: subjectId, invoices: invoiceId }
  const planted = new Set<string>()
  for (const { table, column, type } of await openColumns()) {
    if (needed.test(`${table}.${column}`)) continue
    const name = sql.identifier(column)
    const own = readAgain[table]
    const isOther = own === undefined ? sql`true` : sql`id <> ${own}::uuid`
    const value =
      type === 'text'
        ? sql`concat(${name}, ${` ${mention}`}::text)`
        : type === 'jsonb'
          ? sql`CASE jsonb_typeof(${name}) WHEN 'object' THEN ${name} || jsonb_build_object('planted', ${mention}::text) WHEN 'array' THEN ${name} || to_jsonb(${mention}::text) ELSE to_jsonb(${mention}::text) END`
          : sql`array_append(${name}, ${mention}::text)`
    try {
      const { rowCount } = await db.execute(
        sql`UPDATE ${sql.identifier(table)} SET ${name} = ${value} WHERE workspace_id = ${workspaceId} AND ctid = (SELECT ctid FROM ${sql.identifier(table)} WHERE workspace_id = ${workspaceId} AND ${isOther} ORDER BY ctid LIMIT 1)`,
      )
      if (rowCount) planted.add(`${table}.${column}`)
    } catch {
      // A column with a fixed set of values, or a key, holds no texts.
    }
  }
  return planted
}

/** Changes of columns in which nobody types, or that are more than a word replaced. */
function harmIn(changes: Awaited<ReturnType<typeof changesSince>>) {
  const inProse = ['prose', 'fields', 'copy']
  return changes.filter(
    ({ place, before, after }) =>
      !inProse.includes(holdingOf.get(place) ?? '') ||
      JSON.stringify(after) !== JSON.stringify(before).replaceAll(mention, erasedMention),
  )
}

beforeAll(async () => {
  const connection = { db, baseUrl: `http://${host}`, config: { DATA_DIR: testScratchDir() } }
  const nothing = async (): Promise<void> => undefined
  ;({ workspaceId } = await seedDemo({ ...connection, forget: nothing, forgetHosts: nothing } as never))
  await db.insert(schema.workspaceHosts).values({ host, workspaceId })
  const [admin] = await db.select().from(schema.employees).where(eq(schema.employees.email, 'admin@demo.test'))
  cookie = await sessionOf(admin?.id ?? '')
})

describe('the schema', () => {
  it('says of every open column of the database what it holds', async () => {
    const generic = ['uuid', 'date']
    const closed = (await openColumns()).filter(({ table, column }) => !holdingOf.has(`${table}.${column}`))
    expect(closed.filter(({ type }) => !generic.includes(type))).toEqual([])
    // Texts without a holding are those whose values the types list.
    const unsaid = [...holdingOf].filter(([, holding]) => holding === undefined).map(([place]) => place)
    for (const place of ['employees.password_hash', 'api_keys.scopes', 'comments.body', 'leads.description'])
      expect(unsaid).not.toContain(place)
  })
})

describe.each(['CONTACT', 'LEAD'] as const)('a %s', (type) => {
  const path = type === 'CONTACT' ? '/api/contacts' : '/api/leads'

  it('is erased with its name in every text of the workspace, and nothing else changes', async () => {
    const { id } = (await call('POST', path, person)).body.data
    expect((await call('POST', '/api/crm/comments', { entityType: type, entityId: id, body: mention })).status).toBe(
      201,
    )
    const about = type === 'CONTACT' ? { contactId: id } : { notes: mention }
    const invoice = (
      await call('POST', '/api/invoices', { ...about, items: [{ name: mention, quantity: '1', unitPrice: '5.00' }] })
    ).body.data
    expect((await call('POST', `/api/invoices/${invoice.id}/issue`, {})).status).toBe(200)
    const planted = await plantEverywhere(id, invoice.id)
    // What is still to be handed on is gone within seconds.
    await db.update(schema.outbox).set({ doneAt: new Date().toISOString() })
    const plantedProse = [...planted].filter((place) => ['prose', 'copy'].includes(holdingOf.get(place) ?? ''))
    expect(plantedProse.length).toBeGreaterThan(40)

    const erase = (confirm: string) =>
      call('POST', '/api/settings/privacy/erasures', { subject: { type, id }, confirm })
    expect(await erase('somebody@else.example')).toMatchObject({
      status: 400,
      body: { issues: [{ path: ['confirm'] }] },
    })
    const before = await wholeDatabase(db)
    const preview = await call('POST', '/api/settings/privacy/erasures', { subject: { type, id }, dryRun: true })
    expect(preview.status).toBe(200)
    expect(await changesSince(db, before, [])).toEqual([])
    const outcome = await erase('ADA@quixworth.example')
    expect(outcome).toMatchObject({ status: 200, body: preview.body })
    expect(harmIn(await changesSince(db, before, [id]))).toEqual([])

    const { kept, erased } = outcome.body.data
    expect(kept).toContainEqual({ type: 'INVOICE', id: invoice.id, reason: expect.any(String) })
    for (const table of ['comments', 'timeline', 'products', 'tasks']) expect(erased[table], table).toBeGreaterThan(0)
    // What is kept is named; what is left elsewhere stands in keys, choices, settings and names.
    const tables: Readonly<Record<string, string>> = { QUOTE: 'quotes', ORDER: 'orders', INVOICE: 'invoices' }
    const named = new Set(kept.map((one: { type: string }) => tables[one.type] ?? one.type))
    const left = new Set<string>()
    for (const [table, rows] of await wholeDatabase(db))
      for (const row of rows.values())
        for (const [column, value] of Object.entries(row))
          if (row['workspace_id'] === workspaceId && JSON.stringify(value).includes(mention))
            left.add(`${table}.${column}`)
    const inTexts = [...left].filter((place) => ['prose', 'copy'].includes(holdingOf.get(place) ?? ''))
    expect(inTexts.filter((place) => !named.has(place.split('.')[0]))).toEqual([])

    expect((await call('GET', `${path}/${id}`)).status).toBe(404)
    expect((await call('GET', `/api/invoices/${invoice.id}`)).status).toBe(200)
    await sealEntries(db, workspaceId)
    const entries = await Array.fromAsync(readEntries(db, workspaceId))
    expect(await verifyChain(entries)).toMatchObject({ ok: true, entries: entries.length })
    expect(entries.at(-1)).toMatchObject({
      action: `${type.toLowerCase()}.erased`,
      subjectId: id,
      data: { auditEntries: expect.any(Array) },
    })
    // Nothing of it may help the next test.
    await db.delete(schema.payments).where(eq(schema.payments.workspaceId, workspaceId))
    await db
      .delete(schema.invoices)
      .where(and(eq(schema.invoices.workspaceId, workspaceId), eq(schema.invoices.id, invoice.id)))
  })
})

describe('somebody with an account', () => {
  const email = 'leaver@quixworth.example'
  const add = async () => {
    const id = newId()
    const named = { firstName: 'Grace', lastName: 'Quixworth', email }
    await db.insert(schema.employees).values({ workspaceId, id, ...named, passwordHash: 'x' })
    return id
  }

  it('is erased after they have left, with their name in histories and the audit log', async () => {
    const id = await add()
    await db.insert(schema.auditLog).values({
      workspaceId,
      actorId: id,
      actorName: 'Grace Quixworth',
      action: 'test.done',
      address: '192.0.2.77',
      subjectType: 'TEST',
      summary: 'Grace Quixworth did something',
    })
    await sealEntries(db, workspaceId)
    const erase = () =>
      call('POST', '/api/settings/privacy/erasures', { subject: { type: 'EMPLOYEE', id }, confirm: email })
    expect(await erase()).toMatchObject({ status: 409, body: { code: 'NOT_TERMINATED' } })
    await db.update(schema.employees).set({ status: 'TERMINATED' }).where(eq(schema.employees.id, id))
    expect((await erase()).body.data).toMatchObject({
      erased: { employees: 1, audit_log: expect.any(Number) },
    })
    expect(await foundIn('Grace Quixworth')).toEqual({})
    expect(await foundIn(email)).toEqual({})
    expect(await foundIn('192.0.2.77')).toEqual({})
    await sealEntries(db, workspaceId)
    expect(await verifyChain(readEntries(db, workspaceId))).toMatchObject({ ok: true })
  })

  it('collects their own data, and that of others only with the right to it', async () => {
    const id = await add()
    const own = await sessionOf(id)
    const ask = (subject: object, as: string) => call('POST', '/api/settings/privacy/exports', { subject }, as)
    const { body, status } = await ask({ type: 'EMPLOYEE', id }, own)
    expect(status).toBe(202)
    const file = `/api/settings/privacy/exports/${body.data.jobId}/file`
    await jobs.settled()
    expect((await call('GET', `/api/jobs/${body.data.jobId}`, undefined, own)).body.data).toMatchObject({
      state: 'DONE',
    })
    const { body: content, headers } = await call('GET', file, undefined, own)
    expect(headers['content-disposition']).toMatch(/^attachment; filename="person-.*\.json"$/)
    expect(content.data.employees).toMatchObject([{ email, last_name: 'Quixworth' }])
    expect(content.data.sessions).toHaveLength(1)
    expect(JSON.stringify(content)).not.toMatch(/password_hash|token_hash/)
    expect((await call('GET', file)).status).toBe(404)

    const { id: contactId } = (await call('POST', '/api/contacts', person)).body.data
    expect(await ask({ type: 'CONTACT', id: contactId }, own)).toMatchObject({ status: 403 })
    const [admin] = await db.select().from(schema.employees).where(eq(schema.employees.email, 'admin@demo.test'))
    expect(await ask({ type: 'EMPLOYEE', id: admin?.id }, own)).toMatchObject({ status: 403 })
    expect((await ask({ type: 'CONTACT', id: newId() }, cookie)).status).toBe(404)
    const asked = (await ask({ type: 'CONTACT', id: contactId }, cookie)).body.data.jobId
    await jobs.settled()
    const about = (await call('GET', `/api/settings/privacy/exports/${asked}/file`)).body
    expect(about.data.contacts).toMatchObject([{ email: person.email }])
    expect(about.data.timeline.length).toBeGreaterThan(0)
  })
})
