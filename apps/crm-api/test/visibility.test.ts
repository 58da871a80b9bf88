import { tableOfPlainKinds, type PlainEntity } from '@crm/model'
import { noise, plainSample, unique } from '@crm/testkit'
import { declaredOperations, publicContract, searchTypes } from '@crm/contract'
import { accessLevels, permissionNames, type AccessLevel } from '@crm/permissions'
import { describe, expect, it } from 'vitest'
import { recordKinds, type KnownEntity } from '../src/kinds/kinds.ts'
import { apiUnderTest, type Call, type CallAnswer } from './harness.ts'

const api = await apiUnderTest()
const { workspace, call, key } = api

/** The owners of the records in these tests, with their departments. */
const top = await workspace.department('Top')
const below = await workspace.department('Below', top)
const aside = await workspace.department('Aside')
const colleague = (await workspace.employee({ departmentId: top })).id
const junior = (await workspace.employee({ departmentId: below })).id
const stranger = (await workspace.employee({ departmentId: aside })).id

const holders = ['mine', 'colleagues', 'juniors', 'strangers'] as const
type Holder = (typeof holders)[number]

/** The records of others that each level reaches. */
const reach: Record<AccessLevel, readonly Holder[]> = {
  NONE: [],
  OWN: ['mine'],
  DEPARTMENT: ['mine', 'colleagues'],
  DEPARTMENT_TREE: ['mine', 'colleagues', 'juniors'],
  ALL: holders,
}

/** The bodies of a record of each kind; all records of one test share a word and an address. */
const bodies: Readonly<Record<KnownEntity, (word: string) => Record<string, unknown>>> = {
  LEAD: (word) => ({ lastName: word, email: `${word}@example.com` }),
  CONTACT: (word) => ({ lastName: word, email: `${word}@example.com` }),
  COMPANY: (word) => ({ name: word }),
  DEAL: (word) => ({ name: word }),
  TASK: (word) => ({ title: word }),
  PROJECT: (word) => ({ name: word }),
  ACTIVITY: (word) => ({ type: 'NOTE', subject: word }),
  PRODUCT: (word) => ({ name: word }),
  PRICE_LIST: (word) => ({ name: word }),
  QUOTE: (word) => ({ notes: word }),
  ORDER: (word) => ({ notes: word }),
  INVOICE: (word) => ({ notes: word }),
  DOCUMENT: (word) => ({ name: word, body: 'Hello' }),
  ...tableOfPlainKinds<{ readonly [Entity in PlainEntity]: (word: string) => Record<string, unknown> }>((kind) => [
    kind.entity,
    plainSample(kind).body,
  ]),
}

const operations = declaredOperations(publicContract)
const pathOf = (entityType: string): string =>
  operations.find(
    ({ key: name, operation: { access } }) =>
      name === 'create' && typeof access === 'object' && 'all' in access && access.all[0] === `CREATE_${entityType}`,
  )?.operation.path ?? ''
const has = (method: string, path: string): boolean =>
  operations.some(({ operation }) => operation.method === method && operation.path === path)

async function create(path: string, body: Record<string, unknown>): Promise<string> {
  const { status, body: answer } = await call({ method: 'POST', path, key, body })
  expect(status, JSON.stringify(answer)).toBe(201)
  return answer.data.id as string
}

const kinds = Object.keys(recordKinds) as KnownEntity[]
const credentials = ['key', 'session'] as const
const cases = kinds.flatMap((entityType) =>
  accessLevels.flatMap((level) => credentials.map((credential) => ({ entityType, level, credential }))),
)

interface Case {
  readonly entityType: KnownEntity
  readonly level: AccessLevel
  readonly credential: (typeof credentials)[number]
}

/** Whether search covers a kind of record at all. */
function isSearched(entityType: KnownEntity): boolean {
  return searchTypes.some((type) => type.toUpperCase() === entityType)
}

