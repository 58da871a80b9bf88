import { batchReadsMax } from '@crm/contract'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../test/harness.ts'
import { createLead } from '../../../test/samples.ts'

const api = await apiUnderTest()
const { call, key, workspace, newWorkspace } = api

interface Answer {
  readonly status: number
  readonly body: Record<string, never>
}
const send = async (paths: readonly string[], cookie: string, headers: Record<string, string> = {}) => {
  const body = { reads: paths.map((path) => ({ path })) }
  return call({ method: 'POST', path: '/api/batch', body, cookie, headers })
}
const read = async (paths: readonly string[], cookie: string, headers?: Record<string, string>): Promise<Answer[]> => {
  const { status, body } = await send(paths, cookie, headers)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.answers
}

describe('a batch', () => {
  it('answers every read as if it came alone, in order', async () => {
    const cookie = await workspace.session()
    const id = await createLead(api, { firstName: 'Batched' })
    const paths = [
      `/api/leads/${id}`,
      '/api/leads?page=1&pageSize=1',
      '/api/leads/none',
      '/api/deals/summary?measures=count&nonsense=1',
      '/api/settings/users?page=1&pageSize=1',
      '/api/nowhere',
    ]
    const alone = await Promise.all(paths.map((path) => call({ path, cookie })))
    expect(await read(paths, cookie)).toStrictEqual(alone.map(({ status, body }) => ({ status, body })))
    expect(alone.map(({ status }) => status)).toStrictEqual([200, 200, 400, 400, 200, 404])
  })

  it('gives each read the rights of its caller, and no more', async () => {
    const id = await createLead(api, {})
    const { id: seller } = await workspace.employee({
      grant: {
        permissions: ['VIEW_DEAL'],
        access: [{ entityType: 'DEAL', VIEW: 'ALL', UPDATE: 'NONE', DELETE: 'NONE' }],
      },
    })
    const cookie = await workspace.session(seller)
    const answers = await read([`/api/leads/${id}`, '/api/deals?pageSize=1', '/api/settings/users'], cookie)
    expect(answers.map(({ status }) => status)).toStrictEqual([403, 200, 403])
    const elsewhere = await newWorkspace()
    const stranger = await elsewhere.session()
    const body = { reads: [{ path: `/api/leads/${id}` }] }
    const answer = await call({ method: 'POST', path: '/api/batch', body, cookie: stranger }, elsewhere)
    expect(answer.body.answers[0].status).toBe(404)
  })

  it('shows what a role would see to those who look with it', async () => {
    const cookie = await workspace.session()
    const { body } = await call({ path: '/api/settings/roles?pageSize=100', cookie })
    const role = body.items.find((one: { permissions: string[] }) => !one.permissions.includes('MANAGE_USERS'))
    const headers = { 'x-view-as-role': role.id }
    const alone = await call({ path: '/api/settings/users', cookie, headers })
    expect(await read(['/api/settings/users'], cookie, headers)).toStrictEqual([{ status: 403, body: alone.body }])
  })

  it('takes a path that leads to another place of the API', async () => {
    const cookie = await workspace.session()
    const [there] = await read(['/api/leads/../me'], cookie)
    expect(there?.status).toBe(200)
  })

  it('reads only: a path of a change is answered as a read of it', async () => {
    const cookie = await workspace.session()
    const id = await createLead(api, {})
    const [answer] = await read([`/api/leads/${id}/convert`], cookie)
    expect(answer?.status).toBe(405)
  })

  it('refuses streams, files and batches inside it, and ends them', async () => {
    const cookie = await workspace.session()
    const asked = ['/api/events/stream', '/api/settings/audit-log/export', '/api/batch', '/api/leads?pageSize=1']
    const [stream, , inner, leads] = await read(asked, cookie)
    expect(stream).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', error: expect.stringContaining('JSON only') },
    })
    expect(inner?.status).toBe(405)
    expect(leads?.status).toBe(200)
    // One person may have five streams: the ended ones hold no place.
    for (let times = 0; times < 6; times++) {
      const [again] = await read(['/api/events/stream'], cookie)
      expect(again?.status).toBe(400)
    }
  })

  it('ends at its bytes: the reads beyond are told to try again', async () => {
    const cookie = await workspace.session()
    const description = 'n'.repeat(5_000)
    await Promise.all(Array.from({ length: 60 }, () => createLead(api, { description })))
    const answers = await read(
      Array.from({ length: 10 }, () => '/api/leads?pageSize=60'),
      cookie,
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(2)
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 503,
      body: { code: 'SERVICE_UNAVAILABLE' },
    })
  })

  it('refuses an address, no read and too many reads', async () => {
    const cookie = await workspace.session()
    const refused = [
      [],
      Array.from({ length: batchReadsMax + 1 }, () => '/api/me'),
      ['https://elsewhere.test/api/me'],
      ['/login'],
      ['/api/a b'],
      // As RFC 3986, section 5.2.4, and the URL standard take parts out of a path.
      ['/api/../readyz'],
      ['/api/%2e%2e/readyz'],
      ['/api/.%2E/readyz?x=/api/'],
      ['/api/leads/../../metrics'],
      ['/api/./../readyz'],
      ['/api/leads/..'.concat('/..')],
    ]
    for (const paths of refused) {
      const { status, body } = await send(paths, cookie)
      expect({ status, code: body.code }, paths[0]).toStrictEqual({ status: 400, code: 'VALIDATION_ERROR' })
    }
  })

  it('takes a session only', async () => {
    const body = { reads: [{ path: '/api/me' }] }
    expect(await call({ method: 'POST', path: '/api/batch', body, key })).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_DENIED' },
    })
  })
})
