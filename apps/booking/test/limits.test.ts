import { eventually } from '@crm/testkit'
import { eq } from 'drizzle-orm'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { schema } from '@crm/db'
import { connectRedis } from '@crm/redis'
import { countedAddress, createLogger } from '@crm/runtime'
import { berlin, bookingUnderTest, guest, send, type Call } from './booking-under-test.ts'

const service = await bookingUnderTest()
const { workspace, link, newWorkspace } = service
const usual = { limits: {} }

const from = (address: string, call: Call): Call => ({ ...call, headers: { 'x-forwarded-for': address } })
/** The booking of the n-th half hour of a day, from an address of its own. */
const booking = (n: number, slug: string, { day = '2026-06-02', ...more }: Record<string, unknown> = {}): Call => {
  const startAt = new Date(Date.parse(berlin(String(day), 9)) + n * 30 * 60_000).toISOString()
  return from(`203.0.113.${n}`, { method: 'POST', path: slug, body: { ...guest(startAt), ...more } })
}
const emptyBody = (slug: string): Call => ({ method: 'POST', path: slug, body: {} })

describe('the limits of the booking API', () => {
  it('30 creates, moves and cancels a minute from one address, whatever they ask for; the 31st is 429 with Retry-After', async () => {
    const app = service.instance(usual)
    const slugs = await Promise.all([1, 2, 3].map(async () => (await link()).slug))
    const call = (one: Call) => send(app, workspace, from('198.51.100.1', one))
    const statuses: number[] = []
    for (let n = 0; n < 10; n++) {
      statuses.push((await call(emptyBody(slugs[n % 3] as string))).status)
      statuses.push((await call({ method: 'POST', path: 'manage/none/reschedule', body: {} })).status)
      statuses.push((await call({ method: 'POST', path: 'manage/none/cancel' })).status)
    }
    expect(new Set(statuses)).toEqual(new Set([400, 404]))
    const refused = await call({ method: 'POST', path: 'manage/none/cancel' })
    expect(refused).toMatchObject({
      status: 429,
      body: { success: false, error: { code: 'RATE_LIMITED' } },
      headers: {
        'retry-after': expect.stringMatching(/^([1-9]|[1-5]\d|60)$/),
        'access-control-allow-origin': '*',
        'cache-control': 'no-store',
      },
    })
    expect((await send(app, workspace, from('198.51.100.2', emptyBody(slugs[0] as string)))).status).toBe(400)
    expect((await call({ path: 'manage/none' })).status).toBe(404)
  })

  it('preflights are not counted and go on over the limit; a refusal may be read by any website', async () => {
    const app = service.instance({ limits: { writesPerAddress: 1, createsPerLink: 1, readsPerAddress: 1 } })
    const { slug } = await link()
    const website = { origin: 'https://website.example', 'x-forwarded-for': '198.51.100.33' }
    const paths = [
      slug,
      `${slug}/availability`,
      'manage/none',
      'manage/none/reschedule',
      'manage/none/cancel',
      'no-such-link',
      'no/such/path',
    ]
    for (let round = 0; round < 3; round += 1) {
      for (const path of paths) {
        const answer = await send(app, workspace, {
          method: 'OPTIONS',
          path,
          headers: {
            ...website,
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'content-type',
          },
        })
        expect(answer, path).toMatchObject({
          status: 204,
          headers: {
            'access-control-allow-origin': '*',
            'access-control-allow-methods': 'GET, POST, OPTIONS',
            'access-control-allow-headers': expect.stringMatching(/content-type/i),
          },
        })
      }
    }
    const openToAll = {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'Retry-After',
      'retry-after': expect.stringMatching(/^([1-9]|[1-5]\d|60)$/),
    }
    const body = { success: false, error: { code: 'RATE_LIMITED', message: expect.any(String) } }
    const twice: readonly Call[] = [
      { method: 'POST', path: slug, body: {} },
      { method: 'POST', path: 'manage/none/reschedule', body: {} },
      { method: 'POST', path: 'manage/none/cancel' },
      { path: 'manage/none' },
      { path: `${slug}/availability` },
    ]
    for (const call of twice) await send(app, workspace, { ...call, headers: website })
    for (const call of twice) {
      const answer = await send(app, workspace, { ...call, headers: website })
      expect(answer, call.path).toMatchObject({ status: 429, headers: openToAll })
      expect(answer.body).toEqual(body)
    }
  })

  it('10 bookings a minute on one link, whoever asks', async () => {
    const app = service.instance(usual)
    const [{ slug }, other] = [await link(), await link()]
    const statuses: number[] = []
    for (let n = 0; n < 11; n++)
      statuses.push((await send(app, workspace, booking(n, n % 2 ? slug : slug.toUpperCase()))).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429])
    expect((await send(app, workspace, booking(12, other.slug))).status).toBe(201)
  })

  it('nothing of a link for requests that are refused, whatever the reason', async () => {
    const app = service.instance(usual)
    const { slug } = await link()
    const day = '2026-06-03'
    expect((await send(app, workspace, booking(0, slug, { day }))).status).toBe(201)
    const refused = [
      () => emptyBody(slug),
      () => booking(0, slug, { day, email: 'none' }),
      () => booking(0, slug, { startAt: '2020-01-01T09:00:00.000Z' }),
      () => booking(0, slug, { day }),
      () => booking(1, slug, { day, nonsense: 1, email: undefined }),
    ]
    const statuses = new Set<number>()
    for (let n = 0; n < 25; n++)
      statuses.add((await send(app, workspace, from(`203.0.113.${100 + n}`, refused[n % refused.length]!()))).status)
    expect(statuses).toEqual(new Set([400, 409]))
    const others: number[] = []
    for (let n = 1; n < 11; n++) others.push((await send(app, workspace, booking(n, slug, { day }))).status)
    expect(others).toEqual([...Array.from({ length: 9 }, () => 201), 429])
  })

  it('as many creates a minute on one link as the workspace has as its own limit', async () => {
    const own = await newWorkspace()
    await service.db
      .update(schema.workspaces)
      .set({ limits: { 'bookings.per-minute': 2 } })
      .where(eq(schema.workspaces.id, own.workspaceId))
    const app = service.instance(usual)
    const { slug } = await link({}, own)
    const statuses: number[] = []
    for (let n = 0; n < 3; n++) statuses.push((await send(app, own, booking(n, slug))).status)
    expect(statuses).toEqual([201, 201, 429])
  })

  it('120 reads of availability and bookings a minute from one address, in one budget', async () => {
    const app = service.instance(usual)
    const { slug } = await link()
    const read = (n: number) =>
      send(
        app,
        workspace,
        from('198.51.100.9', {
          path:
            n % 2
              ? 'manage/none'
              : `${slug}/availability?from=${berlin('2026-06-02', 0)}&to=${berlin('2026-06-03', 0)}`,
        }),
      )
    const statuses = await Promise.all(Array.from({ length: 120 }, (_, n) => read(n)))
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200, 404]))
    expect((await read(0)).status).toBe(429)
    expect((await read(1)).status).toBe(429)
    expect((await send(app, workspace, from('198.51.100.9', { path: slug }))).status).toBe(200)
  })

  it('count an IPv6 site as one address, and each workspace by itself', async () => {
    const app = service.instance({ limits: { writesPerAddress: 1 } })
    const cancel: Call = { method: 'POST', path: 'manage/none/cancel' }
    expect((await send(app, workspace, from('2001:db8:1:2::1', cancel))).status).toBe(404)
    expect((await send(app, workspace, from('2001:db8:1:2:ffff::9', cancel))).status).toBe(429)
    expect((await send(app, workspace, from('2001:db8:1:3::1', cancel))).status).toBe(404)
    expect((await send(app, await newWorkspace(), from('2001:db8:1:2::1', cancel))).status).toBe(404)
  })

  it('believe a forwarded address from a trusted proxy only', async () => {
    const app = service.instance({ limits: { writesPerAddress: 1 }, trustedProxies: [] })
    const cancel: Call = { method: 'POST', path: 'manage/none/cancel' }
    expect((await send(app, workspace, from('192.0.2.1', cancel))).status).toBe(404)
    expect((await send(app, workspace, from('192.0.2.2', cancel))).status).toBe(429)
  })

  it('hold in memory while there is no Redis', async () => {
    const app = service.instance({
      limits: { writesPerAddress: 2 },
      redis: await connectRedis(undefined, { role: 'test' }),
    })
    const cancel = from('192.0.2.77', { method: 'POST', path: 'manage/none/cancel' })
    expect([
      (await send(app, workspace, cancel)).status,
      (await send(app, workspace, cancel)).status,
      (await send(app, workspace, cancel)).status,
    ]).toEqual([404, 404, 429])
  })

  it('count clients that have hung up, all together', async () => {
    const lines: string[] = []
    const logger = createLogger({ name: 'booking', level: 'error', destination: { write: (line) => lines.push(line) } })
    const app = service.instance({ limits: { writesPerAddress: 1 }, logger })
    const answered: number[] = []
    // The count comes after the end of the connection, and nobody gets the answer.
    app.addHook('onRequest', ({ raw: { socket } }) => once(socket, 'close').then(() => undefined))
    app.addHook('onSend', async (_request, reply) => void answered.push(reply.statusCode))
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    for (const count of [1, 2]) {
      const arrived = once(app.server, 'request')
      const client = connect(port, '127.0.0.1')
      client.write(`POST /api/public/booking/manage/none/cancel HTTP/1.1\r\nhost: ${workspace.host}\r\n\r\n`)
      await arrived
      client.destroy()
      await eventually(() => expect(answered).toHaveLength(count))
    }
    expect(answered).toEqual([404, 429])
    expect(lines).toEqual([])
  })
})

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:0:0:1::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('counts %s as %s', (address, counted) => {
  expect(countedAddress(address)).toBe(counted)
})
