import { expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const path = '/api/organization'
const change = (body: unknown, as = key) => call({ method: 'PATCH', path, key: as, body })

it('begins with the name of the workspace and nothing else', async () => {
  const { data } = (await call({ path, key })).body
  expect(data).toMatchObject({
    id: workspace.workspaceId,
    name: `Workspace ${workspace.slug}`,
    legalName: null,
    taxId: null,
    address: null,
    logo: null,
  })
})

it('keeps what is sent, clears what is null, and leaves the rest', async () => {
  const address = { line1: 'Hauptstraße 1', city: 'Berlin', postalCode: '10115', country: 'DE' }
  const first = await change({
    name: 'Engines',
    legalName: 'Analytical Engines GmbH',
    taxId: 'DE123',
    phone: '+49 30 901820',
    email: 'office@engines.example',
    address,
    primaryColor: '#112233',
  })
  expect(first).toMatchObject({
    status: 200,
    body: {
      data: {
        name: 'Engines',
        legalName: 'Analytical Engines GmbH',
        phone: '+4930901820',
        address,
        primaryColor: '#112233',
      },
    },
  })
  const { data } = (await change({ taxId: null, website: 'https://engines.example' })).body
  expect(data).toEqual({
    ...first.body.data,
    taxId: null,
    website: 'https://engines.example',
    updatedAt: data.updatedAt,
  })
  expect((await call({ path, key })).body.data).toEqual(data)
})

it('shares name, logo and colour with the brand of the workspace', async () => {
  await change({ name: 'Difference Engines', logo: 'https://engines.example/logo.svg' })
  const cookie = await workspace.session()
  expect((await call({ path: '/api/settings/workspace', cookie })).body.data.brand).toMatchObject({
    companyName: 'Difference Engines',
    logo: 'https://engines.example/logo.svg',
  })
  await call({
    method: 'PATCH',
    path: '/api/settings/workspace',
    cookie,
    body: { brand: { companyName: 'Engines again' } },
  })
  expect((await call({ path, key })).body.data.name).toBe('Engines again')
})

it('400 for a phone number that is none, and 403 to change it without MANAGE_WORKSPACE', async () => {
  expect(await change({ phone: '+1 234 5' })).toMatchObject({
    status: 400,
    body: { code: 'VALIDATION_ERROR', issues: [{ path: ['phone'] }] },
  })
  const reader = await workspace.apiKey({ scopes: ['VIEW_REFERENCE_DATA'] })
  expect((await call({ path, key: reader.key })).status).toBe(200)
  expect(await change({ name: 'No' }, reader.key)).toMatchObject({ status: 403, body: { code: 'ACCESS_DENIED' } })
})
