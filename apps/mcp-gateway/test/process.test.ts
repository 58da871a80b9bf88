import { bundleOf, startProcess, testDatabase } from '@crm/testkit'
import { request } from 'node:http'
import { Client } from 'pg'
import { afterAll, expect, it } from 'vitest'
import { startUpstream } from './upstream.ts'

const database = await testDatabase()
const upstream = await startUpstream()
afterAll(() => upstream.close())

const gateway = await startProcess(bundleOf('mcp-gateway'), {
  DATABASE_URL: database.urlFor('crm_gateway'),
  CRM_API_URL: upstream.url,
})

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** `fetch` may not send a Host header of its own. */
function getAt(host: string, path: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  request(gateway.url + path, { headers: { host } }, (response) => {
    let text = ''
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as Answer['body'] }))
  })
    .on('error', reject)
    .end()
  return promise
}

async function addWorkspace(slug: string): Promise<void> {
  const owner = new Client({ connectionString: database.ownerUrl })
  await owner.connect()
  const { rows } = await owner.query<{ id: string }>(
    'INSERT INTO workspaces (id, slug, name, base_url) VALUES (gen_random_uuid(), $1, $1, $2) RETURNING id',
    [slug, `https://${slug}.example`],
  )
  await owner.query('INSERT INTO workspace_hosts (host, workspace_id) VALUES ($1, $2)', [
    `${slug}.example`,
    rows[0]?.id,
  ])
  await owner.end()
}

it('serves the workspace of the host from the database, with its own role, and stops when it is told', async () => {
  const path = '/.well-known/oauth-protected-resource'
  expect(await getAt('one.example', path)).toMatchObject({ status: 404 })
  await addWorkspace('one')
  expect(await getAt('anything.example', path)).toMatchObject({
    status: 200,
    body: { resource: 'https://one.example/api/mcp' },
  })
  await addWorkspace('two')
  expect(await getAt('two.example:8443', path)).toMatchObject({
    status: 200,
    body: { resource: 'https://two.example/api/mcp', resource_name: 'two' },
  })
  expect(await getAt('anything.example', path)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  expect(await gateway.stop()).toBe(0)
})
