import { searchTypes, type SearchType } from '@crm/contract'
import { newId, schema } from '@crm/db'
import { tableOfPlainKinds, type PlainEntity } from '@crm/model'
import { plainSample } from '@crm/testkit'
import { eq } from 'drizzle-orm'
import { request } from 'undici'
import { expect, it } from 'vitest'
import { startInstallation } from './installation.ts'

const { db, workspace, baseUrl, gateways, apis } = await startInstallation()
const cookie = await workspace.session()
const { key } = await workspace.apiKey()
const stranger = await workspace.apiKey({ scopes: ['VIEW_AUDIT_LOG'] })

async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: object,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const answer = await request(url, {
    method: 'POST',
    headers: { host: workspace.host, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: answer.statusCode, body: await answer.body.json() }
}

/** Creates a record as the console does and returns its id. */
async function create(path: string, fields: object): Promise<string> {
  const { status, body } = await post(apis[0].url + path, { cookie, 'sec-fetch-site': 'same-origin' }, fields)
  expect(status, JSON.stringify(body)).toBe(201)
  return (body as { readonly data: { readonly id: string } }).data.id
}

interface ToolAnswer {
  readonly result?: {
    readonly content: readonly { readonly text: string }[]
    readonly structuredContent: Readonly<Record<string, unknown>>
    readonly isError?: true
  }
  readonly error?: { readonly data: object }
}

async function callTool(name: string, args: object, credential = key): Promise<ToolAnswer> {
  const { body } = await post(
    `${gateways[0].url}/api/mcp`,
    { authorization: `Bearer ${credential}` },
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  )
  return body as ToolAnswer
}

const inChannel = async (): Promise<string> => create('/api/settings/channels', { name: `Room ${newId()}` })
const party = async (): Promise<string> => create('/api/companies', { name: 'A buyer' })
const lines = [{ name: 'Work', quantity: '1', unitPrice: '10' }]

/** The functions that create a record of each type with a given word. */
const makers: Readonly<Record<SearchType, (word: string) => Promise<string>>> = {
  lead: (word) => create('/api/leads', { lastName: word, email: `${word}@example.com` }),
  contact: (word) => create('/api/contacts', { lastName: word }),
  company: (word) => create('/api/companies', { name: word }),
  deal: (word) => create('/api/deals', { name: word }),
  task: (word) => create('/api/tasks', { title: word }),
  project: (word) => create('/api/projects', { name: word }),
  file: (word) =>
    create('/api/files/upload', {
      filename: `${word}.txt`,
      contentType: 'text/plain',
      contentBase64: Buffer.from('content').toString('base64'),
    }),
  activity: (word) => create('/api/activities', { type: 'NOTE', subject: word }),
  invoice: async (word) => create('/api/invoices', { companyId: await party(), items: lines, notes: word }),
  quote: async (word) => create('/api/quotes', { companyId: await party(), items: lines, notes: word }),
  product: (word) => create('/api/products', { name: word }),
  department: (word) => create('/api/departments', { name: word }),
  employee: async (word) => {
    const { id } = await workspace.employee()
    await db.update(schema.employees).set({ lastName: word }).where(eq(schema.employees.id, id))
    return id
  },
  channel: (word) => create('/api/settings/channels', { name: word }),
  conversation: async (word) =>
    create('/api/settings/conversations', { channelId: await inChannel(), subject: 'A talk', body: `About ${word}` }),
  document: (word) => create('/api/documents', { name: word, body: 'Dear {{record.name}}' }),
  ...tableOfPlainKinds<{ readonly [Entity in PlainEntity as Lowercase<Entity>]: (word: string) => Promise<string> }>(
    (kind) => {
      const { path, body } = plainSample(kind)
      return [kind.entity.toLowerCase(), (word: string) => create(path, body(word))]
    },
  ),
}

it.each(searchTypes)(
  'a %s is found by search and read in full by fetch, and is not there for a stranger',
  async (type) => {
    // No word resembles that of another type, because search forgives misspellings.
    const word = Array.from(type).toReversed().join('') + type
    const recordId = await makers[type](word)
    const id = `${type}:${recordId}`

    const found = await callTool('search', { query: word })
    // A slow machine may have no time to guess at other texts, and says so beside the results.
    const answer = found.result?.structuredContent as { readonly results: readonly object[] } | undefined
    const results = answer?.results
    expect(results).toEqual([
      { id, title: expect.any(String), url: expect.stringMatching(new RegExp(`^${baseUrl}/[a-z/-]+/${recordId}$`)) },
    ])
    expect(JSON.parse(found.result?.content[0]?.text ?? '')).toEqual(found.result?.structuredContent)

    const { result } = await callTool('fetch', { id })
    const fetched = result?.structuredContent as {
      readonly id: string
      readonly title: string
      readonly text: string
      readonly url: string
      readonly metadata: object
    }
    expect(result?.isError).toBeUndefined()
    expect(result?.content).toHaveLength(1)
    expect(JSON.parse(result?.content[0]?.text ?? '')).toEqual(fetched)
    expect(results).toEqual([{ id, title: fetched.title, url: fetched.url }])
    expect(fetched).toMatchObject({ id, metadata: { type } })
    expect(fetched.text).toContain(word)
    expect(fetched.text).toContain(recordId)

    expect(JSON.stringify(await callTool('fetch', { id }, stranger.key))).not.toContain(word)
  },
)
