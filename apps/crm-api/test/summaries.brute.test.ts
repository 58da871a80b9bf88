import { seed, stepsOf } from '@crm/testkit'
import { declaredOperations, publicContract, timeBuckets, type DeclaredOperation, type Summarized } from '@crm/contract'
import { createRandom } from '@crm/runtime'
import type { AccessLevel } from '@crm/permissions'
import { Money } from '@crm/pricing'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiUnderTest } from './harness.ts'
import { createCompany, createContact } from './samples.ts'

/** The number of credentials, and of questions for each. */
const credentials = stepsOf(20)
const questionsOfOne = 25
/** A zone that shifts the buckets of time. */
const timezone = 'America/New_York'

const api = await apiUnderTest()
const { call, workspace } = api
const { next } = createRandom(seed)
const below = (n: number): number => Math.floor(next() * n)
const any = <T>(list: readonly T[]): T => list[below(list.length)] as T
const maybe = <T>(value: () => T): T | undefined => (next() < 0.6 ? value() : undefined)

interface Asked {
  readonly list: DeclaredOperation
  readonly summarized: Summarized
}

const asked: readonly Asked[] = declaredOperations(publicContract).flatMap((one) => {
  const list = one.resource.operations['list']
  const { summarized, path } = one.operation
  if (!summarized || path.includes('{') || !list) return []
  return [{ list: { ...one, key: 'list', operation: list }, summarized }]
})

const people: string[] = []
const departments: string[] = []

beforeAll(async () => {
  const cookie = await workspace.session()
  for (const code of ['EUR', 'USD', 'CHF'])
    await call({ method: 'POST', path: '/api/currencies', cookie, body: { code } })
  await call({
    method: 'POST',
    path: '/api/settings/custom-fields',
    cookie,
    body: { entityType: 'DEAL', key: 'margin', label: 'Margin', type: 'NUMBER' },
  })
  const parent = await workspace.department('Sales')
  departments.push(parent, await workspace.department('North', parent), await workspace.department('Other'))
  for (let n = 0; n < 6; n++) people.push((await workspace.employee({ departmentId: any(departments) })).id)
  const companyIds = [await createCompany(api), await createCompany(api)]
  const contactIds = [await createContact(api)]
  const send = (path: string, body: object) => call({ method: 'POST', path, cookie, body })
  const money = () => (below(10_000_000) / 100).toFixed(2)
  const day = () => `2026-${String(1 + below(12)).padStart(2, '0')}-${String(1 + below(28)).padStart(2, '0')}`
  const usual = () => ({ ownerId: any(people), tags: ['hot', 'cold', 'vip'].filter(() => next() < 0.3) })
  for (let n = 0; n < 60; n++) {
    await send('/api/deals', {
      ...usual(),
      name: `Deal ${n}`,
      amount: maybe(money),
      currency: any(['EUR', 'USD', 'CHF']),
      status: any(['OPEN', 'WON', 'LOST']),
      probability: maybe(() => below(101)),
      expectedCloseDate: maybe(day),
      companyId: maybe(() => any(companyIds)),
      lostReason: maybe(() => any(['Price', 'Time'])),
      customFields: { margin: maybe(() => below(100) / 4) },
    })
    await send('/api/leads', {
      ...usual(),
      lastName: `Lead ${n}`,
      email: `lead${n}@example.com`,
      status: any(['NEW', 'IN_PROGRESS', 'UNQUALIFIED']),
      temperature: maybe(() => any(['HOT', 'COLD'])),
      utmSource: maybe(() => any(['ads', 'mail'])),
    })
    await send('/api/tasks', {
      ...usual(),
      title: `Task ${n}`,
      status: any(['TODO', 'DONE']),
      priority: any(['LOW', 'HIGH']),
      assigneeId: maybe(() => any(people)),
      dueAt: maybe(() => `${day()}T0${below(10)}:30:00Z`),
      estimateMin: maybe(() => below(500)),
    })
  }
  for (let n = 0; n < 25; n++) {
    await send('/api/companies', { ...usual(), name: `Company ${n}` })
    await send('/api/contacts', {
      ...usual(),
      lastName: `Contact ${n}`,
      birthday: maybe(day),
      companyId: maybe(() => any(companyIds)),
    })
    await send('/api/projects', {
      ...usual(),
      name: `Project ${n}`,
      budget: maybe(money),
      currency: any(['EUR', 'USD']),
      startDate: maybe(day),
      progress: below(101),
    })
    await send('/api/activities', {
      ...usual(),
      type: any(['CALL', 'NOTE']),
      subject: `Call ${n}`,
      direction: maybe(() => any(['IN', 'OUT'])),
    })
    await send('/api/products', {
      ...usual(),
      name: `Product ${n}`,
      basePrice: maybe(money),
      currency: any(['EUR', 'USD']),
    })
    for (const path of ['/api/quotes', '/api/orders', '/api/invoices']) {
      await send(path, {
        ...usual(),
        contactId: any(contactIds),
        currency: any(['EUR', 'USD']),
        issueDate: maybe(day),
        items: [{ name: 'Line', quantity: String(1 + below(5)), unitPrice: money() }],
      })
    }
  }
})

