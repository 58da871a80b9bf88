import { newId } from '@crm/db'

/** A workspace of a size, with all that requests need to know of it. */
export interface GrownWorkspace {
  readonly leads: number
  readonly host: string
  readonly keys: readonly string[]
  /** The first leads that were made, at most two thousand. */
  readonly leadIds: readonly string[]
  /** One of five people. */
  readonly ownerId: string
  /** A stage that has leads. */
  readonly stageId: string
}

interface GrowthRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: unknown
}

/** One request, and how much more it may cost in the largest workspace than in the smallest. */
export interface GrowthRow {
  readonly what: string
  /** The largest ratio of processor time of PostgreSQL; without it, the request has to be answered, whatever it costs. */
  readonly atMost?: number
  /** The most milliseconds of PostgreSQL in the largest workspace. */
  readonly msMax?: number
  /** The records that one request writes; costs are told for each. */
  readonly per?: number
  readonly writes?: true
  request(workspace: GrownWorkspace, n: number): GrowthRequest
}

const flat = 1.5
const counted = 15

const get = (what: string, pathOf: string | ((workspace: GrownWorkspace, n: number) => string), atMost?: number) => ({
  what,
  ...(atMost === undefined ? {} : { atMost }),
  request: (workspace: GrownWorkspace, n: number) => ({
    path: typeof pathOf === 'string' ? pathOf : pathOf(workspace, n),
  }),
})

const orders = {
  leads: ['createdAt', 'updatedAt', 'lastName', 'companyName', 'status', 'score', 'stageId', 'stageChangedAt'],
  contacts: ['createdAt', 'updatedAt', 'firstName', 'lastName', 'email'],
  companies: ['createdAt', 'updatedAt', 'name', 'domain'],
  deals: ['createdAt', 'updatedAt', 'name', 'amount', 'status', 'stageId', 'expectedCloseDate', 'stageChangedAt'],
  tasks: ['createdAt', 'updatedAt', 'number', 'title', 'status', 'priority', 'startAt', 'dueAt', 'completedAt'],
} as const

const inOrder: readonly GrowthRow[] = Object.entries(orders).flatMap(([plural, fields]) =>
  fields.flatMap((field) =>
    (['asc', 'desc'] as const).map((sortOrder) =>
      get(`${plural} by ${field} ${sortOrder}`, `/api/${plural}?sortBy=${field}&sortOrder=${sortOrder}`, flat),
    ),
  ),
)
const narrowed = orders.leads.flatMap((field) => [
  get(`one owner by ${field}`, ({ ownerId }) => `/api/leads?ownerId=${ownerId}&sortBy=${field}&sortOrder=desc`, flat),
  get(
    `status, stage and owner by ${field}`,
    ({ ownerId, stageId }) =>
      `/api/leads?status=NEW&stageId=${stageId}&ownerId=${ownerId}&sortBy=${field}&sortOrder=desc`,
    flat,
  ),
])

const filterOf = (members: readonly object[]): string =>
  `/api/leads?filter=${encodeURIComponent(JSON.stringify({ or: members }))}`
const person = (n: number) => ({ firstName: 'Growth', lastName: `Person ${n}`, email: `${newId()}@example.org` })

