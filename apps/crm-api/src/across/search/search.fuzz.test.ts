import { createRandom } from '@crm/runtime'
import { sql } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { ownApi } from '../../../test/harness.ts'
import { phoneDigits } from '../../records/search-terms.ts'

/** The expected matches are computed here in the simplest way: every record is examined. */
const api = await ownApi()
const workspace = await api.newWorkspace()
const everybody = await workspace.apiKey()
const upper = await workspace.department('Upper')
const lower = await workspace.department('Lower', upper)

type Level = 'OWN' | 'DEPARTMENT' | 'DEPARTMENT_TREE'

/** Creates a person of the upper department with this level. */
async function somebody(level: Level) {
  const { id } = await workspace.employee({
    departmentId: upper,
    grant: { permissions: ['VIEW_LEAD'], access: [{ entityType: 'LEAD', VIEW: level, UPDATE: level, DELETE: level }] },
  })
  const reached: readonly (string | null)[] = { OWN: [], DEPARTMENT: [upper], DEPARTMENT_TREE: [upper, lower] }[level]
  return {
    id,
    key: (await workspace.apiKey({ ownerId: id })).key,
    sees: (lead: Lead) =>
      (lead.ownerId ?? lead.createdById) === id || (lead.departmentId !== null && reached.includes(lead.departmentId)),
  }
}

const people = [await somebody('OWN'), await somebody('DEPARTMENT'), await somebody('DEPARTMENT_TREE')]

/** The seed is the same in every run. */
const { next, below, pick } = createRandom(20_261)

const firstNames = [
  'Anna',
  'Zoë',
  'Ab',
  'Ümit',
  'Łukasz',
  'Søren',
  'Ǆ',
  '😀mile',
  'ΟΔΥΣΣΕΥΣ',
  'a.b',
  '100%',
  'under_score',
  'back\\slash',
]
const lastNames = [
  'Keller',
  'Abendroth',
  'van Dijk',
  'García',
  'Straßenbahner',
  'Nordwinder',
  'O’Neil',
  '2031 / 07 B',
  '[x]',
  '(c)',
  '^ab',
  'ab$',
]
const rareNames = ['Quixotry', 'Zirkonwerkstatt', 'Zephyrine', 'abcdefgh', 'abcd efgh', 'efghabcd', 'Ax', 'x1']
const records = 6_000

/**
 * Returns the words of a lead. Some names belong to one stretch of time, one occurs everywhere, some nearly nowhere; few ids
 * belong to the sample, but more than elsewhere.
 */
function inventLead(at: number) {
  const stretch = at >= 2_000 && at < 3_400 ? 'Stretch ' : ''
  const newest = at < 150 && next() < 0.4 ? 'Fresh ' : ''
  const rare = next() < 0.01 ? `${pick(rareNames)} ` : ''
  const first = pick(firstNames)
  return {
    id: `${randomUUID().slice(0, 33)}${next() < 0.08 ? '000' : 'fff'}`,
    firstName: next() < 0.1 ? null : first,
    lastName: `${rare}${pick(lastNames)}`,
    companyName: `${newest}${stretch}Common`,
    email:
      next() < 0.5
        ? `${pick(['info', 'anna.keller', 'long.address.of.all'])}.${at}@${pick(['department.example', 'department.test'])}`
        : null,
    phone: `+49151${10_000_000 + below(2_000) * 7}`,
    // Several leads share a moment.
    madeAt: new Date(Date.UTC(2026, 0, 1) - Math.floor(at / 3) * 60_000).toISOString(),
    deletedAt: next() < 0.05 ? '2026-02-01T00:00:00Z' : null,
    ...inventPlace(),
  }
}

/** Returns an owner and a department. Most leads belong to an administrator; some of the others belong to nobody. */
function inventPlace() {
  const departmentId = next() < 0.2 ? pick([upper, lower]) : null
  if (next() < 0.6) return { ownerId: workspace.adminUserId, createdById: workspace.adminUserId, departmentId }
  return { ownerId: next() < 0.5 ? null : pick(people).id, createdById: pick(people).id, departmentId }
}

interface Lead {
  readonly id: string
  readonly text: string
  readonly createdAt: string
  readonly ownerId: string | null
  readonly createdById: string
  readonly departmentId: string | null
}

let leads: readonly Lead[] = []

