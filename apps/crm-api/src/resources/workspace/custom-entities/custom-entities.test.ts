import { unique } from '@crm/testkit'
import { newId, schema } from '@crm/db'
import { permissionNames } from '@crm/permissions'
import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'
import { createLead, createTask, unknownId } from '../../../../test/samples.ts'

const api = await apiUnderTest()
const { call, workspace } = api
const cookie = await workspace.session()
const settings = '/api/settings/custom-entities'

const declare = (body: Record<string, unknown>) =>
  call({ method: 'POST', path: settings, cookie, body: { labels: { singular: 'Thing', plural: 'Things' }, ...body } })
const newKey = () => `thing_${unique()}`

const fields = [
  { key: 'plate', label: 'Plate', type: 'TEXT', isRequired: true },
  {
    key: 'fuel',
    label: 'Fuel',
    type: 'SELECT',
    options: [
      { value: 'diesel', label: 'Diesel' },
      { value: 'power', label: 'Power' },
    ],
  },
  {
    key: 'extras',
    label: 'Extras',
    type: 'MULTI_SELECT',
    options: [
      { value: 'roof', label: 'Roof' },
      { value: 'radio', label: 'Radio' },
    ],
  },
  { key: 'isUsed', label: 'Used', type: 'BOOLEAN' },
  { key: 'mileage', label: 'Mileage', type: 'NUMBER' },
  { key: 'price', label: 'Price', type: 'CURRENCY' },
  { key: 'builtOn', label: 'Built on', type: 'DATE' },
]
const vehicle = (await declare({ key: 'vehicle', labels: { singular: 'Vehicle', plural: 'Vehicles' }, fields })).body
  .data
const scopes = [...permissionNames, 'VIEW_VEHICLE', 'CREATE_VEHICLE', 'UPDATE_VEHICLE', 'DELETE_VEHICLE']
const { key } = await workspace.apiKey({ scopes })
const records = '/api/custom-entities/vehicle/records'
const post = (body: Record<string, unknown> = {}, as = key) =>
  call({ method: 'POST', path: records, key: as, body: { title: 'Van', values: { plate: 'B-1' }, ...body } })
const patch = (id: string, body: unknown, as = key) =>
  call({ method: 'PATCH', path: `${records}/${id}`, key: as, body })
const personWith = async (permissions: readonly string[], level?: string) => {
  const access = level ? [{ entityType: 'VEHICLE', VIEW: level, UPDATE: level, DELETE: level }] : []
  const { id } = await workspace.employee({ grant: { permissions, access } as never })
  return { id, key: (await workspace.apiKey({ ownerId: id, scopes })).key }
}