/** Creates a record of each holder, and a person who sees the kind with a level. */
async function stage({ entityType, level, credential }: Case) {
  const path = pathOf(entityType)
  // Search finds similar words too.
  const word = `Word${noise(5, Number(unique())).toString('hex')}`
  const { id: me } = await workspace.employee({
    departmentId: top,
    grant: { permissions: [...permissionNames], access: [{ entityType, VIEW: level, UPDATE: level, DELETE: level }] },
  })
  const owners: Record<Holder, string> = { mine: me, colleagues: colleague, juniors: junior, strangers: stranger }
  const ids = Object.fromEntries(
    await Promise.all(
      holders.map(async (holder) => [
        holder,
        await create(path, { ...bodies[entityType](word), ownerId: owners[holder] }),
      ]),
    ),
  ) as Record<Holder, string>
  const seen = reach[level]
  const as =
    credential === 'key'
      ? { key: (await workspace.apiKey({ ownerId: me })).key }
      : { cookie: await workspace.session(me) }
  return {
    path,
    word,
    ids,
    seen,
    unseen: holders.filter((holder) => !seen.includes(holder)),
    expected: sorted(seen.map((holder) => ids[holder])),
    send: (request: Omit<Call, 'key' | 'cookie'>): Promise<CallAnswer> => call({ ...request, ...as }),
  }
}

const sorted = (ids: readonly string[]): string[] => ids.toSorted((a, b) => a.localeCompare(b))
const idsOf = (items: readonly { readonly id: string }[]): string[] => sorted(items.map(({ id }) => id))

describe.each(cases.filter(({ level }) => level === 'NONE'))(
  '$entityType seen with level $level by $credential',
  async (one) => {
    const { path, ids, send } = await stage(one)

    it('refuses the kind as a whole, and names the permission', async () => {
      for (const request of [{ path }, { path: `${path}/${ids.mine}` }]) {
        expect(await send(request)).toMatchObject({
          status: 403,
          body: { code: 'ACCESS_LEVEL_NONE', requiredPermission: `VIEW_${one.entityType}` },
        })
      }
    })
  },
)

describe.each(cases.filter(({ level }) => level !== 'NONE'))(
  '$entityType seen with level $level by $credential',
  async (one) => {
    const { path, word, ids, seen, expected, send } = await stage(one)
    const search = `search=${word}`

    it('lists and counts no more, whatever the filter and page', async () => {
      const { body } = await send({ path: `${path}?${search}&pageSize=100` })
      expect({ ids: idsOf(body.items), total: body.total }).toEqual({ ids: expected, total: seen.length })
      expect((await send({ path: `${path}?${search}&pageSize=1` })).body.total).toBe(seen.length)
      expect((await send({ path: `${path}?ownerId=${stranger}&pageSize=1` })).body.total > 0).toBe(one.level === 'ALL')
      expect((await send({ path: `${path}?departmentId=${aside}&pageSize=1` })).body.total > 0).toBe(
        one.level === 'ALL',
      )
    })

    it('reads, changes and deletes what is seen', async () => {
      for (const holder of seen) expect((await send({ path: `${path}/${ids[holder]}` })).status, holder).toBe(200)
    })
  },
)

describe.each(cases.filter(({ entityType, level }) => level !== 'NONE' && has('PATCH', pathOf(entityType))))(
  '$entityType seen with level $level by $credential',
  async (one) => {
    const { path, word, ids, seen, expected, send } = await stage(one)

    it('finds no more in bulk', async () => {
      const { body } = await send({ method: 'PATCH', path, body: { ids: Object.values(ids), addTags: ['seen'] } })
      expect(
        body.data.results
          .filter(({ status }: { status: string }) => status === 'OK')
          .map(({ id }: { id: string }) => id)
          .toSorted((a: string, b: string) => a.localeCompare(b)),
      ).toEqual(expected)
      const byFilter = await send({
        method: 'PATCH',
        path,
        body: { filter: { search: word }, addTags: ['seen'], dryRun: true },
      })
      expect(byFilter.body.data.matched).toBe(seen.length)
    })
  },
)

