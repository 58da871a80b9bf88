import { seed, stepsOf } from '@crm/testkit'
import { timelineKinds } from '@crm/contract'
import type { AccessLevel } from '@crm/permissions'
import { createRandom } from '@crm/runtime'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiUnderTest } from './harness.ts'

/** Compares the feed with an independent computation from lists and histories alone. */
const credentials = stepsOf(20)
const anchorsOfOne = 12

const api = await apiUnderTest()
const { call, workspace } = api
const cookie = await workspace.session()
const { next } = createRandom(seed)
const below = (n: number): number => Math.floor(next() * n)
const any = <T>(list: readonly T[]): T => list[below(list.length)] as T
const maybe = <T>(share: number, value: () => T): T | undefined => (next() < share ? value() : undefined)

/** The lists of the kinds in a feed. */
const paths = {
  COMPANY: 'companies',
  CONTACT: 'contacts',
  LEAD: 'leads',
  DEAL: 'deals',
  PROJECT: 'projects',
  QUOTE: 'quotes',
  ORDER: 'orders',
  INVOICE: 'invoices',
  TASK: 'tasks',
  ACTIVITY: 'activities',
} as const
type Kind = keyof typeof paths
const kinds = Object.keys(paths) as readonly Kind[]

interface Row {
  readonly id: string
  readonly companyId?: string | null
  readonly contactId?: string | null
  readonly dealId?: string | null
  readonly leadId?: string | null
  readonly projectId?: string | null
  readonly links?: readonly { readonly entityType: string; readonly entityId: string }[]
}

interface Entry {
  readonly id: string
  readonly entityType: string
  readonly entityId: string
  readonly kind: string
  readonly occurredAt: string
  readonly relatedType: string | null
  readonly relatedId: string | null
  readonly actor: { readonly id: string | null }
  readonly record: { readonly title: string }
}

const keyOf = ({ entityType, entityId }: Pick<Entry, 'entityType' | 'entityId'>): string => `${entityType}:${entityId}`

const people: string[] = []
/** The name of every record by its key: a word that occurs nowhere else. */
const names = new Map<string, string>()
const rows = new Map<string, Row>()

async function send(method: 'POST' | 'PATCH', path: string, body: object): Promise<Row> {
  const answer = await call({ method, path: `/api/${path}`, cookie, body })
  if (answer.status >= 300) throw new Error(`${path} ${JSON.stringify(answer.body)}`)
  return answer.body.data
}

let made = 0

async function make(kind: Kind, body: (name: string) => object): Promise<string> {
  const name = `Called${(made++).toString(36)}X`
  const { id } = await send('POST', paths[kind], { ownerId: any(people), ...body(name) })
  names.set(`${kind}:${id}`, name)
  return id
}

beforeAll(async () => {
  const top = await workspace.department('Top')
  const departments = [top, await workspace.department('Below', top), await workspace.department('Beside')]
  for (let n = 0; n < 5; n++) people.push((await workspace.employee({ departmentId: any(departments) })).id)
  const of: Record<Kind, string[]> = {
    COMPANY: [],
    CONTACT: [],
    LEAD: [],
    DEAL: [],
    PROJECT: [],
    QUOTE: [],
    ORDER: [],
    INVOICE: [],
    TASK: [],
    ACTIVITY: [],
  }
  const some = (kind: Kind) => maybe(0.7, () => any(of[kind]))
  const company = () => ({ companyId: some('COMPANY') })
  const links = () => {
    const all = (['COMPANY', 'CONTACT', 'LEAD', 'DEAL'] as const)
      .filter(() => next() < 0.4)
      .map((entityType) => ({ entityType, entityId: any(of[entityType]) }))
    return { links: all }
  }
  const items = [{ name: 'Line', quantity: '1', unitPrice: '10' }]
  const plan: readonly (readonly [Kind, number, (name: string) => object])[] = [
    ['COMPANY', 4, (name) => ({ name })],
    ['CONTACT', 6, (firstName) => ({ firstName, ...company() })],
    ['LEAD', 8, (firstName) => ({ firstName })],
    ['DEAL', 8, (name) => ({ name, ...company(), contactId: some('CONTACT'), leadId: some('LEAD') })],
    ['PROJECT', 4, (name) => ({ name, ...company() })],
    ['QUOTE', 3, (notes) => ({ notes, ...company(), dealId: some('DEAL'), items })],
    ['ORDER', 3, (notes) => ({ notes, ...company(), dealId: some('DEAL'), items })],
    ['INVOICE', 3, (notes) => ({ notes, ...company(), dealId: some('DEAL'), items })],
    ['TASK', 10, (title) => ({ title, ...links(), projectId: maybe(0.3, () => any(of.PROJECT)) })],
    ['ACTIVITY', 10, (subject) => ({ subject, type: any(['CALL', 'NOTE', 'MEETING']), ...links() })],
  ]
  for (const [kind, count, body] of plan)
    for (let n = 0; n < count; n++) of[kind].push(await make(kind, (name) => definedOnly(body(name))))
  for (const id of of.LEAD.slice(0, 3))
    await send('POST', `leads/${id}/convert`, {
      contact: { mode: 'EXISTING', id: any(of.CONTACT) },
      company: { mode: 'EXISTING', id: any(of.COMPANY) },
      // The default name contains the names of the lead and the company.
      deal: { mode: 'CREATE', name: 'Converted' },
    })
  for (const id of of.TASK) if (next() < 0.5) await send('PATCH', `tasks/${id}`, { status: 'DONE' })
  for (const id of of.DEAL) if (next() < 0.5) await send('PATCH', `deals/${id}`, { ownerId: any(people), amount: '5' })
  for (const kind of ['LEAD', 'DEAL', 'COMPANY'] as const)
    await send('POST', 'crm/comments', { entityType: kind, entityId: any(of[kind]), body: 'A remark' })
  for (const kind of kinds) for (const row of (await listed(kind, { cookie })) ?? []) rows.set(`${kind}:${row.id}`, row)
})