describe('a type', () => {
  it('is declared, read by key and id, changed, listed and deleted, in the settings and in the public API alike', async () => {
    const name = newKey()
    const made = await declare({ key: name.toUpperCase(), fields: [{ key: 'size', label: 'Size', type: 'NUMBER' }] })
    expect({ status: made.status, data: made.body.data }).toMatchObject({
      status: 201,
      data: {
        key: name,
        entityType: name.toUpperCase(),
        labels: { singular: 'Thing', plural: 'Things' },
        hasOwner: true,
        fields: [{ key: 'size', label: 'Size', type: 'NUMBER', options: [], isRequired: false }],
      },
    })
    const { id } = made.body.data
    for (const path of [`${settings}/${id}`, `/api/custom-entities/${name}`, `/api/custom-entities/${id}`])
      expect((await call({ path, cookie })).body.data).toEqual(made.body.data)
    const changed = await call({
      method: 'PATCH',
      path: `/api/custom-entities/${name}`,
      key,
      body: { labels: { singular: 'Box', plural: 'Boxes' }, hasOwner: false },
    })
    expect(changed.body.data).toMatchObject({ labels: { singular: 'Box' }, hasOwner: false, fields: [{ key: 'size' }] })
    for (const path of [settings, '/api/custom-entities'])
      expect((await call({ path, cookie })).body).toMatchObject({
        items: expect.arrayContaining([vehicle, changed.body.data]),
        page: 1,
      })
    expect((await call({ method: 'DELETE', path: `${settings}/${id}`, cookie })).body).toEqual({
      success: true,
      data: { id },
    })
    expect((await call({ path: `/api/custom-entities/${name}`, key })).status).toBe(404)
  })

  it.each([
    ['a built-in type', { key: 'lead' }],
    ['a built-in type in capitals', { key: 'PRICE_LIST' }],
    ['what a permission ends in', { key: 'audit_log' }],
    ['what hangs on records', { key: 'comment' }],
    ['a digit first', { key: '4x4' }],
    ['other letters', { key: 'véhicule' }],
    ['no labels', { key: 'nice', labels: undefined }],
    ['a field that ends in Min', { key: 'nice', fields: [{ key: 'priceMin', label: 'P', type: 'NUMBER' }] }],
    ['a select without options', { key: 'nice', fields: [{ key: 'fuel', label: 'F', type: 'SELECT' }] }],
    ['an unknown type of field', { key: 'nice', fields: [{ key: 'fuel', label: 'F', type: 'BLOB' }] }],
    ['two fields of one key', { key: 'nice', fields: [1, 2].map(() => ({ key: 'fuel', label: 'F', type: 'TEXT' })) }],
    [
      'two options of one value',
      {
        key: 'nice',
        fields: [{ key: 'fuel', label: 'F', type: 'SELECT', options: [1, 2].map(() => ({ value: 'a', label: 'A' })) }],
      },
    ],
  ])('400 VALIDATION_ERROR for %s', async (_what, body) => {
    expect(await declare(body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  })

  it('409 NAME_TAKEN for a key that is taken, also of two at once', async () => {
    expect(await declare({ key: 'vehicle' })).toMatchObject({
      status: 409,
      body: { code: 'NAME_TAKEN', details: { field: 'key' } },
    })
    const name = newKey()
    const statuses = (await Promise.all([declare({ key: name }), declare({ key: name })])).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409])
  })

  it('409 CUSTOM_FIELD_TYPE_FIXED for another type of a field that is there', async () => {
    const answer = await call({
      method: 'PATCH',
      path: `${settings}/${vehicle.id}`,
      cookie,
      body: { fields: [{ key: 'plate', label: 'Plate', type: 'NUMBER' }] },
    })
    expect(answer).toMatchObject({ status: 409, body: { code: 'CUSTOM_FIELD_TYPE_FIXED' } })
  })

  it('409 IN_USE while it has records; afterwards it goes with its permissions', async () => {
    const name = newKey()
    const entityType = name.toUpperCase()
    const { id } = (await declare({ key: name })).body.data
    const role = (
      await call({
        method: 'POST',
        path: '/api/settings/roles',
        cookie,
        body: {
          name,
          permissions: ['VIEW_LEAD', `VIEW_${entityType}`],
          access: [{ entityType, VIEW: 'OWN' }, { entityType: 'LEAD' }],
        },
      })
    ).body.data
    const apiKey = (
      await call({
        method: 'POST',
        path: '/api/settings/api-keys',
        cookie,
        body: { name, scopes: ['VIEW_LEAD', `VIEW_${entityType}`] },
      })
    ).body.data
    const record = (
      await call({ method: 'POST', path: `/api/custom-entities/${name}/records`, cookie, body: { title: 'One' } })
    ).body.data
    expect(await call({ method: 'DELETE', path: `${settings}/${id}`, cookie })).toMatchObject({
      status: 409,
      body: { code: 'IN_USE', details: { count: 1 } },
    })
    await call({ method: 'DELETE', path: `/api/custom-entities/${name}/records/${record.id}`, cookie })
    expect((await call({ method: 'DELETE', path: `${settings}/${id}`, cookie })).status).toBe(200)
    expect((await call({ path: `/api/settings/roles/${role.id}`, cookie })).body.data).toMatchObject({
      permissions: ['VIEW_LEAD'],
      access: [{ entityType: 'LEAD' }],
    })
    expect((await call({ path: `/api/settings/api-keys/${apiKey.id}`, cookie })).body.data.scopes).toEqual([
      'VIEW_LEAD',
    ])
    expect((await call({ path: '/api/me/scopes', cookie })).body.owned).not.toContain(`VIEW_${entityType}`)
  })

  it('is told to those who see its records or manage types', async () => {
    const seeing = await personWith(['VIEW_VEHICLE'])
    const other = await personWith(['VIEW_LEAD'])
    expect((await call({ path: '/api/custom-entities', key: seeing.key })).body.items).toEqual([vehicle])
    expect((await call({ path: '/api/custom-entities', key: other.key })).body).toMatchObject({ items: [], total: 0 })
    expect((await call({ path: '/api/custom-entities/vehicle', key: other.key })).status).toBe(404)
    expect(
      (
        await call({
          method: 'PATCH',
          path: '/api/custom-entities/vehicle',
          key: seeing.key,
          body: { hasOwner: false },
        })
      ).body.code,
    ).toBe('ACCESS_DENIED')
  })
})

