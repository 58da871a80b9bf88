import { schema } from '@crm/db'
import { createEgress, type AddressResolver } from '@crm/egress'
import { eq } from 'drizzle-orm'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { ownApi, secrets, type CallAnswer } from '../../../../test/harness.ts'
import { calendarBytesMax, fetchCalendars } from './fetch-calendars.ts'

const { call, workspace, db, clock, logger } = await ownApi()
const path = '/api/calendar/subscriptions'
const minuteMs = 60_000

let answer: RequestListener = (_request, response) => void response.end()
const asked: string[] = []
const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.url} ${request.headers.accept}`)
  answer(request, response)
}).listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
const port = (server.address() as AddressInfo).port
const resolver: AddressResolver = async () => ['127.0.0.1']
const egress = createEgress({ allowCidrs: ['127.0.0.0/8'], answerBytesMax: calendarBytesMax, resolver })
afterAll(async () => {
  await egress.close()
  server.close()
})

const calendarUrl = `http://calendar.example:${port}/secret.ics`
const event = (stamp: string, summary = 'Dentist') =>
  `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTAMP:${stamp}\r\nSUMMARY:${summary}\r\nDTSTART:20260602T090000Z\r\nDTEND:20260602T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`
const serve = (text: string, status = 200) => {
  answer = (_request, response) => response.writeHead(status, { 'content-type': 'text/calendar' }).end(text)
}

async function person(): Promise<
  (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', id?: string, body?: object) => Promise<CallAnswer>
> {
  const cookie = await workspace.session((await workspace.employee()).id)
  return (method, id = '', body) => call({ method, path: `${path}${id}`, cookie, body })
}

const stored = async (id: string) =>
  (await db.select().from(schema.calendarSubscriptions).where(eq(schema.calendarSubscriptions.id, id)))[0]
const fetchDue = () => fetchCalendars({ db, clock, logger, egress, secrets })

describe('a subscription', () => {
  it('is made, listed, changed and deleted by its owner alone', async () => {
    const [as, stranger] = [await person(), await person()]
    const made = await as('POST', '', { name: 'Private', url: ' webcal://calendar.example/p.ics ' })
    expect(made).toMatchObject({
      status: 201,
      body: {
        data: {
          name: 'Private',
          url: 'https://calendar.example/p.ics',
          state: 'WAITING',
          problem: null,
          fetchedAt: null,
          eventCount: 0,
        },
      },
    })
    const { id } = made.body.data
    expect((await as('GET')).body).toMatchObject({ total: 1, items: [{ id }] })
    expect((await stranger('GET')).body.total).toBe(0)
    expect((await stranger('GET', `/${id}`)).status).toBe(404)
    expect((await stranger('DELETE', `/${id}`)).status).toBe(404)
    expect(await as('PATCH', `/${id}`, { name: 'Family' })).toMatchObject({
      status: 200,
      body: { data: { name: 'Family', url: 'https://calendar.example/p.ics' } },
    })
    expect((await as('DELETE', `/${id}`)).status).toBe(200)
    expect((await as('GET')).body.total).toBe(0)
  })

  it.each([
    'ftp://calendar.example/a.ics',
    'not an address',
    'http://127.0.0.1/a.ics',
    'http://localhost/a.ics',
    'http://169.254.169.254/latest',
    'https://user:pass@calendar.example/a.ics',
    'file:///etc/passwd',
  ])('of %s is 400', async (url) => {
    expect(await (await person())('POST', '', { name: 'x', url })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', issues: [{ path: ['url'] }] },
    })
  })

  it('is one of at most twenty', async () => {
    const as = await person()
    for (let n = 0; n < 20; n += 1)
      expect((await as('POST', '', { name: `${n}`, url: 'https://calendar.example/a.ics' })).status).toBe(201)
    expect((await as('POST', '', { name: 'one more', url: 'https://calendar.example/a.ics' })).status).toBe(400)
    await db.delete(schema.calendarSubscriptions)
  })
})

