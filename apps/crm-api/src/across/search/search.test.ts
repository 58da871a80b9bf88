import { schema } from '@crm/db'
import { eq, sql, type SQL } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ownApi } from '../../../test/harness.ts'
import { createLead, unknownId } from '../../../test/samples.ts'
import { uploadFile } from '../../../test/uploads.ts'

const api = await ownApi({ searchMs: 30_000 })
const { call, key, workspace } = api
const lead = await createLead(api, {
  firstName: 'Zoë',
  lastName: 'Müller-Łukasz',
  companyName: 'Straße 54-32 & Söhne',
  email: 'zoe@muller.example',
  phone: '+4915123456789',
})
await Promise.all(Array.from({ length: 3 }, (_, n) => createLead(api, { lastName: `Common ${n}` })))

const find = async (q: string, query = '', as = key) =>
  (await call({ path: `/api/search?q=${encodeURIComponent(q)}${query}`, key: as })).body
const read = (id: string, as = key) => call({ path: `/api/search/${encodeURIComponent(id)}`, key: as })

describe('search', () => {
  it.each([
    ['accents', 'Zoë'],
    ['no accents', 'zoe'],
    ['capitals', 'MÜLLER'],
    ['a letter with a stroke', 'lukasz'],
    ['the beginning of a word', 'mül'],
    ['a part of a word', 'ulle'],
    ['two words in any order', 'muller zoe'],
    ['a company', 'strasse'],
    ['digits in a company', '54-32'],
    ['an address', 'zoe@muller.example'],
    ['a phone as stored', '+4915123456789'],
    ['spaces', '+49 151 23456789'],
    ['brackets', '(0151) 234-567-89'],
    ['an optional zero', '+49 (0) 151 23456789'],
    ['two zeros', '0049 151 / 2345 6789'],
    ['the end of a phone', '456 789'],
  ])('finds by %s: %s', async (_what, q) => {
    expect((await find(q)).results).toMatchObject([
      { id: `lead:${lead}`, type: 'lead', title: 'Zoë Müller-Łukasz', url: `http://${workspace.host}/leads/${lead}` },
    ])
  })

  it.each(['nobody', 'zoe nobody', '%', '_', '\\', '+49 999 99999999', "'; DROP TABLE leads --"])(
    'finds nothing by %s',
    async (q) => {
      expect(await find(q)).toEqual({ results: [] })
    },
  )

  it('puts the better fit first, however it is accented', async () => {
    const exact = await createLead(api, { lastName: 'Améliè' })
    await createLead(api, { lastName: 'Sister of amelie' })
    const { results } = await find('AMELIE')
    expect(results).toMatchObject([{ id: `lead:${exact}`, score: 1 }, { score: 0.7 }])
  })

  it('keeps to types and limit', async () => {
    expect((await find('common')).results).toHaveLength(3)
    expect((await find('common', '&limit=2')).results).toHaveLength(2)
    expect((await find('common', '&limit=5000')).results).toHaveLength(3)
    expect((await find('common', '&types=lead')).results).toHaveLength(3)
    expect(await find('common', '&types=lead,robot')).toMatchObject({ code: 'INVALID_QUERY_PARAM' })
    for (const q of ['', ' ', 'x'.repeat(201)]) expect(await find(q)).toMatchObject({ code: 'INVALID_QUERY_PARAM' })
  })

  it('shows only what the caller may see, and reads no more than that', async () => {
    const { id: ownerId } = await workspace.employee({
      grant: {
        permissions: ['VIEW_LEAD'],
        access: [{ entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }],
      },
    })
    const own = await createLead(api, { lastName: 'Common', ownerId })
    const theirs = (await workspace.apiKey({ ownerId })).key
    expect((await find('common', '', theirs)).results).toMatchObject([{ id: `lead:${own}` }])
    expect((await read(`lead:${own}`, theirs)).status).toBe(200)
    expect(await read(`lead:${lead}`, theirs)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    const elsewhere = await workspace.apiKey({ scopes: ['VIEW_CONTACT'] })
    expect(await find('common', '', elsewhere.key)).toEqual({ results: [] })
    const blind = await workspace.apiKey({ scopes: ['VIEW_AUDIT_LOG'] })
    expect(await find('common', '', blind.key)).toMatchObject({ code: 'ACCESS_DENIED' })
    const stranger = await api.newWorkspace()
    const answer = await call({ path: '/api/search?q=common', key: (await stranger.apiKey()).key }, stranger)
    expect(answer.body).toEqual({ results: [] })
  })

  it('reads one result in full', async () => {
    expect((await read(`lead:${lead}`)).body).toMatchObject({
      success: true,
      data: {
        id: `lead:${lead}`,
        type: 'lead',
        title: 'Zoë Müller-Łukasz',
        url: `http://${workspace.host}/leads/${lead}`,
        record: { id: lead, phone: '+4915123456789' },
      },
    })
  })

  it.each([`lead:${unknownId}`, `robot:${unknownId}`, `constructor:${unknownId}`, `lead:${'-'.repeat(36)}`])(
    '404 for %s',
    async (id) => {
      expect(await read(id)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    },
  )

  it.each(['lead', 'lead:', `LEAD:${unknownId}`])('400 INVALID_ID for %s', async (id) => {
    expect(await read(id)).toMatchObject({ status: 400, body: { code: 'INVALID_ID' } })
  })
})

describe('search over everything', () => {
  const create = async (path: string, body: Record<string, unknown>): Promise<string> => {
    const answer = await call({ method: 'POST', path, key, body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body.data.id as string
  }

  it('finds records of every kind, and reads each', async () => {
    const { id: employee } = await workspace.employee()
    await api.db
      .update(schema.employees)
      .set({ firstName: 'Ines', lastName: 'Quixotry' })
      .where(eq(schema.employees.id, employee))
    const made = {
      contact: await create('/api/contacts', { lastName: 'Quixotry', email: 'q@example.com' }),
      company: await create('/api/companies', { name: 'Quixotry Ltd' }),
      deal: await create('/api/deals', { name: 'Quixotry deal' }),
      task: await create('/api/tasks', { title: 'Call about Quixotry' }),
      project: await create('/api/projects', { name: 'Quixotry rollout' }),
      activity: await create('/api/activities', { type: 'NOTE', subject: 'Quixotry met' }),
      department: await create('/api/departments', { name: 'Quixotry department' }),
      employee,
      file: (await uploadFile(api, { name: 'quixotry.txt' })).id as string,
    }
    const { results } = await find('quixotry', '&limit=50')
    const found = results.map(({ id }: { id: string }) => id)
    expect(found.toSorted((a: string, b: string) => a.localeCompare(b))).toEqual(
      Object.entries(made)
        .map(([type, id]) => `${type}:${id}`)
        .toSorted((a, b) => a.localeCompare(b)),
    )
    for (const id of found) expect((await read(id)).body.data.record.id, id).toBe(id.split(':')[1])
  })

  it('leads to the pages of templates and of records of custom entities in the console', async () => {
    const template = await create('/api/documents', { name: 'Zephyrine letter', body: 'Dear you' })
    await create('/api/custom-entities', { key: 'glider', labels: { singular: 'Glider', plural: 'Gliders' } })
    const { key: fresh } = await workspace.apiKey({ scopes: ['VIEW_DOCUMENT', 'VIEW_GLIDER', 'CREATE_GLIDER'] })
    const glider = (
      await call({
        method: 'POST',
        path: '/api/custom-entities/glider/records',
        key: fresh,
        body: { title: 'Zephyrine' },
      })
    ).body.data.id
    const { results } = await find('zephyrine', '', fresh)
    expect(results.map(({ url }: { url: string }) => new URL(url).pathname)).toEqual([
      `/records/glider/${glider}`,
      `/document-templates/${template}`,
    ])
  })

  it('finds a long address as a whole, and none that is alike around its @', async () => {
    const id = await createLead(api, { lastName: 'Longmail', email: 'first.of.all.longmail@department.example' })
    await createLead(api, { lastName: 'Longmail', email: 'last.of.all.longmail@department.test' })
    expect((await find('First.of.all.longmail@department.example')).results).toMatchObject([{ id: `lead:${id}` }])
    expect((await find('all.longmail@department')).results).toHaveLength(2)
    expect((await find('all.longmail@departments')).results).toEqual([])
  })

  it('finds numbers in a name just as they are written', async () => {
    const id = await createLead(api, { lastName: 'Plot 2031 / 07 B' })
    expect((await find('2031 / 07')).results).toMatchObject([{ id: `lead:${id}` }])
    expect((await find('2031-07')).results).toEqual([])
  })

  it('finds by one or two letters what begins with them', async () => {
    const id = await createLead(api, { lastName: 'Xq' })
    await createLead(api, { lastName: 'Maxqin' })
    expect((await find('xq')).results).toMatchObject([{ id: `lead:${id}` }])
  })

  it('knows types that hold nothing that fits, and refuses others', async () => {
    expect(await find('quixotry', '&types=channel,conversation')).toEqual({ results: [] })
    expect(await find('quixotry', '&types=robot')).toMatchObject({
      code: 'INVALID_QUERY_PARAM',
      details: { param: 'types' },
    })
  })
})

/** Creates a workspace with one lead, beside which leads are written in bulk. */
async function crowd(firstLead: object) {
  const workspace = await api.newWorkspace()
  const { workspaceId, adminUserId } = workspace
  const { key: own } = await workspace.apiKey()
  const { data: first } = (await call({ method: 'POST', path: '/api/leads', key: own, body: firstLead }, workspace))
    .body
  /** Writes `count` leads; the SQL gives the columns of each lead by its number `n`. */
  const add = (
    count: number,
    {
      id = sql`gen_random_uuid()`,
      lastName,
      companyName = sql`NULL`,
      createdAt,
    }: { id?: SQL; lastName: SQL; companyName?: SQL; createdAt: SQL },
  ) =>
    api.db.execute(sql`
      INSERT INTO leads (workspace_id, id, last_name, company_name, status, score, pipeline_id, stage_id, source_id, owner_id, created_by_id, created_at, updated_at)
      SELECT ${workspaceId}, ${id}, ${lastName}, ${companyName}, 'NEW', 0, ${first.pipelineId}, ${first.stageId}, ${first.sourceId}, ${adminUserId}, ${adminUserId}, ${createdAt}, now()
      FROM generate_series(1, ${count}::int) n`)
  return { workspace, own, first, add }
}

describe('a word that very many records hold', () => {
  it('is found among the newest of them, those that begin with it first, by index or not', async () => {
    const { workspace: crowded, own, add } = await crowd({ lastName: 'Oldest Hill', companyName: 'Copper' })
    await add(4_500, {
      lastName: sql`'Number ' || n`,
      companyName: sql`'Copper Hill'`,
      createdAt: sql`now() + n * interval '1 second'`,
    })
    const hill = (
      await call({ method: 'POST', path: '/api/leads', key: own, body: { lastName: 'Hill copper' } }, crowded)
    ).body.data
    await api.db
      .update(schema.leads)
      .set({ createdAt: sql`now() + interval '4490 seconds'` })
      .where(eq(schema.leads.id, hill.id))
    const titles = async (q: string, as = own) =>
      (
        await call({ path: `/api/search?q=${encodeURIComponent(q)}&types=lead&limit=3`, key: as }, crowded)
      ).body.results.map(({ title }: { title: string }) => title)
    expect(await titles('copper hill')).toEqual(['Number 4500', 'Number 4499', 'Number 4498'])
    expect(await titles('hill')).toEqual(['Hill copper', 'Number 4500', 'Number 4499'])
    expect(await titles('oldest')).toEqual(['Oldest Hill'])
    const { id: ownerId } = await crowded.employee({
      grant: {
        permissions: ['VIEW_LEAD'],
        access: [{ entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }],
      },
    })
    expect(await titles('copper', (await crowded.apiKey({ ownerId })).key)).toEqual([])
    const one = (
      await call(
        { method: 'POST', path: '/api/leads', key: own, body: { lastName: 'Theirs', companyName: 'Copper', ownerId } },
        crowded,
      )
    ).body.data
    await api.db.update(schema.leads).set({ createdAt: '2020-01-01T00:00:00.000Z' }).where(eq(schema.leads.id, one.id))
    expect(await titles('copper', (await crowded.apiKey({ ownerId })).key)).toEqual(['Theirs'])
  })

  it('is found among the oldest as well when only the very newest hold it often', async () => {
    const { workspace: grown, own, first, add } = await crowd({ lastName: 'Burst' })
    await add(30_000, {
      lastName: sql`CASE WHEN n > 29960 THEN 'The burst' ELSE 'Calm' END`,
      createdAt: sql`now() + n * interval '1 second'`,
    })
    const { results } = (await call({ path: '/api/search?q=burst&types=lead&limit=50', key: own }, grown)).body
    expect([results.length, results[0].id]).toEqual([41, `lead:${first.id}`])
  })

  it('is found behind the newest with the few of these, and no more than the caller sees', async () => {
    const { workspace: aged, own, add } = await crowd({ lastName: 'Bygone today' })
    await add(3_000, {
      lastName: sql`CASE WHEN n > 1500 THEN 'Bygone ' || n ELSE 'Calm' END`,
      createdAt: sql`now() - n * interval '1 minute'`,
    })
    const titles = async (as: string) =>
      (await call({ path: '/api/search?q=bygone&types=lead&limit=3', key: as }, aged)).body.results.map(
        ({ title }: { title: string }) => title,
      )
    expect(await titles(own)).toEqual([
      'Bygone today',
      expect.stringMatching(/^Bygone \d+$/),
      expect.stringMatching(/^Bygone \d+$/),
    ])
    const { id: ownerId } = await aged.employee({
      grant: {
        permissions: ['VIEW_LEAD'],
        access: [{ entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }],
      },
    })
    expect(await titles((await aged.apiKey({ ownerId })).key)).toEqual([])
  })

  it('counts once what is found both among the newest and by the index', async () => {
    const { workspace: twice, own, add } = await crowd({ lastName: 'Calm' })
    await add(3_000, {
      lastName: sql`CASE WHEN n <= 45 THEN 'The twofold' WHEN n > 2400 AND n <= 2430 THEN 'Twofold' ELSE 'Calm' END`,
      createdAt: sql`now() - n * interval '1 minute'`,
    })
    const { results, partial } = (await call({ path: '/api/search?q=twofold&types=lead&limit=50', key: own }, twice))
      .body
    expect(results.map(({ title }: { title: string }) => title)).toEqual([
      ...Array.from({ length: 30 }, () => 'Twofold'),
      ...Array.from({ length: 20 }, () => 'The twofold'),
    ])
    expect(partial).toBeUndefined()
  })
})

describe('a text that may be misspelled', () => {
  const found = async (q: string, query = '', as = key) =>
    (await find(q, query, as)).results.map(({ title, approximate }: { title: string; approximate?: true }) =>
      approximate ? `~${title}` : title,
    )

  it.each([
    ['a letter replaced', 'Hippopotamos'],
    ['a letter left out', 'Hipopotamus'],
    ['a letter too many', 'Hippopotammus'],
    ['two letters swapped', 'Hippoptoamus'],
    ['three of its letters wrong', 'Hipopotmaos'],
    ['an accent', 'hippopotámos'],
    ['one word of two', 'grey hippopotamos'],
    ['a short word as it is', 'hippopotamos ltd'],
  ])('is found by %s: %s', async (_what, q) => {
    await createLead(api, { lastName: 'Grey Hippopotamus', companyName: 'Ltd' })
    expect(await found(q, '&limit=1')).toEqual(['~Grey Hippopotamus'])
  })

  it.each([
    ['too many edits', 'Hpppptmus'],
    ['a short word that is nowhere', 'hippopotamos xyz'],
    ['one word that is near none', 'grey rhinoceros'],
    ['five letters with two edits', 'grexx'],
    ['a phone', '+49 151 23456788'],
  ])('is not found by %s: %s', async (_what, q) => {
    await createLead(api, { lastName: 'Grey Hippopotamus' })
    expect(await found(q)).toEqual([])
  })

  it('comes after the exact results, with a lower score, and only when these are few', async () => {
    for (const lastName of ['Kangaroo', 'Kangaroo Two', 'Kangarou']) await createLead(api, { lastName })
    const { results } = await find('kangarou')
    expect(results).toMatchObject([{ title: 'Kangarou', score: 1 }, { approximate: true }, { approximate: true }])
    expect(results[0].approximate).toBeUndefined()
    expect(
      results
        .slice(1)
        .map(({ title }: { title: string }) => title)
        .toSorted(),
    ).toEqual(['Kangaroo', 'Kangaroo Two'])
    for (const { score } of results.slice(1)) expect(score).toBeLessThan(0.5)
    await Promise.all([1, 2].map((n) => createLead(api, { lastName: `Kangarou ${n}` })))
    expect((await found('kangarou')).filter((title: string) => title.startsWith('~'))).toEqual([])
  })

  it('shows ten at most, of the types that are asked for, and what the caller may see', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, n) => createLead(api, { lastName: `Armadillo ${n}` })))
    await call({ method: 'POST', path: '/api/companies', key, body: { name: 'Armadillo works' } })
    expect(await found('armadilo')).toHaveLength(10)
    expect(await found('armadilo', '&limit=4')).toHaveLength(4)
    expect(await found('armadilo', '&types=company')).toEqual(['~Armadillo works'])
    const { id: ownerId } = await workspace.employee({
      grant: {
        permissions: ['VIEW_LEAD'],
        access: [{ entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }],
      },
    })
    await createLead(api, { lastName: 'Armadillo mine', ownerId })
    expect(await found('armadilo', '', (await workspace.apiKey({ ownerId })).key)).toEqual(['~Armadillo mine'])
  })

  it('is looked for in the names of people and departments, too', async () => {
    expect((await call({ method: 'POST', path: '/api/departments', key, body: { name: 'Procurement' } })).status).toBe(
      201,
    )
    expect(await found('procurment', '&types=department,employee')).toEqual(['~Procurement'])
  })

  it('stays exact in lists', async () => {
    await createLead(api, { lastName: 'Hippopotamus' })
    expect((await call({ path: '/api/leads?search=hippopotamos', key })).body.total).toBe(0)
  })
})