describe('the permissions of a type', () => {
  it('exist in the workspace that made it and nowhere else, and the administrator holds them at once', async () => {
    const { body } = await call({ path: '/api/me/scopes', cookie })
    expect(body.allScopes).toContainEqual({
      name: 'UPDATE_VEHICLE',
      group: 'Vehicles',
      description: 'Change Vehicles',
      write: true,
    })
    expect(body.effective).toEqual(
      expect.arrayContaining(['VIEW_VEHICLE', 'CREATE_VEHICLE', 'UPDATE_VEHICLE', 'DELETE_VEHICLE']),
    )
    const elsewhere = await api.newWorkspace()
    const there = (await call({ path: '/api/me/scopes', cookie: await elsewhere.session() }, elsewhere)).body
    expect(there.allScopes.map(({ name }: { name: string }) => name)).not.toContain('VIEW_VEHICLE')
    expect((await call({ path: records, cookie: await elsewhere.session() }, elsewhere)).status).toBe(404)
  })

  it('go into roles and keys, and no others do', async () => {
    const role = await call({
      method: 'POST',
      path: '/api/settings/roles',
      cookie,
      body: { name: newKey(), permissions: ['VIEW_VEHICLE'], access: [{ entityType: 'VEHICLE', VIEW: 'OWN' }] },
    })
    expect(role.status).toBe(201)
    for (const body of [{ permissions: ['VIEW_BICYCLE'] }, { access: [{ entityType: 'BICYCLE' }] }]) {
      expect(
        await call({ method: 'POST', path: '/api/settings/roles', cookie, body: { name: newKey(), ...body } }),
      ).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    }
    expect(
      await call({
        method: 'POST',
        path: '/api/settings/api-keys',
        cookie,
        body: { name: 'K', scopes: ['VIEW_BICYCLE'] },
      }),
    ).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    const made = (
      await call({
        method: 'POST',
        path: '/api/settings/api-keys',
        cookie,
        body: { name: 'K', scopes: ['VIEW_VEHICLE'] },
      })
    ).body.data
    expect((await call({ path: records, key: made.key })).status).toBe(200)
    expect((await call({ path: '/api/me/scopes', key: made.key })).body.effective).toEqual(['VIEW_VEHICLE'])
    expect(await call({ path: '/api/leads', key: made.key })).toMatchObject({ status: 403 })
  })

  it('are each asked for: 403 ACCESS_DENIED names what lacks', async () => {
    const { id } = (await post()).body.data
    const nobody = await personWith(['VIEW_LEAD'])
    const denied = (requiredPermission: string) => ({
      status: 403,
      body: { code: 'ACCESS_DENIED', requiredPermission },
    })
    expect(await call({ path: records, key: nobody.key })).toMatchObject(denied('VIEW_VEHICLE'))
    expect(await call({ path: `${records}/${id}`, key: nobody.key })).toMatchObject(denied('VIEW_VEHICLE'))
    expect(await post({}, nobody.key)).toMatchObject(denied('CREATE_VEHICLE'))
    expect(await patch(id, { title: 'X' }, nobody.key)).toMatchObject(denied('UPDATE_VEHICLE'))
    expect(await call({ method: 'DELETE', path: `${records}/${id}`, key: nobody.key })).toMatchObject(
      denied('DELETE_VEHICLE'),
    )
  })

  it('are found by a credential that may see nothing else', async () => {
    const seeing = await personWith(['VIEW_VEHICLE'])
    const { key: theirs } = await workspace.apiKey({ ownerId: seeing.id, scopes: ['VIEW_VEHICLE'] })
    const found = (await call({ path: '/api/search?q=anything', key: theirs })).status
    expect([
      found,
      (await call({ path: `/api/search/vehicle:${newId()}`, key: theirs })).status,
      (await call({ path: '/api/leads', key: theirs })).status,
    ]).toEqual([200, 404, 403])
    const { key: none } = await workspace.apiKey({ ownerId: seeing.id, scopes: [] })
    expect((await call({ path: '/api/search?q=anything', key: none })).status).toBe(403)
  })

  it('does not tell who may not see a type whether there is one, or which fields it has', async () => {
    const nobody = await personWith(['VIEW_LEAD'])
    const paths = (type: string) => [
      `/api/custom-entities/${type}/records`,
      `/api/custom-entities/${type}/records?cf_nothing=1`,
      `/api/custom-entities/${type}/records?nothing=1`,
      `/api/custom-entities/${type}/records/${newId()}`,
      `/api/crm/comments?entityType=${type.toUpperCase()}&entityId=${newId()}`,
      `/api/crm/timeline?entityType=${type.toUpperCase()}&entityId=${newId()}`,
      `/api/custom-entities/${type}`,
    ]
    const asked = async (type: string) => {
      const answers = await Promise.all(paths(type).map((path) => call({ path, key: nobody.key })))
      const writes = await Promise.all(
        ['POST', 'PATCH', 'DELETE'].map((method) =>
          call({
            method: method as 'POST',
            path: `/api/custom-entities/${type}/records${method === 'POST' ? '' : `/${paths('x')[3]?.split('/').at(-1)}`}`,
            key: nobody.key,
            body: { title: 'T', values: { nothing: 1 } },
          }),
        ),
      )
      return [...answers, ...writes].map(({ status, body }) => ({
        status,
        body: JSON.parse(JSON.stringify(body).replaceAll(new RegExp(type, 'gi'), 'type')) as unknown,
      }))
    }
    const existing = await asked('vehicle')
    expect(existing).toEqual(await asked('bicycle'))
    expect(existing.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403, 404, 403, 403, 403])
  })

  it('have levels: OWN sees and changes just that, in items and total; NONE is 403', async () => {
    const person = await personWith(['VIEW_VEHICLE', 'UPDATE_VEHICLE', 'DELETE_VEHICLE', 'CREATE_VEHICLE'], 'OWN')
    const hidden = (await post()).body.data
    const own = (await post({ values: { plate: 'OWN' } }, person.key)).body.data
    expect((await call({ path: records, key: person.key })).body).toMatchObject({ total: 1, items: [own] })
    expect((await call({ path: `${records}?cf_plate=B-1`, key: person.key })).body).toMatchObject({
      total: 0,
      items: [],
    })
    for (const answer of [
      await call({ path: `${records}/${hidden.id}`, key: person.key }),
      await patch(hidden.id, { title: 'X' }, person.key),
      await call({ method: 'DELETE', path: `${records}/${hidden.id}`, key: person.key }),
    ])
      expect(answer.status).toBe(404)
    const none = await personWith(['VIEW_VEHICLE'], 'NONE')
    expect(await call({ path: records, key: none.key })).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_LEVEL_NONE', requiredPermission: 'VIEW_VEHICLE' },
    })
  })
})

