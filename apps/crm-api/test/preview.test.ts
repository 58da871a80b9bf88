import { declaredOperations, isWrite, publicContract } from '@crm/contract'
import { inTransaction, schema } from '@crm/db'
import { and, eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { did, requestOf } from './each-write.ts'
import { apiUnderTest } from './harness.ts'
import { createInvoice, createLead } from './samples.ts'
import { wholeDatabase, type WholeDatabase } from './whole-database.ts'

const api = await apiUnderTest()
const { call, workspace, db } = api

const cookie = await workspace.session()
const preview = (body: object, as?: string) =>
  call({ method: 'POST', path: '/api/preview', body, ...(as ? { key: as } : { cookie }) })
const previewed = async (body: object, as?: string) => {
  const answer = await preview(body, as)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.data
}

/** Rows that a request leaves whatever it does: what they count and when. */
const limits = new Set(['agent_sessions', 'processes', 'record_counts'])

/** The ledger of counts is folded in the background; its sums are what counts. */
const counted = async () =>
  (await db.execute(sql`SELECT workspace_id, entity_type, sum(n) FROM record_counts GROUP BY 1, 2 ORDER BY 1, 2`)).rows

function differences(before: WholeDatabase, after: WholeDatabase): readonly string[] {
  return [...after].flatMap(([table, rows]) => {
    const old = before.get(table) ?? new Map()
    const keys = new Set([...old.keys(), ...rows.keys()])
    return limits.has(table)
      ? []
      : [...keys]
          .filter((id) => JSON.stringify(old.get(id)) !== JSON.stringify(rows.get(id)))
          .map((id) => `${table} ${id}`)
  })
}

const previewable = declaredOperations(publicContract).filter(
  ({ operation }) => isWrite(operation) && operation.preview !== false,
)

describe('a preview', () => {
  it('leaves nothing behind, whatever the write', async () => {
    const requests = []
    for (const one of previewable) requests.push([one, await requestOf(api, one)] as const)
    await preview({ operation: 'leads.create', body: {} })
    await api.app.inject({ method: 'GET', url: '/api/me' })
    const answers = new Map<string, { status: number; body: unknown; changes: readonly { entityType: string }[] }>()
    const before = await wholeDatabase(db)
    const [mails, counts] = [api.mails.length, await counted()]
    for (const [one, request] of requests) answers.set(one.id, await previewed(request))
    expect(differences(before, await wholeDatabase(db))).toEqual([])
    expect(await counted()).toEqual(counts)
    expect(api.mails).toHaveLength(mails)
    const refused = [...answers].filter(([, { status }]) => status >= 300)
    expect(refused.map(([id, { body }]) => `${id} ${JSON.stringify(body)}`)).toEqual([])
    // Records without a history have the entity type that their resource declares.
    const entities = new Set(previewable.flatMap(({ resource: { entity } }) => entity ?? []))
    const kinds = [...answers].flatMap(([id, { changes }]) =>
      changes.map(({ entityType }) => [id, entityType] as const),
    )
    expect(kinds.filter(([id, kind]) => !entities.has(kind) && !id.startsWith('customEntities.records'))).toEqual([])
    // Nothing is in the pipeline that is transferred.
    expect([...answers].filter(([, { changes }]) => changes.length === 0).map(([id]) => id)).toEqual([
      'pipelines.transfer',
    ])
  })

  it('draws no number and sends no mail, and says which would leave', async () => {
    const id = await createInvoice(api)
    const issued = await previewed({ operation: 'invoices.issue', params: { id } })
    const sent = await previewed({ operation: 'invoices_send', params: { id }, body: { to: ['buyer@example.com'] } })
    expect(issued).toMatchObject({ status: 200, changes: [{ entityType: 'INVOICE', id, kind: 'UPDATE' }] })
    expect(sent.leaves).toContainEqual({ kind: 'MAIL', name: expect.any(String), to: ['buyer@example.com'] })
    const { data } = await did(api, 'POST', `/api/invoices/${id}/issue`)
    expect(data.number).toBe(issued.body.data.number)
    expect(issued.changes[0].fields.number).toEqual([null, data.number])
    const rule = {
      name: 'Tell the shop',
      trigger: { event: 'lead.created', conditions: [] },
      actions: [{ type: 'WEBHOOK', url: 'https://shop.example.com/hook', method: 'POST' }],
    }
    await call({
      method: 'POST',
      path: '/api/settings/automation-rules',
      cookie: await workspace.session(),
      body: rule,
    })
    const { leaves } = await previewed({ operation: 'leads.create', body: { lastName: 'New' } })
    expect(leaves).toContainEqual({ kind: 'DELIVERY', name: 'Tell the shop', to: ['shop.example.com'] })
  })

  it('shows the values before and after, of every record in sight, and counts the others', async () => {
    const permissions = ['VIEW_LEAD', 'UPDATE_LEAD', 'CREATE_CONTACT', 'CREATE_COMPANY', 'VIEW_COMPANY'] as const
    const access = [
      { entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'NONE' },
      { entityType: 'COMPANY', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'NONE' },
    ] as const
    const mine = await workspace.employee({ grant: { permissions: [...permissions], access: [...access] } })
    const { key: theirs } = await workspace.apiKey({ ownerId: mine.id })
    const id = await createLead(api, { lastName: 'Own', companyName: 'Mill', ownerId: mine.id })
    const change = { operation: 'leads.update', params: { id }, body: { temperature: 'HOT' } }
    expect((await previewed(change, theirs)).changes).toEqual([
      {
        entityType: 'LEAD',
        id,
        title: 'Own',
        kind: 'UPDATE',
        fields: { temperature: [null, 'HOT'], score: expect.any(Array) },
      },
    ])
    const request = { operation: 'leads.convert', params: { id }, body: { deal: { mode: 'NONE' } } }
    const seen = await previewed(request, theirs)
    expect(
      seen.changes.map(({ entityType, kind }: { entityType: string; kind: string }) => [entityType, kind]),
    ).toEqual(
      expect.arrayContaining([
        ['LEAD', 'UPDATE'],
        ['COMPANY', 'CREATE'],
      ]),
    )
    expect(seen.hidden).toBe(1)
    expect(await previewed(request)).toMatchObject({ status: 200 })
    expect((await previewed(request)).hidden).toBeUndefined()
  })

  it('answers what the credential may not do with the refusal itself, and refuses what cannot be previewed', async () => {
    const id = await createLead(api)
    const { key: reading } = await workspace.apiKey({ scopes: ['VIEW_LEAD'] })
    const request = { operation: 'leads.delete', params: { id } }
    expect(await previewed(request, reading)).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_DENIED' },
      changes: [],
    })
    expect(await previewed({ operation: 'leads.create', body: { phone: '12' } })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR' },
    })
    for (const operation of ['leads.explode', 'leads.list', 'settings.roles.create'])
      expect(await preview({ operation })).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect((await preview({ operation: 'leads.delet' })).body.issues[0].message).toContain('leads.delete')
    expect(await preview({ operation: 'leads.delete' })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR' },
    })
    for (const operation of ['files.upload', 'invoices.paymentLink', 'documentRecords.create'])
      expect(await preview({ operation, params: { id } })).toMatchObject({
        status: 400,
        body: { code: 'NOT_PREVIEWABLE' },
      })
  })

  it('lists 200 changes and counts the rest', async () => {
    const ids = await Promise.all(Array.from({ length: 203 }, () => createLead(api)))
    const { changes, more } = await previewed({ operation: 'leads.bulkDelete', body: { ids } })
    expect([changes.length, more]).toEqual([200, 3])
  })

  it('waits for nobody longer than its time', async () => {
    const id = await createLead(api)
    await inTransaction(db, undefined, async (tx) => {
      await tx
        .select()
        .from(schema.leads)
        .where(and(eq(schema.leads.workspaceId, workspace.workspaceId), eq(schema.leads.id, id)))
        .for('update')
      expect(await preview({ operation: 'leads.delete', params: { id } })).toMatchObject({
        status: 503,
        body: { code: 'SERVICE_UNAVAILABLE' },
      })
    })
    expect(await previewed({ operation: 'leads.delete', params: { id } })).toMatchObject({ status: 200 })
  })
})
