import { newId, schema } from '@crm/db'
import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { sliceSizeMax } from '../src/records/slices.ts'
import { ownApi } from './harness.ts'

const api = await ownApi()
const { workspaceId, adminUserId: ownerId } = api.workspace
const owned = { workspaceId, ownerId, createdById: ownerId }
const n = 120
const long = (of: number): string => `${of} ${'ä“x'.repeat(3_000)}`

const titles = Array.from({ length: n }, (_, of) => `Task ${of}`)
await api.db.insert(schema.tasks).values(
  titles.map((title, of) => ({
    ...owned,
    id: newId(),
    number: of + 1,
    status: 'TODO' as const,
    title,
    description: long(of),
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, of)).toISOString(),
  })),
)

describe('a list that is larger than a slice', () => {
  it('is the same list, in its order and with its total', async () => {
    expect(n * long(1).length).toBeGreaterThan(2 * sliceSizeMax)
    const { status, body, headers } = await api.call({
      path: '/api/tasks?pageSize=500&sortBy=createdAt&sortOrder=asc',
      key: api.key,
    })
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(Object.keys(body)).toEqual(['items', 'total', 'page', 'pageSize', 'pageCount'])
    expect({ ...body, items: body.items.length }).toEqual({ items: n, total: n, page: 1, pageSize: 500, pageCount: 1 })
    expect(body.items.map(({ title }: { title: string }) => title)).toEqual(titles)
    expect(body.items.every(({ description }: { description: string }, of: number) => description === long(of))).toBe(
      true,
    )
    // Each record equals the answer of its `get`.
    const { body: alone } = await api.call({ path: `/api/tasks/${body.items.at(-1).id}`, key: api.key })
    expect(body.items.at(-1)).toEqual(alone.data)
  })

  it.each(['search=task', 'status=TODO', 'sortBy=title&sortOrder=desc', 'page=2&pageSize=100'])(
    'is read in every way: %s',
    async (query) => {
      const paged = query.startsWith('page=')
      const { status, body } = await api.call({
        path: `/api/tasks?${paged ? query : `pageSize=500&${query}`}`,
        key: api.key,
      })
      expect([status, body.total, body.items.length]).toEqual([200, n, paged ? n - 100 : n])
      expect(new Set(body.items.map(({ id }: { id: string }) => id)).size).toBe(body.items.length)
    },
  )

  it('leaves out what is deleted while it is on its way', async () => {
    const title = 'Leaves at once'
    const [one] = await api.db
      .insert(schema.tasks)
      .values({
        ...owned,
        id: newId(),
        number: 1_000,
        status: 'TODO' as const,
        title,
        description: 'x',
        createdAt: new Date(Date.UTC(2027, 0, 1)).toISOString(),
      })
      .returning({ id: schema.tasks.id })
    const port = (await api.app.listen({ host: '127.0.0.1', port: 0 })).split(':').at(-1)
    const items = await new Promise<{ title: string }[]>((resolve, reject) => {
      const sent = request(
        {
          port,
          path: '/api/tasks?pageSize=500&sortBy=createdAt&sortOrder=asc',
          headers: { host: api.workspace.host, authorization: `Bearer ${api.key}` },
        },
        (answer) => {
          // The client reads nothing until the record is gone; the answer is larger than the buffers of sockets.
          const gone = api.call({ method: 'DELETE', path: `/api/tasks/${one?.id}`, key: api.key })
          gone
            .then(async () =>
              resolve((JSON.parse((await buffer(answer)).toString()) as { items: { title: string }[] }).items),
            )
            .catch(reject)
        },
      )
      sent.on('error', reject).end()
    })
    expect([n, n + 1]).toContain(items.length)
    expect(items.slice(0, n).map((item) => item.title)).toEqual(titles)
  })

  it('HEAD answers as GET, without a body', async () => {
    const answer = await api.app.inject({
      method: 'HEAD',
      url: '/api/tasks?pageSize=500',
      headers: { host: api.workspace.host, authorization: `Bearer ${api.key}` },
    })
    expect([answer.statusCode, answer.body, answer.headers['content-type']]).toEqual([
      200,
      '',
      expect.stringMatching(/^application\/json/),
    ])
  })
})

describe('a page of duplicates that is larger than a slice', () => {
  it('has every group with its records', async () => {
    const description = 'x'.repeat(20_000)
    const groups = Array.from({ length: 5 }, (_, of) => ({ name: `Twin ${of}`, count: 30 - of }))
    for (const { name, count } of groups)
      await api.db
        .insert(schema.companies)
        .values(Array.from({ length: count }, () => ({ ...owned, id: newId(), name, description })))
    const { status, body } = await api.call({ path: '/api/companies/duplicates?by=name&pageSize=100', key: api.key })
    expect([status, body.total, body.page, body.pageCount]).toEqual([200, 5, 1, 1])
    expect(
      body.items.map(({ count, companies }: { count: number; companies: unknown[] }) => [count, companies.length]),
    ).toEqual(groups.map(({ count }) => [count, 20]))
    expect(JSON.stringify(body.items[0].companies[0])).not.toContain('rowId')
  })
})

it('history whose entries are large comes in shorter pages, and all of it', async () => {
  const [task] = await api.db
    .insert(schema.tasks)
    .values({ ...owned, id: newId(), number: 1_001, status: 'TODO' as const, title: 'Long history' })
    .returning({ id: schema.tasks.id })
  const changes = [{ field: 'description', from: 'x'.repeat(20_000), to: 'y'.repeat(20_000) }]
  const ids = Array.from({ length: 40 }, () => newId())
  await api.db.insert(schema.timeline).values(
    ids.map((id) => ({
      workspaceId,
      id,
      entityType: 'TASK',
      entityId: task?.id ?? '',
      kind: 'UPDATED',
      occurredAt: new Date().toISOString(),
      actorType: 'SYSTEM' as const,
      actorName: 'System',
      source: 'API' as const,
      changes,
    })),
  )
  const seen: string[] = []
  let cursor: string | null = ''
  let pages = 0
  while (cursor !== null) {
    const { status, body } = await api.call({
      path: `/api/tasks/${task?.id}/activity?limit=100${cursor ? `&cursor=${cursor}` : ''}`,
      key: api.key,
    })
    expect([status, body.hasMore]).toEqual([200, body.nextCursor !== null])
    seen.push(...body.items.map(({ id }: { id: string }) => id))
    cursor = body.nextCursor
    pages += 1
  }
  expect(pages).toBeGreaterThan(1)
  expect(seen).toEqual(ids.toReversed())
})