type Row = Readonly<Record<string, unknown>>

async function listAll({ operation }: DeclaredOperation, filters: string, key: string): Promise<Row[]> {
  const size = 'limit' in (operation.query?.shape ?? {}) ? 'limit' : 'pageSize'
  const rows: Row[] = []
  for (let page = 1; ; page++) {
    const { status, body } = await call({ path: `${operation.path}?${filters}&${size}=100&page=${page}`, key })
    expect(status).toBe(200)
    rows.push(...body.items)
    if (rows.length >= body.total || body.items.length === 0) return rows
  }
}

/** Returns the bucket of a moment or a day, by another algorithm than the service. */
function bucketOf(value: unknown, type: string, bucket: string): string | null {
  if (typeof value !== 'string') return null
  const day =
    type === 'instant'
      ? Temporal.Instant.from(value).toZonedDateTimeISO(timezone).toPlainDate()
      : Temporal.PlainDate.from(value)
  if (bucket === 'week') return day.subtract({ days: day.dayOfWeek - 1 }).toString()
  if (bucket === 'quarter') return `${day.year}-Q${Math.ceil(day.month / 3)}`
  return day.toString().slice(0, { day: 10, month: 7, year: 4 }[bucket])
}

function keysOf(row: Row, word: string, { dimensions }: Summarized): (string | boolean | null)[] {
  const [name = '', bucket] = word.split(':')
  const { type } = dimensions[name]!
  if (type === 'list') return (row[name] as string[]).length > 0 ? (row[name] as string[]) : [null]
  return [bucket ? bucketOf(row[name], type, bucket) : ((row[name] ?? null) as string | boolean | null)]
}

function numbersOf(rows: readonly Row[], word: string, type: string): unknown {
  const [fn = '', name = ''] = word.split(':')
  const ofRow = (row: Row): string | null => {
    const value = row[name]
    if (fn !== 'weighted') return value === null || value === undefined ? null : `${value as string | number}`
    return value === null || row['probability'] === null
      ? null
      : new Money(value as string)
          .times(row['probability'] as number)
          .div(100)
          .toFixed()
  }
  if (type !== 'money')
    return compute(
      rows.flatMap((row) => ofRow(row) ?? []),
      fn,
      type,
    )
  const byCurrency = Map.groupBy(
    rows.filter((row) => ofRow(row) !== null),
    (row) => row['currency'] as string,
  )
  return Object.fromEntries(
    [...byCurrency].map(([currency, those]) => [
      currency,
      compute(
        those.flatMap((row) => ofRow(row) ?? []),
        fn,
        type,
      ),
    ]),
  )
}

function compute(values: readonly string[], fn: string, type: string): string | null {
  if (type === 'instant' || type === 'day')
    return (fn === 'min' ? values.toSorted()[0] : values.toSorted().at(-1)) ?? null
  if (values.length === 0) return fn === 'sum' ? '0' : null
  if (fn === 'min') return Money.min(...values).toString()
  if (fn === 'max') return Money.max(...values).toString()
  const sum = Money.sum(...values)
  return fn === 'avg' ? sum.div(values.length).toDecimalPlaces(6, Money.ROUND_HALF_UP).toString() : sum.toString()
}

/** Returns numbers as numbers, so that `1.50` and `1.5` are equal. */
function plain(value: unknown): unknown {
  if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) return new Money(value).toString()
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
}

function measured(rows: readonly Row[], words: readonly string[], { measures }: Summarized): Row {
  const cell: Record<string, Record<string, unknown>> = {}
  for (const word of words) {
    const [fn = '', name = ''] = word.split(':')
    ;(cell[fn] ??= {})[name] = numbersOf(rows, word, measures[name] as string)
  }
  return { count: rows.length, ...cell }
}

