import { describedEntityTypes } from '@crm/contract'
import { permissionNames } from '@crm/permissions'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'

const api = await apiUnderTest()
const { call, workspace, key } = api

interface Field {
  readonly key: string
  readonly [name: string]: unknown
}
interface Kind {
  readonly key: string
  readonly fields: readonly Field[]
  readonly [name: string]: unknown
}

const kindsFor = async (credential = key, of = workspace) =>
  (await call({ path: '/api/schema', key: credential }, of)).body.kinds as readonly Kind[]
const kindFor = async (name: string, credential = key) =>
  (await kindsFor(credential)).find((kind) => kind.key === name) as Kind
const fieldOf = (kind: Kind, name: string) => kind.fields.find((field) => field.key === name)

describe('the schema', () => {
  it('describes the fields of a kind by what the contract says of them', async () => {
    const deal = await kindFor('DEAL')
    expect(deal).toMatchObject({
      noun: 'deal',
      plural: 'deals',
      titleFields: ['name'],
      may: { create: true, update: true, delete: true },
    })
    expect(fieldOf(deal, 'name')).toMatchObject({
      label: 'Name',
      type: 'TEXT',
      required: true,
      group: 'MAIN',
      sortable: true,
    })
    expect(fieldOf(deal, 'companyId')).toMatchObject({
      label: 'Company',
      type: 'REFERENCE',
      references: 'COMPANY',
      operators: ['is', 'isNot', 'in', 'empty', 'notEmpty'],
    })
    expect(fieldOf(deal, 'amount')).toMatchObject({
      type: 'CURRENCY',
      operators: ['is', 'isNot', 'gt', 'gte', 'lt', 'lte', 'between', 'empty', 'notEmpty'],
      aggregates: ['sum', 'avg', 'min', 'max'],
    })
    expect(fieldOf(deal, 'expectedCloseDate')).toMatchObject({ label: 'Expected close', type: 'DATE', readOnly: false })
    expect(fieldOf(deal, 'createdAt')).toMatchObject({
      label: 'Created',
      type: 'DATETIME',
      readOnly: true,
      group: 'SYSTEM',
    })
    expect(fieldOf(deal, 'description')).toMatchObject({ type: 'LONG_TEXT', maxLength: 10_000 })
    expect(fieldOf(deal, 'ownerId')).toMatchObject({ references: 'EMPLOYEE', default: 'me' })
    expect(fieldOf(deal, 'status')).toMatchObject({
      type: 'SELECT',
      options: [{ value: 'OPEN', label: 'Open' }, {}, {}],
    })
    const lead = await kindFor('LEAD')
    expect(fieldOf(lead, 'email')).toMatchObject({ type: 'EMAIL', required: false })
    expect(fieldOf(lead, 'phone')).toMatchObject({ type: 'PHONE' })
    expect(fieldOf(lead, 'address')).toMatchObject({ type: 'ADDRESS' })
  })

  it('gives every reference a name for what it refers to, and no field twice', async () => {
    for (const { key: kind, fields } of await kindsFor()) {
      const nameless = fields.filter(({ type, references }) => String(type).startsWith('REFERENCE') && !references)
      expect({ kind, nameless }).toEqual({ kind, nameless: [] })
      expect({ kind, keys: new Set(fields.map((field) => field.key)).size }).toEqual({ kind, keys: fields.length })
    }
  })

  it('holds custom fields, what a stage requires, and custom entities', async () => {
    const cookie = await workspace.session()
    const region = { entityType: 'LEAD', key: 'region', label: 'Region', type: 'SELECT', isRequired: true }
    const options = [{ value: 'n', label: 'North' }]
    await call({ method: 'POST', path: '/api/settings/custom-fields', cookie, body: { ...region, options } })
    const { body } = await call({
      method: 'POST',
      path: '/api/pipelines',
      key,
      body: {
        name: 'Strict',
        entityType: 'LEAD',
        stages: [
          { name: 'Any' },
          { name: 'Checked', requiredFields: ['customFields.region', 'address.city', 'email'] },
        ],
      },
    })
    const [any, checked] = body.data.stages as { id: string }[]
    const lead = await kindFor('LEAD')
    expect(fieldOf(lead, 'cf_region')).toMatchObject({
      label: 'Region',
      type: 'SELECT',
      options,
      required: true,
      group: 'CUSTOM',
      requiredInStages: [checked?.id],
    })
    expect(fieldOf(lead, 'address')).toMatchObject({ requiredInStages: [checked?.id] })
    expect(fieldOf(lead, 'email')).toMatchObject({ requiredInStages: [checked?.id] })
    expect(lead['pipelines']).toContainEqual(
      expect.objectContaining({
        name: 'Strict',
        stages: [expect.objectContaining({ id: any?.id }), expect.anything()],
      }),
    )

    await call({
      method: 'POST',
      path: '/api/settings/custom-entities',
      cookie,
      body: {
        key: 'vehicle',
        labels: { singular: 'Vehicle', plural: 'Vehicles' },
        hasOwner: false,
        fields: [{ key: 'plate', label: 'Plate', type: 'TEXT', isRequired: true }],
      },
    })
    const scopes = [...permissionNames, 'VIEW_VEHICLE']
    const vehicle = await kindFor('VEHICLE', (await workspace.apiKey({ scopes })).key)
    expect(vehicle).toMatchObject({ noun: 'Vehicle', isCustom: true, may: { create: false } })
    expect(vehicle.fields.map((field) => field.key)).toEqual(
      expect.arrayContaining(['title', 'tags', 'createdAt', 'cf_plate']),
    )
    expect(fieldOf(vehicle, 'ownerId')).toBeUndefined()
  })

  it('shows only the kinds that the caller may see, and what they may do with them', async () => {
    const { id } = await workspace.employee({ grant: { permissions: ['VIEW_LEAD', 'CREATE_LEAD', 'CREATE_DEAL'] } })
    const kinds = await kindsFor((await workspace.apiKey({ ownerId: id })).key)
    expect(kinds.map((kind) => [kind.key, kind['may']])).toEqual([
      ['LEAD', { create: true, update: false, delete: false }],
    ])
    const off = await api.newWorkspace()
    await call(
      {
        method: 'PATCH',
        path: '/api/settings/modules/SALES',
        cookie: await off.session(),
        body: { enabled: false },
        headers: { origin: `http://${off.host}` },
      },
      off,
    )
    const left = await kindsFor((await off.apiKey()).key, off)
    expect(left.map((kind) => kind.key)).toEqual(
      describedEntityTypes.filter((name) => !['LEAD', 'DEAL', 'CONTACT', 'COMPANY', 'ACTIVITY'].includes(name)),
    )
  })

  it('answers 304 until something changed', async () => {
    const own = await api.newWorkspace()
    const credential = (await own.apiKey()).key
    const ask = (tag?: string) =>
      call({ path: '/api/schema', key: credential, headers: tag ? { 'if-none-match': tag } : {} }, own)
    const first = await ask()
    const tag = String(first.headers['etag'])
    expect(await ask(tag)).toMatchObject({ status: 304, headers: { etag: tag, 'cache-control': 'private, no-cache' } })
    expect((await ask(`"other", W/${tag}`)).status).toBe(304)
    await call(
      {
        method: 'POST',
        path: '/api/settings/custom-fields',
        cookie: await own.session(),
        body: { entityType: 'DEAL', key: 'size', label: 'Size', type: 'NUMBER' },
      },
      own,
    )
    const after = await ask(tag)
    expect(after.status).toBe(200)
    expect(after.headers['etag']).not.toBe(tag)
  })
})