describe('a record', () => {
  it('is created, read, changed and deleted, with history and events', async () => {
    const made = await post({
      title: ' Van ',
      values: { plate: 'B-2', mileage: 12, price: 1250, extras: ['roof', 'roof'] },
      tags: ['fleet'],
    })
    expect({ status: made.status, data: made.body.data }).toMatchObject({
      status: 201,
      data: {
        entityKey: 'vehicle',
        title: 'Van',
        values: { plate: 'B-2', mileage: 12, price: '1250', extras: ['roof'] },
        ownerId: workspace.adminUserId,
        tags: ['fleet'],
        version: 1,
      },
    })
    const { id } = made.body.data
    expect((await call({ path: `${records}/${id}`, key })).body.data).toEqual(made.body.data)
    const changed = (await patch(id, { values: { mileage: null, fuel: 'power' }, version: 1 })).body.data
    expect(changed).toMatchObject({ values: { plate: 'B-2', fuel: 'power' }, version: 2 })
    expect(changed.values).not.toHaveProperty('mileage')
    expect(await patch(id, { title: 'Late', version: 1 })).toMatchObject({
      status: 409,
      body: { code: 'VERSION_CONFLICT' },
    })
    const { items } = (await call({ path: `/api/crm/timeline?entityType=VEHICLE&entityId=${id}`, key })).body
    expect(items).toMatchObject([{ kind: 'UPDATED', changes: [{ field: 'values' }] }, { kind: 'CREATED' }])
    expect((await call({ method: 'DELETE', path: `${records}/${id}`, key })).body).toEqual({
      success: true,
      data: { id },
      undoId: expect.any(String),
    })
    expect((await call({ path: `${records}/${id}`, key })).status).toBe(404)
    const { outbox } = schema
    const told = await api.db
      .select({ event: outbox.event })
      .from(outbox)
      .where(and(eq(outbox.workspaceId, workspace.workspaceId), eq(outbox.entityId, id)))
      .orderBy(outbox.id)
    expect(told.map(({ event }) => event)).toEqual(['vehicle.created', 'vehicle.updated', 'vehicle.deleted'])
  })

  it.each([
    ['no title', { title: ' ' }, ['title']],
    ['an unknown field', { values: { plate: 'B', wings: 2 } }, ['values', 'wings']],
    ['a required field that lacks', { values: {} }, ['values', 'plate']],
    ['a value that does not fit', { values: { plate: 'B', mileage: 'far' } }, ['values', 'mileage']],
    ['no option', { values: { plate: 'B', fuel: 'hay' } }, ['values', 'fuel']],
    ['a key that is not of it', { customFields: {} }, ['customFields']],
  ])('400 VALIDATION_ERROR for %s', async (_what, body, path) => {
    const answer = await post(body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect(answer.body.issues).toContainEqual(expect.objectContaining({ path }))
  })

  it('400 for clearing what is required and for an owner that is not there', async () => {
    const { id } = (await post()).body.data
    expect(await patch(id, { values: { plate: null } })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR' },
    })
    expect(await patch(id, { ownerId: unknownId })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REFERENCE', details: { field: 'ownerId' } },
    })
  })

  it('has no owner where its type has none, and belongs to its creator', async () => {
    const name = newKey()
    await declare({ key: name, hasOwner: false })
    const path = `/api/custom-entities/${name}/records`
    const { data } = (await call({ method: 'POST', path, cookie, body: { title: 'One' } })).body
    expect(data).toMatchObject({ ownerId: null, departmentId: null, createdById: workspace.adminUserId })
    expect(
      await call({ method: 'POST', path, cookie, body: { title: 'Two', ownerId: workspace.adminUserId } }),
    ).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect((await call({ path: `${path}/${data.id}`, cookie })).status).toBe(200)
    expect((await call({ path: `${records}/${data.id}`, cookie })).status).toBe(404)
  })

  it('404 for one of another workspace that has a type of the same name', async () => {
    const elsewhere = await api.newWorkspace()
    const theirs = await elsewhere.session()
    await call(
      {
        method: 'POST',
        path: settings,
        cookie: theirs,
        body: { key: 'vehicle', labels: { singular: 'Vehicle', plural: 'Vehicles' } },
      },
      elsewhere,
    )
    const { id } = (await call({ method: 'POST', path: records, cookie: theirs, body: { title: 'Theirs' } }, elsewhere))
      .body.data
    expect((await call({ path: `${records}/${id}`, key })).status).toBe(404)
    expect((await patch(id, { title: 'Mine' })).status).toBe(404)
    expect((await call({ path: `/api/crm/timeline?entityType=VEHICLE&entityId=${id}`, key })).status).toBe(404)
    expect((await call({ path: `${records}/${id}`, cookie: theirs }, elsewhere)).status).toBe(200)
  })

  it('404 under a key that no type has', async () => {
    for (const name of ['bicycle', 'lead', 'LEAD', '%00', '..'])
      expect(
        (await call({ path: `/api/custom-entities/${encodeURIComponent(name)}/records`, cookie })).status,
        name,
      ).toBe(404)
  })
})

