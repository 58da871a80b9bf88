import { publicDocument } from '@crm/openapi'
import { expect, it } from 'vitest'
import { apiUnderTest, type Call } from './harness.ts'

const { call, key, workspace } = await apiUnderTest()

interface OperationObject {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> }
}

const operations = Object.entries(publicDocument().paths)
  .filter(([path]) => !path.includes('{'))
  .flatMap(([path, methods]) =>
    Object.entries(methods as Readonly<Record<string, OperationObject>>).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, method, path, operation] as const,
    ),
  )

/** A feed takes one of its ids alone. */
const takesOneId = '/api/feed'

it.each(operations.filter(([, method, path]) => method === 'get' && path !== takesOneId))(
  '%s takes the examples of all its parameters at once',
  async (_title, _method, path, { parameters = [] }) => {
    const query = new URLSearchParams(
      parameters.flatMap(({ name, in: place, example }) =>
        place === 'query' && name !== 'cf' ? [[name, String(example)]] : [],
      ),
    )
    expect(await outcome({ path: `${path}?${query}`, key })).toBe('taken')
  },
)

const examples = operations.flatMap(([title, method, path, { requestBody }]) => {
  const body = requestBody?.content['application/json']?.example
  return method === 'post' && body !== undefined ? [[title, path, body] as const] : []
})

it.each(examples)('%s takes the example of its body', async (_title, path, body) => {
  expect(await outcome({ method: 'POST', path, key, body })).toBe('taken')
})

it('names the address of the workspace', async () => {
  const { body } = await call({ path: '/api/openapi.json' })
  expect(body.servers).toEqual([{ url: `http://${workspace.host}` }])
})

it('has an example of a body for what people create first', () => {
  expect(examples.map(([title]) => title)).toEqual(
    expect.arrayContaining(
      [
        'leads',
        'contacts',
        'companies',
        'deals',
        'tasks',
        'projects',
        'products',
        'quotes',
        'invoices',
        'activities',
      ].map((name) => `POST /api/${name}`),
    ),
  )
})

/** No example can name a record of a workspace, so it may be missing. */
async function outcome(request: Call): Promise<string> {
  const { status, body } = await call(request)
  const namesRecord = status === 404 || body.code === 'INVALID_REFERENCE'
  return status < 300 || namesRecord ? 'taken' : JSON.stringify(body)
}