beforeAll(async () => {
  const { body } = await api.call(
    { method: 'POST', path: '/api/leads', key: everybody.key, body: { lastName: 'First' } },
    workspace,
  )
  const { pipelineId, stageId } = body.data
  const { workspaceId } = workspace
  const made = JSON.stringify(Array.from({ length: records }, (_, at) => inventLead(at)))
  await api.db.execute(sql`
    INSERT INTO leads (workspace_id, id, first_name, last_name, company_name, email, phone, status, score, pipeline_id, stage_id, owner_id, created_by_id, department_id, created_at, updated_at, deleted_at)
    SELECT ${workspaceId}, id, "firstName", "lastName", "companyName", email, phone, 'NEW', 0, ${pipelineId}, ${stageId}, "ownerId", "createdById", "departmentId", "madeAt", now(), "deletedAt"
    FROM json_to_recordset(${made}) AS made (id uuid, "firstName" text, "lastName" text, "companyName" text, email text, phone text, "madeAt" timestamptz, "deletedAt" timestamptz, "ownerId" uuid, "createdById" uuid, "departmentId" uuid)`)
  const { rows } = await api.db.execute<Lead & Record<string, unknown>>(sql`
    SELECT id, crm_fold(concat_ws(' ', coalesce(first_name, ''), last_name, company_name, email, phone)) AS text, created_at::text AS "createdAt", owner_id AS "ownerId", created_by_id AS "createdById", department_id AS "departmentId" FROM leads
    WHERE workspace_id = ${workspaceId} AND deleted_at IS NULL ORDER BY created_at DESC, id DESC`)
  leads = rows
  await api.db.execute(sql`ANALYZE leads`)
})

async function folded(text: string): Promise<string> {
  const { rows } = await api.db.execute<{ folded: string }>(sql`SELECT crm_fold(${text}) AS folded`)
  return rows[0]?.folded ?? ''
}

/** Returns the matches of a text: matches at the beginning first, then the newest; in lists a short word may stand anywhere. */
async function matchesOf(text: string, { anywhere = false } = {}): Promise<readonly Lead[]> {
  const digits = phoneDigits(text)
  const whole = await folded(text.trim())
  const words = await Promise.all(
    text
      .trim()
      .split(/\s+/)
      .map(async (word) => ({ isShort: word.length < 3 && !anywhere, word: await folded(word) })),
  )
  const holds = (lead: Lead): boolean => {
    if (digits) return lead.text.includes(digits) || (!/^\+?\d+$/.test(text.trim()) && lead.text.includes(whole))
    return words.every(({ word, isShort }) =>
      isShort ? lead.text.startsWith(word) || lead.text.includes(` ${word}`) : lead.text.includes(word),
    )
  }
  const leading = (lead: Lead): number => Number(lead.text.trimStart().startsWith(whole))
  return leads.filter(holds).toSorted((a, b) => leading(b) - leading(a))
}

const written = [
  'common',
  'stretch',
  'fresh',
  'fresh common',
  'stretch ab',
  'ab zo',
  'a',
  'x',
  'ab ab',
  'van dijk',
  '^ab',
  'ab$',
  '(c)',
  '©',
  '[x',
  '%',
  '％',
  '_',
  '\\',
  '100%',
  '😀',
  '😀mile',
  '.*',
  '|',
  'a|b',
  'common.',
  'common. example.',
  '"common"',
  'common%',
  '%common',
  '@department.',
  '.department',
  'department.test.',
  "o'neil",
  'O’Neil,',
  '-common',
  'a.b',
  'under_',
  'back\\sl',
  '{common}',
  'com~mon',
  'quixotry',
  'QUIXOTRY common',
  'zirkonwerkstatt',
  'zirkonstatt',
  'abcdefgh',
  'abcd efgh',
  'abcdxefgh',
  'strassenbahner',
  'Straßenbahner Ümit',
  'nordwinder ab',
  'οδυσσευς',
  'department.example',
  'example.',
  'stretch example.',
  '0151',
  '+49 151',
  '+49 151 1000',
  '1000',
  '2031 / 07',
  '2031-07',
  '+49151',
  '15110',
  'long.address.of.all.12@department.example',
  'all.12@dep',
  '@department',
  'nobody',
  'common nobody',
  'zephyrine x1',
  'ax',
  'x1',
]

/** Returns a search text from the words of a record: pieces of its words, or its phone number in a usual notation. */
function drawnText(): string {
  const { text } = pick(leads)
  const [end = ''] = text.split(' ').slice(-1)
  if (next() < 0.2) return `${end.slice(0, 3)} ${end.slice(3, 6)} ${end.slice(6, 7 + below(7))}`.trim()
  const words = text.split(' ').filter((word) => word !== '')
  const piece = (word: string): string => {
    const letters = Array.from(word)
    const from = next() < 0.5 ? 0 : below(letters.length)
    return letters.slice(from, from + 1 + below(letters.length - from)).join('')
  }
  return Array.from({ length: 1 + below(3) }, () => piece(pick(words))).join(' ')
}