describe('fetching', () => {
  it('keeps what is new, every quarter of an hour, and counts other stamps as the same', async () => {
    const as = await person()
    const { id } = (await as('POST', '', { name: 'Private', url: calendarUrl })).body.data
    serve(event('20260101T000000Z'))
    expect([await fetchDue(), await fetchDue()]).toEqual([1, 0])
    expect(asked).toEqual(['GET /secret.ics text/calendar'])
    expect(await stored(id)).toMatchObject({
      revision: 1,
      readRevision: 0,
      problem: null,
      failures: 0,
      content: event('x').replace('DTSTAMP:x\r\n', ''),
    })
    serve(event('20260101T001500Z'))
    clock.advance(15 * minuteMs)
    expect(await fetchDue()).toBe(1)
    expect(await stored(id)).toMatchObject({ revision: 1, fetchedAt: clock.now().toISOString() })
    serve(event('20260101T001500Z', 'Doctor'))
    expect((await as('POST', `/${id}/refresh`)).status).toBe(200)
    expect(await fetchDue()).toBe(1)
    expect(await stored(id)).toMatchObject({ revision: 2 })
    await db.delete(schema.calendarSubscriptions)
  })

  it.each([
    ['an error', () => serve('', 500), 'The answer was not a success.'],
    ['a page', () => serve('<html></html>'), 'What is at this address is no calendar, or one of more than 4 MB.'],
    [
      'half a calendar',
      () => serve('BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n'),
      'What is at this address is no calendar, or one of more than 4 MB.',
    ],
    [
      'a calendar that is packed in a way that was not asked for',
      () => {
        answer = (_request, response) => response.writeHead(200, { 'content-encoding': 'zstd' }).end(event('1'))
      },
      'The answer is packed in a way that was not asked for, or is damaged.',
    ],
    ['nothing', () => serve(''), 'What is at this address is no calendar, or one of more than 4 MB.'],
    [
      'fifty megabytes of events',
      () =>
        serve(
          `BEGIN:VCALENDAR\r\n${'BEGIN:VEVENT\r\nDTSTART:20260602T090000Z\r\nEND:VEVENT\r\n'.repeat(950_000)}END:VCALENDAR`,
        ),
      'The calendar at this address ends too early, or has more than 4 MB.',
    ],
    [
      'a calendar without end',
      () => serve(`BEGIN:VCALENDAR\r\n${'X-A:b\r\n'.repeat(700_000)}END:VCALENDAR`),
      'What is at this address is no calendar, or one of more than 4 MB.',
    ],
    [
      'another place',
      () => {
        answer = (_request, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end()
      },
      'The address cannot be reached from the internet or is not allowed.',
    ],
    [
      'one place after the other',
      () => {
        answer = (_request, response) => response.writeHead(301, { location: '/next.ics' }).end()
      },
      'The address leads on to other addresses too many times.',
    ],
  ])('of %s says so, keeps what was there, and tries again later and later', async (_what, break_, problem) => {
    const as = await person()
    const { id } = (await as('POST', '', { name: 'Private', url: calendarUrl })).body.data
    serve(event('1'))
    await fetchDue()
    break_()
    clock.advance(15 * minuteMs)
    await fetchDue()
    const { content } = (await stored(id)) ?? {}
    expect(await stored(id)).toMatchObject({ problem, failures: 1, revision: 1 })
    expect(content).toContain('SUMMARY:Dentist')
    expect(await as('GET', `/${id}`)).toMatchObject({ body: { data: { state: 'FAILING', problem } } })
    clock.advance(15 * minuteMs)
    expect(await fetchDue()).toBe(0)
    serve(event('1'))
    clock.advance(15 * minuteMs)
    expect(await fetchDue()).toBe(1)
    expect(await stored(id)).toMatchObject({ problem: null, failures: 0 })
    await db.delete(schema.calendarSubscriptions)
  })

  it.each<[string, Record<string, string>, (text: string) => Uint8Array]>([
    ['packed', { 'content-encoding': 'gzip' }, gzipSync],
    [
      'in another charset',
      { 'content-type': 'text/calendar; charset=iso-8859-1' },
      (text) => Buffer.from(text, 'latin1'),
    ],
  ])('reads a calendar %s', async (_what, headers, write) => {
    const as = await person()
    const { id } = (await as('POST', '', { name: 'Private', url: calendarUrl })).body.data
    let agent: string | undefined
    answer = (request, response) => {
      agent = request.headers['user-agent']
      response.writeHead(200, headers).end(write(event('1').replace('Dentist', 'Zahnärztin')))
    }
    await fetchDue()
    const row = await stored(id)
    expect(row).toMatchObject({ problem: null, failures: 0 })
    expect(row?.content).toContain('SUMMARY:Zahnärztin')
    expect(agent).toMatch(/^workspace-crm\//)
    await db.delete(schema.calendarSubscriptions)
  })

  it.each([
    [301, 'moved.ics'],
    [308, 'moved.ics'],
    [302, 'secret.ics'],
    [307, 'secret.ics'],
  ])('follows %d, and keeps in mind where a calendar has moved for good', async (status, kept) => {
    const as = await person()
    const { id } = (await as('POST', '', { name: 'Private', url: calendarUrl })).body.data
    answer = (request, response) =>
      request.url === '/moved.ics'
        ? response.writeHead(200).end(event('1'))
        : response.writeHead(status, { location: '/moved.ics' }).end()
    await fetchDue()
    expect(await stored(id)).toMatchObject({ problem: null, revision: 1 })
    expect((await as('GET', `/${id}`)).body.data.url).toBe(`http://calendar.example:${port}/${kept}`)
    await db.delete(schema.calendarSubscriptions)
  })

  it('keeps the address when there is no calendar where it leads', async () => {
    const as = await person()
    const { id } = (await as('POST', '', { name: 'Private', url: calendarUrl })).body.data
    answer = (request, response) =>
      request.url === '/gone.html'
        ? response.writeHead(200).end('<html></html>')
        : response.writeHead(301, { location: '/gone.html' }).end()
    await fetchDue()
    expect((await as('GET', `/${id}`)).body.data).toMatchObject({ state: 'FAILING', url: calendarUrl })
    await db.delete(schema.calendarSubscriptions)
  })

  it('takes what stands between other things', async () => {
    const as = await person()
    const { id } = (await as('POST', '', { name: 'Private', url: calendarUrl })).body.data
    serve(`Warning: something happened\n\uFEFF${event('1')}<!-- made in 0.1 s -->`)
    await fetchDue()
    expect(await stored(id)).toMatchObject({ problem: null, revision: 1 })
    await db.delete(schema.calendarSubscriptions)
  })

  it('of what ends too early takes it where there is nothing better, and in the end rather than what is old', async () => {
    const as = await person()
    const { id } = (await as('POST', '', { name: 'Private', url: calendarUrl })).body.data
    const part = (summary: string) => event('1', summary).replace('END:VCALENDAR', 'BEGIN:VEVENT\r\nDTSTA')
    const later = async (text: string) => {
      serve(text)
      clock.advance(24 * 60 * minuteMs)
      await fetchDue()
      return stored(id)
    }
    serve(part('First'))
    await fetchDue()
    expect(await stored(id)).toMatchObject({ problem: null, revision: 1 })
    expect(await later(part('Second'))).toMatchObject({ problem: null, revision: 2 })
    expect(await later(event('1', 'Whole'))).toMatchObject({ problem: null, revision: 3 })
    for (const failures of [1, 2, 3]) {
      const kept = await later(part('Third'))
      expect(kept).toMatchObject({
        problem: 'The calendar at this address ends too early, or has more than 4 MB.',
        failures,
        revision: 3,
      })
      expect(kept?.content).toContain('Whole')
    }
    const taken = await later(part('Third'))
    expect(taken).toMatchObject({ problem: null, failures: 0, revision: 4 })
    expect(taken?.content).toContain('Third')
    await db.delete(schema.calendarSubscriptions)
  })

  it('leaves what was said of a calendar as it is while the calendar stays the same, and has it read again after a failure', async () => {
    const as = await person()
    const { id } = (await as('POST', '', { name: 'Private', url: calendarUrl })).body.data
    serve(event('1'))
    await fetchDue()
    await db
      .update(schema.calendarSubscriptions)
      .set({ readRevision: 1, problem: 'One event is left out.' })
      .where(eq(schema.calendarSubscriptions.id, id))
    clock.advance(15 * minuteMs)
    await fetchDue()
    expect(await stored(id)).toMatchObject({ revision: 1, problem: 'One event is left out.' })
    serve('', 500)
    clock.advance(15 * minuteMs)
    await fetchDue()
    serve(event('1'))
    clock.advance(30 * minuteMs)
    await fetchDue()
    expect(await stored(id)).toMatchObject({ revision: 2, readRevision: 1, problem: null, failures: 0 })
    await db.delete(schema.calendarSubscriptions)
  })

  it.each([
    [
      'the name of a place inside',
      createEgress({ answerBytesMax: calendarBytesMax, resolver: async () => ['10.0.0.7'] }),
      () => serve(event('1')),
    ],
    [
      'a name that leads to this machine',
      createEgress({ answerBytesMax: calendarBytesMax, resolver: async () => ['127.0.0.1'] }),
      () => serve(event('1')),
    ],
    [
      'a place that never answers',
      createEgress({ allowCidrs: ['127.0.0.0/8'], answerBytesMax: calendarBytesMax, resolver, timeoutMs: 150 }),
      () => {
        answer = () => undefined
      },
    ],
    [
      'a place that drips',
      createEgress({ allowCidrs: ['127.0.0.0/8'], answerBytesMax: calendarBytesMax, resolver, timeoutMs: 150 }),
      () => {
        answer = (_request, response) => void response.writeHead(200).write('BEGIN:VCALENDAR\r\n')
      },
    ],
  ])('of %s keeps nothing and says so', async (_what, strict, be) => {
    const as = await person()
    const { id } = (await as('POST', '', { name: 'Private', url: calendarUrl })).body.data
    be()
    expect(await fetchCalendars({ db, clock, logger, egress: strict, secrets })).toBe(1)
    expect(await stored(id)).toMatchObject({
      content: null,
      revision: 0,
      failures: 1,
      problem: expect.stringMatching(/\w/),
    })
    expect(await as('GET', `/${id}`)).toMatchObject({ body: { data: { state: 'FAILING' } } })
    await strict.close()
    await db.delete(schema.calendarSubscriptions)
  })

  it('is done once by several processes', async () => {
    const as = await person()
    await as('POST', '', { name: 'Private', url: calendarUrl })
    serve(event('1'))
    expect((await Promise.all([fetchDue(), fetchDue(), fetchDue()])).reduce((sum, n) => sum + n)).toBe(1)
    await db.delete(schema.calendarSubscriptions)
  })
})

describe('the feed', () => {
  it('has an address that is shown once, replaced, and taken back', async () => {
    const cookie = await workspace.session((await workspace.employee()).id)
    const feed = (method: 'GET' | 'POST' | 'DELETE') => call({ method, path: '/api/calendar/feed', cookie })
    expect(await feed('GET')).toMatchObject({ status: 200, body: { data: { createdAt: null } } })
    const made = await feed('POST')
    expect(made).toMatchObject({
      status: 201,
      body: {
        data: { url: expect.stringMatching(new RegExp(`^http://${workspace.host}/book/calendar/[\\w-]{43}\\.ics$`)) },
      },
    })
    const again = await feed('POST')
    expect(again.body.data.url).not.toBe(made.body.data.url)
    expect((await feed('GET')).body.data).toEqual({ createdAt: expect.any(String) })
    expect((await feed('DELETE')).body.data).toEqual({ createdAt: null })
    expect((await feed('GET')).body.data).toEqual({ createdAt: null })
  })
})
