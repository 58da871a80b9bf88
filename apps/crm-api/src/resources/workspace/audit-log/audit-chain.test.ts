import { verifyChain, type ProvenEntry } from '@crm/audit'
import { schema } from '@crm/db'
import { createEgress } from '@crm/egress'
import { createLogger } from '@crm/runtime'
import { eq, sql } from 'drizzle-orm'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ownApi, secrets } from '../../../../test/harness.ts'
import { createHeadFile } from '../../../domain/audit/head-file.ts'
import { sealAuditLogs, signAuditHeads } from '../../../workers/seal-audit-log.ts'
import { sendAuditLogs } from '../../../workers/send-audit-log.ts'

const api = await ownApi({ outboundAllowCidrs: ['127.0.0.1/32'] })
const { db, clock, workspace } = api
const cookie = await workspace.session()
const logger = createLogger({ name: 'test', level: 'silent' })
const headers = { 'user-agent': 'tester/2', 'x-forwarded-for': '192.0.2.99' }
const send = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown, as = cookie) =>
  api.call({ method, path: `/api/settings${path}`, body, cookie: as, headers })
const rename = (name: string) => send('PATCH', '/workspace', { name })
const log = async (query = '') => (await send('GET', `/audit-log?${query}`)).body.items

describe('an entry', () => {
  it('says who did what, by which credential and in which request, and where it stands in the chain', async () => {
    await rename('First')
    const [entry] = await log('action=workspace.changed')
    expect(entry).toMatchObject({
      seq: expect.any(Number),
      actorType: 'EMPLOYEE',
      actorName: 'Ada Admin',
      credential: { class: 'session', id: expect.any(String) },
      requestId: expect.any(String),
      prevHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const [session] = await db.select().from(schema.sessions).where(eq(schema.sessions.id, entry.credential.id))
    expect(session?.employeeId).toBe(workspace.adminUserId)
  })

  it('is found by each of its parts', async () => {
    const before = clock.now().toISOString()
    clock.advance(60_000)
    await send('POST', '/api-keys', { name: 'Site', scopes: ['VIEW_LEAD'] })
    await api.call({
      method: 'POST',
      path: '/api/auth/login',
      body: { email: workspace.adminEmail, password: 'wrong wrong wrong' },
      headers: { ...headers, 'x-forwarded-for': '192.0.2.7' },
    })
    const actions = async (query: string) => (await log(query)).map(({ action }: { action: string }) => action)
    expect(await actions('action=api-key.*')).toEqual(['api-key.created'])
    expect(await actions('action=api-key')).toEqual([])
    expect(await actions('action=api%25.*')).toEqual([])
    expect(await actions(`from=${before}&subjectType=EMPLOYEE`)).toEqual(['session.refused'])
    expect(await actions(`subjectId=${workspace.adminUserId}&outcome=FAILURE`)).toEqual(['session.refused'])
    expect(await actions('address=192.0.2.7')).toEqual(['session.refused'])
    expect(await actions(`to=${before}&address=192.0.2.7`)).toEqual([])
    expect((await send('GET', '/audit-log?outcome=MAYBE')).status).toBe(400)
  })
})

it('is exported as a chain that anybody can verify, by people who may see it and export', async () => {
  await rename('Second')
  const answer = await send('GET', '/audit-log/export')
  expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/x-ndjson' } })
  const lines = String(answer.body)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const { head } = lines.pop()
  const entries = lines as ProvenEntry[]
  expect(entries.at(-1)).toMatchObject({ action: 'audit.exported', seq: head.seq, hash: head.hash })
  expect(await verifyChain(entries, { heads: [head] })).toMatchObject({ ok: true, entries: entries.length })

  const { id } = await workspace.employee({ grant: { permissions: ['VIEW_AUDIT_LOG'] } })
  expect(await send('GET', '/audit-log/export', undefined, await workspace.session(id))).toMatchObject({
    status: 403,
    body: { requiredPermission: 'EXPORT_DATA' },
  })
})

it.each(['ndjson', 'syslog'] as const)('goes to a file in the order of the chain, as %s', async (format) => {
  const folder = await mkdtemp(join(tmpdir(), 'crm-audit-'))
  try {
    const file = { path: join(folder, 'audit.log'), format }
    await db.update(schema.auditChains).set({ filedSeq: 0 })
    await rename(`For ${format}`)
    await Promise.all([sealAuditLogs({ db, clock, logger }, file), sealAuditLogs({ db, clock, logger }, file)])
    await rename(`More for ${format}`)
    await sealAuditLogs({ db, clock, logger }, file)
    const lines = (await readFile(file.path, 'utf8')).trim().split('\n')
    const shape = format === 'ndjson' ? /^(\{.*\})$/ : /^<1(?:08|10)>1 \S+T\S+Z \S+ crm \d+ [\w.-]+ - (\{.*\})$/
    const entries = lines.map((line) => JSON.parse(shape.exec(line)?.[1] ?? ''))
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1))
    expect(entries.at(-1)).toMatchObject({ workspaceId: workspace.workspaceId, action: 'workspace.changed' })
    expect(lines.join('')).not.toContain('privateSalt')
  } finally {
    await rm(folder, { recursive: true })
  }
})