function definedOnly(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

type Credential = { readonly key: string } | { readonly cookie: string }

/** Returns all records of a kind that a credential sees; null where it may see none. */
async function listed(kind: Kind, credential: Credential): Promise<readonly Row[] | null> {
  const size = kind === 'LEAD' ? 'limit' : 'pageSize'
  const { status, body } = await call({ path: `/api/${paths[kind]}?${size}=100`, ...credential })
  if (status === 403) return null
  expect({ status, isWhole: body.items.length === body.total }).toEqual({ status: 200, isWhole: true })
  return body.items
}

async function walk(path: string, credential: Credential): Promise<{ status: number; items: Entry[] }> {
  const items: Entry[] = []
  for (let cursor = ''; ;) {
    const { status, body } = await call({ path: `${path}${cursor && `&cursor=${cursor}`}`, ...credential })
    if (status !== 200) return { status, items }
    items.push(...body.items)
    if (body.nextCursor === null) return { status, items }
    cursor = body.nextCursor
  }
}

const historyOf = async (key: string): Promise<readonly Entry[]> => {
  const [entityType, entityId] = key.split(':')
  const path = `/api/crm/timeline?entityType=${entityType}&entityId=${entityId}&limit=100`
  return (await walk(path, { cookie })).items
}

/**
 * Returns the records around a record, as section and fields define them: first the records, then the activities and tasks
 * that are linked to any of them.
 */
function around(anchor: string): ReadonlySet<string> {
  const [entityType = '', id = ''] = anchor.split(':')
  const all = [...rows].map(([key, row]) => ({ key, kind: key.split(':')[0] ?? '', row }))
  const near = all.filter(({ kind, row }) => {
    if (entityType === 'COMPANY')
      return ['CONTACT', 'LEAD', 'DEAL', 'PROJECT', 'QUOTE', 'ORDER', 'INVOICE'].includes(kind) && row.companyId === id
    if (entityType === 'CONTACT') return ['LEAD', 'DEAL'].includes(kind) && row.contactId === id
    if (entityType === 'DEAL')
      return kind === 'LEAD'
        ? rows.get(anchor)?.leadId === row.id
        : ['QUOTE', 'ORDER', 'INVOICE'].includes(kind) && row.dealId === id
    return false
  })
  return new Set([anchor, ...near.map(({ key }) => key)])
}

/** Returns the records around a record as far as a person sees them: only records that they see lead to activities and tasks. */
function seenAround(anchor: string, seen: ReadonlySet<string>): ReadonlySet<string> {
  const first = new Set([...around(anchor)].filter((key) => seen.has(key)))
  const work = [...rows].filter(
    ([key, { links = [], projectId }]) =>
      /^(TASK|ACTIVITY):/.test(key) &&
      seen.has(key) &&
      (links.some((link) => first.has(keyOf(link))) || (key.startsWith('TASK') && first.has(`PROJECT:${projectId}`))),
  )
  return new Set([...first, ...work.map(([key]) => key)])
}

/** Returns the entries of these records, newest first; of an entry in several histories the newest copy. */
function told(histories: readonly Entry[], of: ReadonlySet<string>): readonly Entry[] {
  const theirs = histories.filter((entry) => of.has(keyOf(entry))).toSorted((a, b) => (a.id < b.id ? 1 : -1))
  const twins = new Set<string>()
  return theirs.filter(({ kind, occurredAt, relatedType, relatedId }) => {
    if (relatedId === null) return true
    const twin = `${relatedType}:${relatedId}:${kind}:${occurredAt}`
    const isFirst = !twins.has(twin)
    twins.add(twin)
    return isFirst
  })
}

/** Creates a person with random rights, and a key of this person. */
async function newKey(): Promise<{ readonly key: string }> {
  const levels: readonly AccessLevel[] = ['NONE', 'OWN', 'DEPARTMENT', 'ALL']
  const seen = kinds.filter(() => next() < 0.75)
  const { id } = await workspace.employee({
    departmentId: undefined,
    grant: {
      permissions: [...seen.map((kind) => `VIEW_${kind}` as const), 'VIEW_COMPANY'],
      access: kinds.map((entityType) => ({ entityType, VIEW: any(levels), UPDATE: 'NONE', DELETE: 'NONE' })),
    },
  })
  // The person becomes the owner of some records, so that the level OWN shows some.
  for (const kind of ['COMPANY', 'DEAL', 'LEAD'] as const) {
    const key = any([...rows.keys()].filter((one) => one.startsWith(`${kind}:`)))
    await send('PATCH', `${paths[kind]}/${key.split(':')[1]}`, { ownerId: id })
  }
  return workspace.apiKey({ ownerId: id })
}

const filters = (): { readonly query: string; readonly keeps: (entry: Entry) => boolean } => {
  const asked = maybe(0.4, () => timelineKinds.filter(() => next() < 0.4)) ?? []
  const types = maybe(0.4, () => kinds.filter(() => next() < 0.5)) ?? []
  const actor = maybe(0.2, () => any([workspace.adminUserId, any(people)]))
  return {
    query: [
      asked.length > 0 ? `kinds=${asked.join(',')}` : '',
      types.length > 0 ? `types=${types.join(',')}` : '',
      actor ? `actorId=${actor}` : '',
      `limit=${1 + below(40)}`,
    ]
      .filter((part) => part !== '')
      .join('&'),
    keeps: ({ kind, entityType, actor: { id } }) =>
      (asked.length === 0 || asked.some((one) => one === kind)) &&
      (types.length === 0 || types.some((one) => one === entityType)) &&
      (!actor || id === actor),
  }
}

/** Returns an item without its title: a draft is named after its customer, and that name is its own. */
const besidesTitle = (item: Entry): string => JSON.stringify(item).replaceAll(item.record.title, '')
const idsOf = (entries: readonly Entry[]): readonly string[] => entries.map(({ id }) => id)

describe(`the feed beside lists and histories (seed ${seed})`, () => {
  it.each(Array.from({ length: credentials }, (_, at) => at))(
    'tells all that one sees, and nothing else: credential %i',
    async () => {
      const credential = await newKey()
      const histories = (await Promise.all([...rows.keys()].map(historyOf))).flat()
      const seen = new Set<string>()
      for (const kind of kinds) for (const { id } of (await listed(kind, credential)) ?? []) seen.add(`${kind}:${id}`)
      const hidden = [...names].filter(([key]) => !seen.has(key)).map(([, name]) => name)

      for (let n = 0; n < anchorsOfOne; n++) {
        const anchor = n === 0 ? null : any([...rows.keys()])
        const { query, keeps } = filters()
        const [entityType, entityId] = anchor?.split(':') ?? []
        const param = { COMPANY: 'companyId', CONTACT: 'contactId', DEAL: 'dealId', LEAD: 'leadId' }[entityType ?? '']
        const named = anchor
          ? param && next() < 0.7
            ? `${param}=${entityId}&`
            : `entityType=${entityType}&entityId=${entityId}&`
          : ''
        const path = `/api/feed?${named}${query}`
        const { status, items } = await walk(path, credential)
        if (seen.size === 0 || (anchor && !seen.has(anchor))) {
          expect({ path, refused: [403, 404].includes(status) || items.length === 0 }).toEqual({ path, refused: true })
          continue
        }
        const of = anchor ? seenAround(anchor, seen) : seen
        // Filters select entries; of several copies of an entry, the newest among the wanted types is shown.
        const types = /types=([A-Z,]+)/.exec(query)?.[1]?.split(',')
        const wanted = new Set([...of].filter((key) => types?.includes(key.split(':')[0] ?? '') ?? true))
        expect({ path, status, ids: idsOf(items) }).toEqual({
          path,
          status: 200,
          ids: idsOf(told(histories, wanted).filter(keeps)),
        })
        expect(items.filter((item) => hidden.some((name) => besidesTitle(item).includes(name)))).toEqual([])
      }
    },
    60_000,
  )
})

describe('pages of a feed', () => {
  it('lose nothing and repeat nothing while others write', async () => {
    const companyId = await make('COMPANY', (name) => ({ name }))
    const dealId = await make('DEAL', (name) => ({ name, companyId }))
    const links = [
      { entityType: 'COMPANY', entityId: companyId },
      { entityType: 'DEAL', entityId: dealId },
    ]
    const log = (subject: string) => send('POST', 'activities', { type: 'CALL', subject, links })
    for (let n = 0; n < 12; n++) await log(`Before ${n}`)
    for (const anchor of [`companyId=${companyId}&`, '']) {
      const path = `/api/feed?${anchor}limit=3`
      const before = await walk(`/api/feed?${anchor}limit=100`, { cookie })
      const writing = Promise.all(Array.from({ length: 8 }, async (_, at) => log(`Meanwhile ${at}`)))
      const { items } = await walk(path, { cookie })
      await writing
      const ids = idsOf(items)
      expect(new Set(ids).size).toBe(ids.length)
      expect(idsOf(before.items).filter((id) => !ids.includes(id))).toEqual([])
      const after = idsOf((await walk(path, { cookie })).items)
      expect(ids.filter((id) => !after.includes(id))).toEqual([])
      expect(after).toEqual(idsOf((await walk(`/api/feed?${anchor}limit=100`, { cookie })).items))
    }
  })
})