describe('the list of records', async () => {
  const name = newKey()
  await declare({ key: name, fields })
  const path = `/api/custom-entities/${name}/records`
  const make = async (body: object) => (await call({ method: 'POST', path, cookie, body })).body.data.id as string
  const van = await make({
    title: 'Großer Van',
    values: {
      plate: 'B-1',
      fuel: 'diesel',
      extras: ['roof', 'radio'],
      isUsed: true,
      mileage: 90_000,
      price: '9000.50',
      builtOn: '2020-05-01',
    },
  })
  const car = await make({
    title: 'Car',
    values: {
      plate: 'B-2',
      fuel: 'power',
      extras: ['radio'],
      isUsed: false,
      mileage: 10,
      price: '30000',
      builtOn: '2026-01-01',
    },
  })
  const list = (query = '') => call({ path: `${path}${query}`, cookie })

  it.each([
    ['', [car, van]],
    ['?search=grosser', [van]],
    ['?cf_plate=B-1', [van]],
    ['?cf_fuel=power', [car]],
    ['?cf_extras=roof', [van]],
    ['?cf_extras=roof,radio', [car, van]],
    ['?cf_isUsed=false', [car]],
    ['?cf_mileageMin=11', [van]],
    ['?cf_priceMax=9000.50', [van]],
    ['?cf_builtOnFrom=2025-01-01', [car]],
    ['?cf_builtOnTo=2025-01-01&cf_fuel=power', []],
    ['?sortBy=title&sortOrder=asc', [car, van]],
    ['?sortBy=cf_mileage&sortOrder=asc', [car, van]],
    ['?sortBy=cf_mileage', [van, car]],
    [`?ownerId=${unknownId}`, []],
  ])('%s', async (query, expected) => {
    const answer = await list(query)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect(answer.body.items.map(({ id }: { id: string }) => id)).toEqual(expected)
    expect(answer.body).toMatchObject({ total: expected.length, page: 1, pageSize: 50 })
  })

  it('is cut at 100 a page', async () => {
    expect((await list('?pageSize=101')).body.pageSize).toBe(100)
  })

  it.each([
    ['cf_wings=2', 'UNKNOWN_CUSTOM_FIELD_FILTER'],
    ['cf_mileage=2', 'UNKNOWN_CUSTOM_FIELD_FILTER'],
    ['colour=red', 'UNKNOWN_QUERY_PARAM'],
    ['cf_plate=a&cf_plate=b', 'DUPLICATE_QUERY_PARAM'],
    ['cf_mileageMin=far', 'INVALID_QUERY_PARAM'],
    ['sortBy=secret', 'INVALID_QUERY_PARAM'],
    ['sortBy=cf_wings', 'INVALID_QUERY_PARAM'],
    ['ownerId=you', 'INVALID_ID'],
  ])('400 for %s', async (query, code) => {
    expect(await list(`?${query}`)).toMatchObject({ status: 400, body: { code } })
  })

  it('knows a field from the moment that it is declared', async () => {
    const { id } = (await call({ path: `/api/custom-entities/${name}`, cookie })).body.data
    expect((await list('?cf_seats=4')).status).toBe(400)
    await call({
      method: 'PATCH',
      path: `${settings}/${id}`,
      cookie,
      body: { fields: [...fields, { key: 'seats', label: 'Seats', type: 'TEXT' }] },
    })
    expect((await list('?cf_seats=4')).body.total).toBe(0)
  })
})