function randomFilters({ operation }: DeclaredOperation): string {
  const known = operation.query?.shape ?? {}
  const filters: Readonly<Record<string, () => string>> = {
    ownerId: () => `${any(people)},${any(people)},me`,
    tag: () => 'hot',
    createdFrom: () => 'today',
    updatedTo: () => '1d',
    departmentId: () => `${any(departments)},none`,
    currency: () => 'EUR',
    search: () => '1',
    temperature: () => 'HOT,none',
    priority: () => 'LOW',
  }
  return Object.entries(filters)
    .filter(([name]) => name in known && next() < 0.15)
    .map(([name, value]) => `${name}=${encodeURIComponent(value())}`)
    .join('&')
}

function randomDimensions({ dimensions }: Summarized): string[] {
  const names = Object.keys(dimensions)
    .toSorted(() => next() - 0.5)
    .slice(0, below(3))
  const words = names.map((name) =>
    ['instant', 'day'].includes(dimensions[name]!.type) ? `${name}:${any(timeBuckets)}` : name,
  )
  return words.filter((word, at) => word !== 'tags' || words.indexOf('tags') === at)
}

function randomMeasures({ measures, weighted }: Summarized): string[] {
  const words = Object.entries(measures).map(
    ([name, type]) =>
      `${any(type === 'instant' || type === 'day' ? ['min', 'max'] : ['sum', 'avg', 'min', 'max'])}:${name}`,
  )
  return words
    .toSorted(() => next() - 0.5)
    .slice(0, below(4))
    .concat(weighted && next() < 0.3 ? [`weighted:${weighted}`] : [])
    .filter((word) => !word.endsWith(':isOverdue'))
}

describe(`summaries add up to the lists under random credentials (seed ${seed})`, () => {
  it.each(Array.from({ length: credentials }, (_, n) => [n] as const))('credential %i', async () => {
    const levels: readonly AccessLevel[] = ['OWN', 'DEPARTMENT', 'DEPARTMENT_TREE', 'ALL']
    const types = [
      'LEAD',
      'DEAL',
      'CONTACT',
      'COMPANY',
      'TASK',
      'PROJECT',
      'ACTIVITY',
      'PRODUCT',
      'QUOTE',
      'ORDER',
      'INVOICE',
    ]
    const access = types.map((entityType) => ({
      entityType,
      VIEW: any(levels),
      UPDATE: 'NONE' as const,
      DELETE: 'NONE' as const,
    }))
    const { id } = await workspace.employee({
      grant: { permissions: types.map((type) => `VIEW_${type}`), access },
      departmentId: any(departments),
    })
    const { key } = await workspace.apiKey({ ownerId: id })
    for (let n = 0; n < questionsOfOne; n++) {
      const { list, summarized } = any(asked)
      const [filters, groupBy, measures] = [
        randomFilters(list),
        randomDimensions(summarized),
        randomMeasures(summarized),
      ]
      const path = `${list.operation.path}/summary?${filters}&groupBy=${groupBy.join(',')}&measures=${measures.join(',')}&timezone=${timezone}`
      const { status, body } = await call({ path, key })
      expect({ path, status }).toEqual({ path, status: 200 })
      const rows = await listAll(list, filters, key)
      expect({ path, totals: plain(body.totals) }).toEqual({
        path,
        totals: plain(measured(rows, measures, summarized)),
      })
      if (groupBy.length === 0) continue
      const pairs = rows.flatMap((row) =>
        keysOf(row, groupBy[0]!, summarized).flatMap((first) =>
          groupBy[1] === undefined
            ? [[JSON.stringify([first]), row] as const]
            : keysOf(row, groupBy[1], summarized).map((second) => [JSON.stringify([first, second]), row] as const),
        ),
      )
      const expected = new Map(
        [...Map.groupBy(pairs, ([group]) => group)].map(([group, those]) => [
          group,
          plain(
            measured(
              those.map(([, row]) => row),
              measures,
              summarized,
            ),
          ),
        ]),
      )
      const told = new Map(
        (body.groups as { by: { value: unknown }[] }[]).map(({ by, ...cell }) => [
          JSON.stringify(by.map(({ value }) => value)),
          plain(cell),
        ]),
      )
      expect({ path, groups: Object.fromEntries(told) }).toEqual({ path, groups: Object.fromEntries(expected) })
    }
  })
})
