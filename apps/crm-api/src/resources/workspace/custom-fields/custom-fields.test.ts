import { customFieldTypes } from '@crm/contract'
import { schema } from '@crm/db'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'
import { purgeDueFields } from '../../../records/retired-fields.ts'

const api = await apiUnderTest()
const { call, db, clock, logger, key, workspace } = api
const cookie = await workspace.session()

const fieldsPath = '/api/settings/custom-fields'
const retiredPath = '/api/settings/retired-fields'
let made = 0
const newKey = (): string => `field${++made}`

async function addField(values: object = {}): Promise<{ id: string; key: string }> {
  const { status, body } = await call({
    method: 'POST',
    path: fieldsPath,
    cookie,
    body: { entityType: 'LEAD', key: newKey(), label: 'Field', type: 'TEXT', ...values },
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data
}

async function addLead(customFields: object): Promise<string> {
  const { status, body } = await call({
    method: 'POST',
    path: '/api/leads',
    key,
    body: { companyName: 'ACME', customFields },
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data.id
}

const readLead = async (id: string) => (await call({ path: `/api/leads/${id}`, key })).body.data
const remove = (id: string, query = '') => call({ method: 'DELETE', path: `${fieldsPath}/${id}${query}`, cookie })

describe('a custom field', () => {
  it('that no record uses is deleted, and its key is free', async () => {
    const field = await addField()
    expect((await remove(field.id)).status).toBe(200)
    await addField({ key: field.key, type: 'NUMBER' })
  })

  it('that records use is not deleted: IN_USE tells how many', async () => {
    const field = await addField()
    await addLead({ [field.key]: 'blue' })
    await addLead({ [field.key]: 'red' })
    expect(await remove(field.id)).toMatchObject({ status: 409, body: { code: 'IN_USE', details: { count: 2 } } })
  })

  it('that is retired is hidden everywhere, keeps its key, and comes back with its values', async () => {
    const field = await addField({ label: 'Colour' })
    const leadId = await addLead({ [field.key]: 'blue' })
    expect((await remove(field.id, '?retire=true')).status).toBe(200)

    expect((await readLead(leadId)).customFields).toEqual({})
    const list = await call({ path: `/api/leads?search=ACME&pageSize=100`, key })
    expect(list.body.items.filter((lead: { customFields: object }) => field.key in lead.customFields)).toEqual([])
    expect((await call({ path: fieldsPath, cookie })).body.items.map(({ id }: { id: string }) => id)).not.toContain(
      field.id,
    )
    expect(
      await call({
        method: 'PATCH',
        path: `/api/leads/${leadId}`,
        key,
        body: { customFields: { [field.key]: 'red' } },
      }),
    ).toMatchObject({ status: 400 })
    expect(
      await call({
        method: 'POST',
        path: fieldsPath,
        cookie,
        body: { entityType: 'LEAD', key: field.key, label: 'New', type: 'NUMBER' },
      }),
    ).toMatchObject({ status: 409, body: { code: 'NAME_TAKEN' } })

    const { body } = await call({ path: `${retiredPath}?entityType=LEAD`, cookie })
    expect(body.items).toContainEqual(
      expect.objectContaining({ id: field.id, key: field.key, label: 'Colour', type: 'TEXT', valueCount: 1 }),
    )
    expect((await call({ method: 'POST', path: `${retiredPath}/${field.id}/restore`, cookie })).status).toBe(200)
    expect((await readLead(leadId)).customFields).toEqual({ [field.key]: 'blue' })
    expect(
      (
        await call({
          method: 'PATCH',
          path: `/api/leads/${leadId}`,
          key,
          body: { customFields: { [field.key]: null } },
        })
      ).body.data.customFields,
    ).toEqual({})
    expect((await call({ method: 'POST', path: `${retiredPath}/${field.id}/restore`, cookie })).status).toBe(404)
  })

  it('is purged 30 days after it was retired, and its key is free then', async () => {
    const field = await addField()
    const leadId = await addLead({ [field.key]: 'blue' })
    await remove(field.id, '?retire=true')
    const dayMs = 86_400_000
    const purgeAfter = (ms: number) =>
      purgeDueFields({ db, clock: { now: () => new Date(clock.now().getTime() + ms) }, logger })
    await purgeAfter(30 * dayMs - 1_000)
    expect((await call({ path: retiredPath, cookie })).body.items.map(({ id }: { id: string }) => id)).toContain(
      field.id,
    )
    await purgeAfter(30 * dayMs)
    expect((await call({ path: retiredPath, cookie })).body.items.map(({ id }: { id: string }) => id)).not.toContain(
      field.id,
    )
    expect(
      await db
        .select()
        .from(schema.retiredFieldValues)
        .where(sql`field_id = ${field.id}`),
    ).toEqual([])
    await addField({ key: field.key, type: 'NUMBER' })
    expect((await readLead(leadId)).customFields).toEqual({})
  })

  it('is erased at once by an administrator, and by nobody else', async () => {
    const field = await addField()
    const leadId = await addLead({ [field.key]: 'secret' })
    const { id } = await workspace.employee({ grant: { permissions: ['MANAGE_CUSTOM_FIELDS'] } })
    const other = await workspace.session(id)
    expect(await call({ method: 'DELETE', path: `${fieldsPath}/${field.id}?purge=now`, cookie: other })).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_DENIED', requiredPermission: 'MANAGE_WORKSPACE' },
    })
    expect((await remove(field.id, '?purge=now')).status).toBe(200)
    expect((await readLead(leadId)).customFields).toEqual({})
    expect((await call({ path: retiredPath, cookie })).body.items.map((one: { id: string }) => one.id)).not.toContain(
      field.id,
    )

    const retired = await addField()
    await addLead({ [retired.key]: 'secret' })
    await remove(retired.id, '?retire=true')
    expect((await call({ method: 'DELETE', path: `${retiredPath}/${retired.id}`, cookie })).status).toBe(200)
    await addField({ key: retired.key })
  })

  it('that is erased leaves no value in the history of its records, and nothing else is taken from it', async () => {
    const [erased, kept, retired] = [await addField(), await addField(), await addField()]
    const leadId = await addLead({ [erased.key]: 'secret one', [kept.key]: 'blue', [retired.key]: 'secret two' })
    const change = (customFields: object) =>
      call({ method: 'PATCH', path: `/api/leads/${leadId}`, key, body: { companyName: 'Other', customFields } })
    expect(
      (await change({ [erased.key]: 'secret three', [kept.key]: 'red', [retired.key]: 'secret four' })).status,
    ).toBe(200)
    expect((await remove(erased.id, '?purge=now')).status).toBe(200)
    expect((await remove(retired.id, '?retire=true')).status).toBe(200)
    expect((await call({ method: 'DELETE', path: `${retiredPath}/${retired.id}`, cookie })).status).toBe(200)

    const { items } = (await call({ path: `/api/crm/timeline?entityType=LEAD&entityId=${leadId}`, key })).body
    expect(JSON.stringify(items)).not.toContain('secret')
    const changes = items.flatMap((entry: { changes: unknown[] }) => entry.changes)
    expect(changes).toContainEqual({ field: 'companyName', from: 'ACME', to: 'Other' })
    expect(changes).toContainEqual({ field: 'customFields', from: { [kept.key]: 'blue' }, to: { [kept.key]: 'red' } })
  })

  it('that a stage requires is not taken away', async () => {
    const field = await addField()
    const pipeline = {
      name: `Strict ${field.key}`,
      entityType: 'LEAD',
      stages: [{ name: 'One', requiredFields: [`customFields.${field.key}`] }],
    }
    expect((await call({ method: 'POST', path: '/api/pipelines', key, body: pipeline })).status).toBe(201)
    for (const query of ['', '?retire=true', '?purge=now'])
      expect(await remove(field.id, query)).toMatchObject({ status: 409, body: { code: 'FIELD_REQUIRED_BY_STAGE' } })
  })

  it('does not take over what an earlier field of its key left behind', async () => {
    const leadId = await addLead({})
    const left = newKey()
    await db
      .update(schema.leads)
      .set({ customFields: { [left]: 'old' } })
      .where(sql`id = ${leadId}`)
    await addField({ key: left, type: 'NUMBER' })
    expect((await readLead(leadId)).customFields).toEqual({})
  })
})

describe('a field of a custom entity', () => {
  it('is kept while records use it, retired when asked, and restored', async () => {
    const fields = [
      { key: 'plate', label: 'Plate', type: 'TEXT' },
      { key: 'doors', label: 'Doors', type: 'NUMBER' },
    ]
    const { body } = await call({
      method: 'POST',
      path: '/api/custom-entities',
      cookie,
      body: { key: 'van', labels: { singular: 'Van', plural: 'Vans' }, fields },
    })
    expect(body.success).toBe(true)
    const record = await call({
      method: 'POST',
      path: '/api/custom-entities/van/records',
      cookie,
      body: { title: 'One', values: { plate: 'B-1', doors: 5 } },
    })
    const patch = (query: string, wanted: object[]) =>
      call({ method: 'PATCH', path: `/api/custom-entities/van${query}`, cookie, body: { fields: wanted } })
    expect(await patch('', [fields[1] as object])).toMatchObject({
      status: 409,
      body: { code: 'IN_USE', details: { count: 1 } },
    })
    expect((await patch('?retire=true', [fields[1] as object])).status).toBe(200)
    const values = async () =>
      (await call({ path: `/api/custom-entities/van/records/${record.body.data.id}`, cookie })).body.data.values
    expect(await values()).toEqual({ doors: 5 })
    expect(await patch('', [fields[1] as object, { key: 'plate', label: 'Plate', type: 'NUMBER' }])).toMatchObject({
      status: 409,
      body: { code: 'NAME_TAKEN' },
    })
    const retired = await call({ path: `${retiredPath}?entityType=VAN`, cookie })
    expect(
      (await call({ method: 'POST', path: `${retiredPath}/${retired.body.items[0].id}/restore`, cookie })).status,
    ).toBe(200)
    expect(await values()).toEqual({ plate: 'B-1', doors: 5 })
    expect(
      (await call({ path: '/api/custom-entities/van', cookie })).body.data.fields.map(
        (field: { key: string }) => field.key,
      ),
    ).toEqual(['doors', 'plate'])
  })
})

const oddValues = [
  null,
  true,
  false,
  0,
  -1.5,
  1e300,
  1e-300,
  '',
  ' ',
  'abc',
  '12abc',
  '1e5',
  '1e99',
  '1e999',
  'NaN',
  'Infinity',
  '-',
  '.',
  '1.',
  '.5',
  '9'.repeat(400),
  '2026-02-31',
  '2026-13-01',
  '0000-00-00',
  '2026-06-01',
  '2026-06-01T10:00:00.000Z',
  '2026-06-01T99:99:99Z',
  '2026-06-01 Nowhere/Zone',
  '99999-01-01',
  '294277-01-01',
  'now',
  'infinity',
  'epoch',
  '1\n2',
  '٣',
  '１２',
  '🙂',
  "'; --",
  [],
  ['a'],
  [1, null],
  {},
  { a: 1 },
  { a: { b: [] } },
]

describe('lists do not fail whatever is stored', () => {
  it('under a field of every type: filtered and sorted, of leads and of records of a custom entity', async () => {
    const own = await api.newWorkspace()
    const session = await own.session()
    const { key: ownKey } = await own.apiKey()
    const fields = customFieldTypes.map((type) => ({
      key: `of${type.replace('_', '').toLowerCase()}`,
      label: type,
      type,
      options: type.endsWith('SELECT') ? [{ value: 'a', label: 'A' }] : [],
    }))
    for (const field of fields) {
      const { options, ...rest } = field
      await call(
        {
          method: 'POST',
          path: fieldsPath,
          cookie: session,
          body: { ...rest, entityType: 'LEAD', ...(options.length > 0 ? { options } : {}) },
        },
        own,
      )
    }
    await call(
      {
        method: 'POST',
        path: '/api/custom-entities',
        cookie: session,
        body: { key: 'thing', labels: { singular: 'Thing', plural: 'Things' }, fields },
      },
      own,
    )
    const filled = (value: unknown) =>
      sql`${JSON.stringify(Object.fromEntries(fields.map((field) => [field.key, value])))}::jsonb`
    for (const [n, value] of oddValues.entries()) {
      const lead = await call(
        { method: 'POST', path: '/api/leads', key: ownKey, body: { companyName: `Odd ${n}` } },
        own,
      )
      const thing = await call(
        { method: 'POST', path: '/api/custom-entities/thing/records', cookie: session, body: { title: `Odd ${n}` } },
        own,
      )
      await db
        .update(schema.leads)
        .set({ customFields: filled(value) })
        .where(sql`id = ${lead.body.data.id}`)
      await db
        .update(schema.customRecords)
        .set({ customFields: filled(value) })
        .where(sql`id = ${thing.body.data.id}`)
    }
    const questions = fields.flatMap(({ key: name, type }) => [
      `sortBy=cf_${name}&sortOrder=asc`,
      `sortBy=cf_${name}&sortOrder=desc`,
      ...(type === 'BOOLEAN' ? [`cf_${name}=true`] : []),
      ...(['TEXT', 'SELECT', 'MULTI_SELECT'].includes(type) ? [`cf_${name}=a`] : []),
      ...(['NUMBER', 'CURRENCY', 'PERCENTAGE', 'RATING'].includes(type)
        ? [`cf_${name}Min=-5`, `cf_${name}Max=100`, `cf_${name}Min=0&cf_${name}Max=9&sortBy=cf_${name}`]
        : []),
      ...(type.startsWith('DATE')
        ? [
            `cf_${name}From=2026-01-01`,
            `cf_${name}To=2026-12-31`,
            `cf_${name}From=${type === 'DATE' ? 'today' : '2026-01-01T00:00:00Z'}&sortBy=cf_${name}`,
          ]
        : []),
    ])
    for (const path of ['/api/leads', '/api/custom-entities/thing/records']) {
      for (const question of questions) {
        const { status, body } = await call({ path: `${path}?${question}&pageSize=100`, cookie: session }, own)
        expect(status, `${path}?${question}: ${JSON.stringify(body).slice(0, 300)}`).toBe(200)
      }
    }
    const dated = await call(
      { path: '/api/leads?cf_ofdateFrom=2026-01-01&cf_ofdateTo=2026-12-31&pageSize=100', cookie: session },
      own,
    )
    expect(
      dated.body.items.map(({ customFields }: { customFields: Record<string, unknown> }) => customFields['ofdate']),
    ).toEqual(expect.arrayContaining(['2026-06-01', '2026-06-01T10:00:00.000Z']))
  })
})

describe('what uses a field', () => {
  it('is counted, of the field and of one option; and a value whose option is gone is kept when it is sent back', async () => {
    const options = ['gold', 'iron'].map((value) => ({ value, label: value }))
    const field = await addField({ type: 'SELECT', options })
    const id = await addLead({ [field.key]: 'gold' })
    await addLead({ [field.key]: 'iron' })
    const filter = JSON.stringify({ and: [{ field: `cf_${field.key}`, op: 'is', value: 'gold' }] })
    for (const query of [{ filter }, { [`cf_${field.key}`]: 'iron' }])
      expect(
        (
          await call({
            method: 'POST',
            path: '/api/saved-filters',
            key,
            body: { name: 'V', entityType: 'LEAD', query },
          })
        ).status,
      ).toBe(201)
    const uses = async (query = '') =>
      (await call({ path: `${fieldsPath}/${field.id}/uses${query}`, cookie })).body.data
    const none = { records: 0, views: 0, dashboards: 0, rules: 0, workflows: 0, stages: 0 }
    expect(await uses()).toEqual({ ...none, records: 2, views: 2 })
    expect(await uses('?option=gold')).toEqual({ ...none, records: 1, views: 1 })
    expect(await uses('?option=silver')).toEqual(none)
    const change = {
      method: 'PATCH',
      path: `${fieldsPath}/${field.id}`,
      cookie,
      body: { options: [options[1]] },
    } as const
    expect((await call(change)).status).toBe(200)
    const send = (customFields: object) =>
      call({ method: 'PATCH', path: `/api/leads/${id}`, key, body: { customFields } })
    expect((await send((await readLead(id)).customFields)).status).toBe(200)
    expect((await send({ [field.key]: 'silver' })).body).toMatchObject({ code: 'VALIDATION_ERROR' })
    expect((await readLead(id)).customFields).toEqual({ [field.key]: 'gold' })
  })

  it('is counted of a field of a custom entity, too', async () => {
    const options = ['gold', 'iron'].map((value) => ({ value, label: value }))
    const grade = { key: 'grade', label: 'Grade', type: 'SELECT', options }
    const tiers = { key: 'tiers', label: 'Tiers', type: 'MULTI_SELECT', options }
    const labels = { singular: 'Medal', plural: 'Medals' }
    const { data: entity } = (
      await call({
        method: 'POST',
        path: '/api/settings/custom-entities',
        cookie,
        body: { key: 'medal', labels, fields: [grade, tiers] },
      })
    ).body
    const records = '/api/custom-entities/medal/records'
    const values = { grade: 'gold', tiers: ['iron', 'gold'] }
    const { data: record } = (await call({ method: 'POST', path: records, cookie, body: { title: 'One', values } }))
      .body
    const view = { name: 'Best', entityType: 'MEDAL', query: { cf_grade: 'gold' } }
    expect((await call({ method: 'POST', path: '/api/saved-filters', cookie, body: view })).status).toBe(201)
    const rule = {
      name: 'Praise',
      trigger: { event: 'medal.created', conditions: [{ field: 'data.values.grade', op: 'EQ', value: 'gold' }] },
      actions: [{ type: 'WEBHOOK', url: 'https://hooks.example.com/praise' }],
    }
    const path = '/api/settings/automation-rules'
    expect((await call({ method: 'POST', path, cookie, body: rule })).status).toBe(201)

    const uses = (query: string) => call({ path: `/api/settings/custom-entities/${entity.id}/uses?${query}`, cookie })
    const none = { records: 0, views: 0, dashboards: 0, rules: 0, workflows: 0, stages: 0 }
    for (const query of ['field=grade', 'field=grade&option=gold'])
      expect((await uses(query)).body.data).toEqual({ ...none, records: 1, views: 1, rules: 1 })
    expect((await uses('field=grade&option=iron')).body.data).toEqual(none)
    expect((await uses('field=tiers&option=iron')).body.data).toEqual({ ...none, records: 1 })
    expect((await uses('field=other')).status).toBe(404)

    const fields = [{ ...grade, options: [options[1]] }, tiers]
    const change = { method: 'PATCH', path: '/api/custom-entities/medal', cookie, body: { fields } } as const
    expect((await call(change)).status).toBe(200)
    const send = (sent: object) =>
      call({ method: 'PATCH', path: `${records}/${record.id}`, cookie, body: { values: sent } })
    expect(await send(values)).toMatchObject({ status: 200, body: { data: { values } } })
    expect((await send({ grade: 'silver' })).body).toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})