describe('what hangs on a record', () => {
  it('comments, tasks and files do, for those who see its kind', async () => {
    const { id } = (await post()).body.data
    const target = { entityType: 'VEHICLE', entityId: id }
    const comment = await call({
      method: 'POST',
      path: '/api/crm/comments',
      key,
      body: { ...target, body: 'A remark' },
    })
    expect(comment).toMatchObject({ status: 201, body: { data: target } })
    const taskId = await createTask({ ...api, key }, { links: [target] })
    const file = await call({
      method: 'POST',
      path: '/api/files/upload',
      key,
      body: { filename: 'a.txt', contentType: 'text/plain', contentBase64: 'aGVsbG8=', links: [target] },
    })
    expect(file.body.data.links).toEqual([target])
    expect((await call({ path: `/api/tasks?entityType=VEHICLE&entityId=${id}`, key })).body.items).toMatchObject([
      { id: taskId, links: [target] },
    ])
    expect(
      (await call({ path: `/api/crm/timeline?entityType=VEHICLE&entityId=${id}`, key })).body.items.map(
        ({ kind }: { kind: string }) => kind,
      ),
    ).toEqual(['FILE_ADDED', 'TASK_ADDED', 'COMMENT_ADDED', 'CREATED'])

    const seeing = await personWith(['VIEW_VEHICLE'])
    expect(
      (await call({ path: `/api/crm/comments?entityType=VEHICLE&entityId=${id}`, key: seeing.key })).body.total,
    ).toBe(1)
    const blind = await personWith(['VIEW_LEAD', 'VIEW_TASK', 'VIEW_FILE'])
    for (const path of [
      `/api/crm/comments/${comment.body.data.id}`,
      `/api/crm/comments?entityType=VEHICLE&entityId=${id}`,
      `/api/crm/timeline?entityType=VEHICLE&entityId=${id}`,
    ]) {
      expect(await call({ path, key: blind.key })).toMatchObject({
        status: 403,
        body: { code: 'ACCESS_DENIED', requiredPermission: 'VIEW_VEHICLE' },
      })
    }
    expect((await call({ path: `/api/tasks/${taskId}`, key: blind.key })).body.data.links).toEqual([])
    expect((await call({ path: `/api/files/${file.body.data.id}`, key: blind.key })).status).toBe(404)
    const owner = await personWith(['VIEW_VEHICLE'], 'OWN')
    expect((await call({ path: `/api/crm/comments?entityType=VEHICLE&entityId=${id}`, key: owner.key })).status).toBe(
      404,
    )
    expect((await call({ path: `/api/crm/timeline?entityType=VEHICLE&entityId=${id}`, key: owner.key })).status).toBe(
      404,
    )
  })

  it('400 for an entity type that nobody made', async () => {
    const entityId = await createLead(api)
    for (const path of ['/api/crm/comments', '/api/crm/timeline']) {
      expect(await call({ path: `${path}?entityType=BICYCLE&entityId=${entityId}`, key })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_QUERY_PARAM', details: { param: 'entityType' } },
      })
    }
    const answer = await call({
      method: 'POST',
      path: '/api/crm/comments',
      key,
      body: { entityType: 'BICYCLE', entityId, body: 'X' },
    })
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', issues: [{ path: ['entityType'] }] },
    })
  })
})