/** The requests of docs/decisions/growth.md. */
export const growthRows: readonly GrowthRow[] = [
  ...inOrder,
  get('page 500', '/api/leads?page=500', flat),
  get('last page', ({ leads }) => `/api/leads?page=${leads / 20}`),
  get('last page by lastName', ({ leads }) => `/api/leads?sortBy=lastName&page=${leads / 20}`),
  ...narrowed,
  get('tag, common', '/api/leads?tag=common', flat),
  get('tag, 20 records', '/api/leads?tag=few', flat),
  // The matches grow with the records here, and have to be put in order.
  get('tag, 1 of 1,000', '/api/leads?tag=rare', counted),
  get('custom text, 20 records', '/api/leads?cf_region=few', flat),
  get('custom text, 1 of 500', (_, n) => `/api/leads?cf_region=region%20${n % 500}`, counted),
  get(
    'custom number, 1 of 1,000',
    (_, n) => `/api/leads?cf_budgetMin=${1000 * (n % 90)}&cf_budgetMax=${1000 * (n % 90) + 100}`,
  ),
  get(
    'filter of any of two, common',
    filterOf([
      { field: 'temperature', op: 'is', value: 'HOT' },
      { field: 'score', op: 'gt', value: 98 },
    ]),
  ),
  get(
    'filter of any of two, rare',
    filterOf([
      { field: 'cf_region', op: 'is', value: 'region 7' },
      { field: 'tags', op: 'is', value: 'rare' },
    ]),
  ),
  get('search, common word', '/api/leads?search=stein'),
  get('search, one address', (_, n) => `/api/leads?search=person.${101 + n}%40`),
  get('search over all, common', '/api/search?q=stein'),
  get('search over all, misspelled', '/api/search?q=rosenmnansen'),
  get(
    'total outside the ledger',
    (_, n) => `/api/leads?temperature=HOT&createdFrom=2020-01-01T00:00:00.${String(n % 1000).padStart(3, '0')}Z`,
    counted,
  ),
  get('total of a time', (_, n) => `/api/leads?createdFrom=-${1 + (n % 60)}d`, counted),
  get('summary by month', '/api/leads/summary?groupBy=createdAt:month'),
  get('summary by owner and month, averages', '/api/leads/summary?groupBy=ownerId,createdAt:month&measures=avg:score'),
  get('summary by stage', '/api/leads/summary?groupBy=stageId', flat),
  get('deals by stage, sums', '/api/deals/summary?groupBy=stageId&measures=sum:amount'),
  get('duplicates by address', '/api/leads/duplicates?by=email'),
  get('duplicates by number', '/api/leads/duplicates?by=phone'),
  get('duplicates by name', '/api/leads/duplicates?by=name'),
  {
    what: 'duplicates of a new lead',
    request: (_, n) => ({
      method: 'POST',
      path: '/api/leads/duplicates',
      body: { email: `person.${101 + n}@example.com` },
    }),
  },
  get('duplicates of one lead', ({ leadIds }, n) => `/api/leads/${leadIds[600 + n]}/duplicates`),
  { ...get('rotting, no stage rots', '/api/leads?isRotting=true'), msMax: 1 },
  get('without contact', '/api/leads?inactiveSince=-30d', flat),
  get('with an open task', '/api/leads?hasOpenTask=true', flat),
  get('timeline', ({ leadIds }) => `/api/crm/timeline?entityType=LEAD&entityId=${leadIds[0]}`, flat),
  get('one lead', ({ leadIds }, n) => `/api/leads/${leadIds[n]}`, flat),
  {
    what: 'create',
    writes: true,
    atMost: flat,
    request: (_, n) => ({ method: 'POST', path: '/api/leads', body: person(n) }),
  },
  {
    what: 'update',
    writes: true,
    atMost: flat,
    request: ({ leadIds }, n) => ({
      method: 'PATCH',
      path: `/api/leads/${leadIds[n]}`,
      body: { jobTitle: `Job ${newId()}` },
    }),
  },
  {
    what: 'bulk update, each of 500',
    writes: true,
    atMost: flat,
    per: 500,
    request: ({ leadIds }, n) => ({
      method: 'PATCH',
      path: '/api/leads',
      body: { ids: leadIds.slice(500, 1_000), set: { temperature: n % 2 === 0 ? 'HOT' : 'COLD' } },
    }),
  },
  {
    what: 'delete',
    writes: true,
    atMost: flat,
    request: ({ leadIds }, n) => ({ method: 'DELETE', path: `/api/leads/${leadIds[1_999 - n]}` }),
  },
]