async function expectBest(text: string, limit: number, key: string, mayFind: readonly Lead[]): Promise<void> {
  const { body } = await api.call(
    { path: `/api/search?q=${encodeURIComponent(text)}&types=lead&limit=${limit}`, key },
    workspace,
  )
  const exact: readonly { readonly id: string; readonly approximate?: true }[] = body.results.filter(
    ({ approximate }: { approximate?: true }) => !approximate,
  )
  const found = exact.map(({ id }) => id.replace('lead:', ''))
  const what = `${JSON.stringify(text)} by ${limit}, which ${mayFind.length} hold`
  const all = new Set(mayFind.map(({ id }) => id))
  expect(
    found.filter((id) => !all.has(id)),
    `${what}: what does not match, or is not seen`,
  ).toEqual([])
  expect([new Set(found).size, found.length], what).toEqual([Math.min(limit, all.size), Math.min(limit, all.size)])
  // Of a large number of matches, the best are searched only among the newest.
  if (all.size < Math.min(2 * limit, 100))
    expect(found.toSorted(), what).toEqual(
      mayFind
        .slice(0, limit)
        .map(({ id }) => id)
        .toSorted(),
    )
}

/** Adds another workspace, with the same leads. */
async function addStranger(): Promise<void> {
  const stranger = await api.newWorkspace()
  const { key } = await stranger.apiKey()
  const { body } = await api.call({ method: 'POST', path: '/api/leads', key, body: { lastName: 'First' } }, stranger)
  const { pipelineId, stageId } = body.data
  await api.db.execute(sql`
    INSERT INTO leads (workspace_id, id, first_name, last_name, company_name, email, phone, status, score, pipeline_id, stage_id, owner_id, created_by_id, created_at, updated_at)
    SELECT ${stranger.workspaceId}, overlay(gen_random_uuid()::text PLACING right(id::text, 3) FROM 34)::uuid, first_name, last_name, company_name, email, phone, 'NEW', 0, ${pipelineId}, ${stageId}, ${stranger.adminUserId}, ${stranger.adminUserId}, created_at, now()
    FROM leads WHERE workspace_id = ${workspace.workspaceId} AND deleted_at IS NULL`)
  await api.db.execute(sql`ANALYZE leads`)
}

async function expectListed(text: string, key: string, mayFind: readonly Lead[]): Promise<void> {
  const { body } = await api.call({ path: `/api/leads?search=${encodeURIComponent(text)}&pageSize=5`, key }, workspace)
  expect({ total: body.total, ids: body.items.map(({ id }: { id: string }) => id) }, JSON.stringify(text)).toEqual({
    total: mayFind.length,
    ids: mayFind.slice(0, 5).map(({ id }) => id),
  })
}

async function expectAllFound(texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    const mayFind = await matchesOf(text)
    const anywhere = new Set((await matchesOf(text, { anywhere: true })).map(({ id }) => id))
    const limit = pick([3, 20, 50])
    await expectBest(text, limit, everybody.key, mayFind)
    for (const { key, sees } of people) await expectBest(text, limit, key, mayFind.filter(sees))
    const listed = leads.filter((lead) => anywhere.has(lead.id))
    const { key, sees } = pick(people)
    await expectListed(text, everybody.key, listed)
    await expectListed(text, key, listed.filter(sees))
  }
}

const drawnTexts = (count: number): readonly string[] =>
  Array.from({ length: count }, drawnText).filter((text) => text.trim() !== '')

it('finds the best of what holds a text, and nothing else, however it is looked up', async () => {
  await expectAllFound([...written, ...drawnTexts(40)])
})

it('finds what is written, and not what is changed or deleted, after others were searched', async () => {
  const found = async (text: string): Promise<string[]> =>
    (await api.call({ path: `/api/search?q=${text}&types=lead`, key: everybody.key }, workspace)).body.results.map(
      ({ id }: { id: string }) => id,
    )
  expect(await found('Latecomer')).toEqual([])
  const {
    body: {
      data: { id },
    },
  } = await api.call(
    { method: 'POST', path: '/api/leads', key: everybody.key, body: { lastName: 'Latecomer' } },
    workspace,
  )
  expect(await found('Latecomer')).toEqual([`lead:${id}`])
  await api.call(
    { method: 'PATCH', path: `/api/leads/${id}`, key: everybody.key, body: { lastName: 'Earlybird' } },
    workspace,
  )
  expect([await found('Latecomer'), await found('Earlybird')]).toEqual([[], [`lead:${id}`]])
  await api.call({ method: 'DELETE', path: `/api/leads/${id}`, key: everybody.key }, workspace)
  expect(await found('Earlybird')).toEqual([])
})

it('finds the same beside the leads of another workspace', async () => {
  await addStranger()
  await expectAllFound([...written.filter((_text, at) => at % 3 === 0), ...drawnTexts(20)])
})