it('answers what was found in time, and says that there may be more', async () => {
  const hasty = await ownApi({ searchMs: 0 })
  const lead = { lastName: 'Needle' }
  const { data: first } = (await hasty.call({ method: 'POST', path: '/api/leads', key: hasty.key, body: lead })).body
  const search = async () => (await hasty.call({ path: '/api/search?q=needle&types=lead', key: hasty.key })).body
  // What is exact is found among the newest records, without the index; a guess asks the index.
  const all = await search()
  expect([all.results.length, all.partial]).toEqual([1, true])
  await hasty.db.execute(sql`
    INSERT INTO leads (workspace_id, id, last_name, status, score, pipeline_id, stage_id, owner_id, created_by_id, created_at, updated_at)
    SELECT ${hasty.workspace.workspaceId}, gen_random_uuid(), 'Calm', 'NEW', 0, ${first.pipelineId}, ${first.stageId}, ${hasty.workspace.adminUserId}, ${hasty.workspace.adminUserId}, now(), now()
    FROM generate_series(1, 1000)`)
  expect(await search()).toEqual({ results: [], partial: true })
})

it('leaves out what belongs to a module that is switched off', async () => {
  const other = await api.newWorkspace()
  const { key: otherKey } = await other.apiKey()
  const { id } = (
    await call({ method: 'POST', path: '/api/leads', key: otherKey, body: { lastName: 'Switched' } }, other)
  ).body.data
  const found = async () => (await call({ path: '/api/search?q=switched', key: otherKey }, other)).body.results
  const direct = () => call({ path: `/api/search/lead:${id}`, key: otherKey }, other)
  expect([(await found()).length, (await direct()).status]).toEqual([1, 200])
  const settle = {
    method: 'PATCH',
    path: '/api/settings/modules/SALES',
    cookie: await other.session(),
    body: { enabled: false },
  } as const
  expect(await call(settle, other)).toMatchObject({ status: 200 })
  expect([await found(), (await direct()).status]).toEqual([[], 404])
})

it('leaves what is switched off where other modules name it', async () => {
  const other = await api.newWorkspace()
  const { key: otherKey } = await other.apiKey()
  const companyId = (
    await call({ method: 'POST', path: '/api/companies', key: otherKey, body: { name: 'Buyer' } }, other)
  ).body.data.id
  await call(
    { method: 'PATCH', path: '/api/settings/modules/SALES', cookie: await other.session(), body: { enabled: false } },
    other,
  )
  const quote = await call(
    {
      method: 'POST',
      path: '/api/quotes',
      key: otherKey,
      body: { companyId, items: [{ name: 'Work', quantity: '1', unitPrice: '1' }] },
    },
    other,
  )
  expect(quote).toMatchObject({ status: 201, body: { data: { companyId, partyName: 'Buyer' } } })
})