describe.each(
  cases.filter(({ entityType, level }) => level !== 'NONE' && has('GET', `${pathOf(entityType)}/duplicates`)),
)('$entityType seen with level $level by $credential', async (one) => {
  const { path, word, ids, seen, send } = await stage(one)

  it('groups no more as duplicates', async () => {
    const by = one.entityType === 'COMPANY' ? 'name' : 'email'
    const { body } = await send({ path: `${path}/duplicates?by=${by}&pageSize=100` })
    const groups = body.items.filter(({ value }: { value: string }) => value.toLowerCase().includes(word.toLowerCase()))
    expect(groups.map(({ count }: { count: number }) => count)).toEqual(seen.length > 1 ? [seen.length] : [])
    const { body: alike } = await send({ path: `${path}/${ids.mine}/duplicates` })
    expect(alike.items).toHaveLength(seen.length - 1)
  })
})

describe.each(cases.filter(({ entityType }) => isSearched(entityType)))(
  '$entityType beyond level $level by $credential',
  async (one) => {
    const { word, expected, send } = await stage(one)

    it('searches no more', async () => {
      const { body } = await send({ path: `/api/search?q=${word}&types=${one.entityType.toLowerCase()}&limit=50` })
      expect(idsOf(body.results.map(({ id }: { id: string }) => ({ id: id.split(':')[1] ?? '' })))).toEqual(expected)
    })
  },
)

describe.each(cases)('$entityType beyond level $level by $credential', async (one) => {
  const { entityType, level } = one
  const { path, ids, unseen, send } = await stage(one)

  const notThere = level === 'NONE' ? 403 : 404

  it.each(unseen)('answers as if the %s were not there', async (holder) => {
    const id = ids[holder]
    const one = `${path}/${id}`
    const requests: Omit<Call, 'key' | 'cookie'>[] = [
      { path: one },
      { method: 'PATCH', path: one, body: { tags: ['mine'] } },
      { method: 'DELETE', path: one },
      { path: `/api/crm/timeline?entityType=${entityType}&entityId=${id}` },
      { path: `/api/crm/comments?entityType=${entityType}&entityId=${id}` },
      { method: 'POST', path: '/api/crm/comments', body: { entityType, entityId: id, body: 'Hello' } },
      ...(has('GET', `${path}/{id}/duplicates`) ? [{ path: `${one}/duplicates` }] : []),
      ...(has('GET', `${path}/{id}/activity`) ? [{ path: `${one}/activity` }] : []),
    ]
    for (const request of requests)
      expect((await send(request)).status, `${request.method ?? 'GET'} ${request.path}`).toBe(notThere)
    expect(
      (await send({ path: `/api/search/${encodeURIComponent(`${entityType.toLowerCase()}:${id}`)}` })).status,
    ).toBe(404)
  })

  it.each(unseen)('does not let the %s be referred to', async (holder) => {
    const invisible = { entityType, entityId: ids[holder] }
    const linking = [
      { path: '/api/activities', body: { type: 'NOTE', subject: 'Linked', links: [invisible] } },
      { path: '/api/tasks', body: { title: 'Linked', links: [invisible] } },
      { path: '/api/files/upload', body: { filename: 'linked.txt', contentBase64: 'aGk=', links: [invisible] } },
    ].filter((request) => !(level === 'NONE' && request.path === pathOf(entityType)))
    for (const { path: to, body } of linking)
      expect(await send({ method: 'POST', path: to, body }), to).toMatchObject({
        status: 400,
        body: { code: 'INVALID_REFERENCE' },
      })
    if (level !== 'NONE' && has('POST', `${path}/{id}/merge`)) {
      expect(
        await send({ method: 'POST', path: `${path}/${ids.mine}/merge`, body: { sourceIds: [ids[holder]] } }),
      ).toMatchObject({ status: 400, body: { code: 'INVALID_REFERENCE' } })
    }
  })

  it('leaves what it may not see as it was', async () => {
    for (const holder of unseen) {
      const { status, body } = await call({ path: `${path}/${ids[holder]}`, key })
      expect({ status, tags: body.data.tags }).toEqual({ status: 200, tags: [] })
    }
  })
})