describe('the stream', () => {
  const taken: { seq: number; action: string }[][] = []
  const seen: Record<string, unknown>[] = []
  const answers: number[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const status = answers.shift() ?? 200
      seen.push({ ...request.headers, status })
      if (status === 200) taken.push(JSON.parse(Buffer.concat(chunks).toString()))
      response.writeHead(status).end()
    })
  }).listen(0, '127.0.0.1')
  const egress = createEgress({ allowCidrs: ['127.0.0.1/32'] })
  afterAll(async () => {
    await egress.close()
    server.close()
  })
  const round = async () => {
    await sealAuditLogs({ db, clock, logger }, undefined)
    await Promise.all([1, 2].map(() => sendAuditLogs({ db, clock, secrets, logger, egress })))
  }
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/siem`

  it('is empty at first, and wants an address that may be reached', async () => {
    expect((await send('GET', '/audit-stream')).body.data).toMatchObject({ url: null, isActive: false, sentSeq: 0 })
    for (const body of [{ isActive: true }, { url: 'http://10.0.0.1/' }, { url: url(), headerName: 'Host' }])
      expect(await send('PATCH', '/audit-stream', body)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR' },
      })
    const { id } = await workspace.employee()
    expect((await send('GET', '/audit-stream', undefined, await workspace.session(id))).status).toBe(403)
  })

  it('sends every entry in order, at most a hundred at once, with a header that is never shown', async () => {
    const patch = { url: url(), headerName: 'Authorization', headerValue: 'Bearer planted-token' }
    const changed = await send('PATCH', '/audit-stream', patch)
    expect(changed.body.data).toMatchObject({ isActive: true, hasHeaderValue: true, headerName: 'Authorization' })
    expect(JSON.stringify(changed.body)).not.toContain('planted-token')
    const { rows } = await db.execute(
      sql`SELECT audit_streams::text || (SELECT string_agg(a::text, '') FROM audit_log a) AS all FROM audit_streams`,
    )
    expect(JSON.stringify(rows)).not.toContain('planted-token')
    for (let n = 0; n < 120; n += 1) await rename(`Name ${n}`)
    await round()
    expect(taken.every((some) => some.length <= 100)).toBe(true)
    const seqs = taken.flat().map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.map((_, index) => index + 1))
    expect(seqs.length).toBeGreaterThan(120)
    expect(seen[0]).toMatchObject({ authorization: 'Bearer planted-token', 'content-type': 'application/json' })
  })

  it('sends again what was not taken, later and later, and leaves nothing out', async () => {
    await round()
    const before = taken.flat().length
    answers.push(500, 302)
    await rename('Not taken')
    await round()
    await round()
    expect((await send('GET', '/audit-stream')).body.data.problem).toMatch(/success/)
    clock.advance(6_000)
    await round()
    clock.advance(6_000)
    await round()
    expect(taken.flat()).toHaveLength(before)
    clock.advance(6_000)
    await round()
    const seqs = taken.flat().map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.map((_, index) => index + 1))
    expect(seqs).toHaveLength(before + 1)
    expect((await send('GET', '/audit-stream')).body.data).toMatchObject({ problem: null, sentSeq: before + 1 })
  })

  it('keeps its header for the host for which it was given, and rests while it is off', async () => {
    expect(await send('PATCH', '/audit-stream', { url: 'https://elsewhere.example/' })).toMatchObject({ status: 400 })
    expect((await send('PATCH', '/audit-stream', { isActive: false })).body.data.hasHeaderValue).toBe(true)
    const before = taken.length
    await rename('While it is off')
    await round()
    expect(taken).toHaveLength(before)
    expect((await send('PATCH', '/audit-stream', { isActive: true, headerName: null, headerValue: null })).status).toBe(
      200,
    )
    await round()
    expect(taken.length).toBeGreaterThan(before)
    expect(seen.at(-1)).not.toHaveProperty('authorization')
  })
})

it('has its head signed once a day and kept outside the database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'crm-heads-'))
  const lost: unknown[] = []
  const warned = createLogger({ name: 'test', level: 'warn', destination: { write: (line) => void lost.push(line) } })
  try {
    await sealAuditLogs({ db, clock, logger }, undefined)
    const auditProof = { key: Buffer.alloc(32, 'k'), keep: createHeadFile(folder, logger) }
    await signAuditHeads({ db, clock, logger, auditProof })
    await signAuditHeads({ db, clock, logger, auditProof })
    clock.advance(25 * 3_600_000)
    await signAuditHeads({ db, clock, logger, auditProof })
    const kept = (await readFile(join(folder, 'heads.ndjson'), 'utf8')).trim().split('\n')
    expect(kept.map((line) => JSON.parse(line))).toMatchObject([
      { workspaceId: workspace.workspaceId, firstSeq: 1 },
      { workspaceId: workspace.workspaceId, firstSeq: 1 },
    ])
    await createHeadFile('/dev/null/nowhere', warned)(JSON.parse(kept[0] as string))
    expect(lost).toHaveLength(1)
  } finally {
    await rm(folder, { recursive: true })
  }
})
