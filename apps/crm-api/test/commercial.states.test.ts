import { createTestWorkspace } from '@crm/testkit'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from './harness.ts'
import {
  createCompany,
  createContact,
  createInvoice,
  createOrder,
  createQuote,
  issueInvoice,
  payInvoice,
  sampleLine,
} from './samples.ts'
import { invoiceMachine, type InvoiceStatus } from '../src/resources/finance/invoices/invoices.status.ts'
import { orderMachine, type OrderStatus } from '../src/resources/finance/orders/orders.status.ts'
import type { QuoteStatus } from '../src/kinds/quotes.ts'
import { quoteMachine } from '../src/resources/finance/quotes/quotes.status.ts'

const api = await apiUnderTest()
const { call, key } = api
const post = (path: string, body?: unknown) => call({ method: 'POST', path, key, body })
const get = async (path: string) => (await call({ path, key })).body.data
const verbed = async (kind: string, id: string, ...verbs: (readonly [string, unknown?])[]) => {
  for (const [verb, body] of verbs) expect((await post(`/api/${kind}/${id}/${verb}`, body)).status).toBeLessThan(300)
  return id
}

const quoteIn: Readonly<Record<QuoteStatus, () => Promise<string>>> = {
  DRAFT: () => createQuote(api),
  SENT: async () => verbed('quotes', await createQuote(api), ['send', {}]),
  ACCEPTED: async () => verbed('quotes', await createQuote(api), ['send', {}], ['accept']),
  DECLINED: async () => verbed('quotes', await createQuote(api), ['send', {}], ['decline']),
  EXPIRED: async () => {
    const id = await verbed('quotes', await createQuote(api), ['send', {}])
    expect(
      (await call({ method: 'PATCH', path: `/api/quotes/${id}`, key, body: { expiresAt: '2020-01-01T00:00:00Z' } }))
        .status,
    ).toBe(200)
    return id
  },
  CONVERTED: async () =>
    verbed('quotes', await createQuote(api), ['send', {}], ['accept'], ['convert', { target: 'ORDER' }]),
}
const orderIn: Readonly<Record<OrderStatus, () => Promise<string>>> = {
  DRAFT: () => createOrder(api),
  CONFIRMED: async () => verbed('orders', await createOrder(api), ['confirm']),
  FULFILLED: async () => verbed('orders', await createOrder(api), ['confirm'], ['fulfil']),
  CANCELLED: async () => verbed('orders', await createOrder(api), ['cancel']),
}
const invoiceIn: Readonly<Record<InvoiceStatus, () => Promise<string>>> = {
  DRAFT: () => createInvoice(api),
  ISSUED: () => issueInvoice(api),
  PARTIALLY_PAID: async () => (await payInvoice(api, '10')).id,
  PAID: async () => (await payInvoice(api, '100')).id,
  VOID: async () => verbed('invoices', await issueInvoice(api), ['void']),
  UNCOLLECTIBLE: async () => verbed('invoices', await issueInvoice(api), ['uncollectible']),
}

const mail = { to: ['buyer@example.com'] }
const kinds = [
  [
    'quotes',
    quoteIn,
    quoteMachine,
    { send: ['send', {}], accept: ['accept'], decline: ['decline'], convert: ['convert', { target: 'INVOICE' }] },
  ],
  [
    'orders',
    orderIn,
    orderMachine,
    { confirm: ['confirm'], fulfil: ['fulfil'], cancel: ['cancel'], invoice: ['invoice'] },
  ],
  [
    'invoices',
    invoiceIn,
    invoiceMachine,
    {
      issue: ['issue'],
      send: ['send', mail],
      void: ['void'],
      uncollectible: ['uncollectible'],
      paymentLink: ['payment-link'],
      recordPayment: ['payments', { amount: '1' }],
    },
  ],
] as const

describe.each(kinds)('%s', (kind, states, machine, verbs) => {
  const cases = Object.entries(states).flatMap(([status, make]) =>
    Object.entries(verbs).map(([verb, request]) => ({
      status,
      verb,
      make,
      request: request as readonly [string, unknown?],
    })),
  )

  it.each(cases)(
    '$status: $verb answers as the table of states says',
    async ({ status, verb, make, request: [path, body] }) => {
      const { from, to } = (
        machine as Readonly<Record<string, { readonly from: readonly string[]; readonly to: string | null }>>
      )[verb] ?? { from: [], to: null }
      const id = await make()
      expect((await get(`/api/${kind}/${id}`)).status).toBe(status)
      const answer = await post(`/api/${kind}/${id}/${path}`, body)
      // A draft of an invoice is issued when it is sent; an invoice that is paid takes no more payments.
      const isIssuedFirst = kind === 'invoices' && verb === 'send' && status === 'DRAFT'
      const isPaid = verb === 'recordPayment' && status === 'PAID'
      if (isPaid) expect(answer).toMatchObject({ status: 409, body: { code: 'PAYMENT_EXCEEDS_BALANCE' } })
      else if (from.includes(status) || isIssuedFirst) expect(answer.status).toBeLessThan(300)
      else expect(answer).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } })
      if (to && from.includes(status)) expect((await get(`/api/${kind}/${id}`)).status).toBe(to)
    },
  )

  it.each([
    ['unknown', 'XQQ'],
    ['inactive', 'HUF'],
  ])('400 INVALID_CURRENCY for one that is %s, when it is made and when it is changed', async (_what, currency) => {
    const { body } = await call({ path: '/api/currencies', key })
    const known = body.data.find(({ code }: { code: string }) => code === currency)
    if (known) await call({ method: 'PATCH', path: `/api/currencies/${known.id}`, key, body: { isActive: false } })
    expect(await post(`/api/${kind}`, { currency, items: [sampleLine] })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_CURRENCY' },
    })
    const id = await states.DRAFT()
    expect(await call({ method: 'PATCH', path: `/api/${kind}/${id}`, key, body: { currency } })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_CURRENCY' },
    })
  })

  it('numbers by the day and in the zone of the workspace', async () => {
    for (const timezone of ['Pacific/Kiritimati', 'Pacific/Niue']) {
      const one = await createTestWorkspace(api.db, { timezone })
      const { key: theirs } = await one.apiKey()
      const send = async (path: string, body?: unknown) =>
        (await call({ method: 'POST', path, key: theirs, body }, one)).body.data
      const entityType = kind.slice(0, -1).toUpperCase()
      const daily = await call(
        {
          method: 'POST',
          path: '/api/number-sequences',
          key: theirs,
          body: { entityType, name: 'Daily', pattern: '{YYYY}{MM}{DD}-{SEQ}', resetPeriod: 'MONTH', isDefault: true },
        },
        one,
      )
      expect(daily).toMatchObject({ status: 201 })
      const { id } = await send(`/api/${kind}`, { items: [sampleLine] })
      const { number, issueDate } = await send(
        `/api/${kind}/${id}/${kind === 'quotes' ? 'send' : kind === 'orders' ? 'confirm' : 'issue'}`,
        kind === 'quotes' ? {} : undefined,
      )
      const day = Temporal.Instant.from(api.clock.now().toISOString())
        .toZonedDateTimeISO(timezone)
        .toPlainDate()
        .toString()
      expect([issueDate, number]).toEqual([day, `${day.replaceAll('-', '')}-1`])
    }
  })

  it('follow their company and contact when these are merged', async () => {
    const [company, otherCompany, contact, otherContact] = [
      await createCompany(api),
      await createCompany(api),
      await createContact(api),
      await createContact(api),
    ]
    const id = (await post(`/api/${kind}`, { companyId: otherCompany, contactId: otherContact, items: [sampleLine] }))
      .body.data.id
    expect((await post(`/api/companies/${company}/merge`, { sourceIds: [otherCompany] })).status).toBe(200)
    expect((await post(`/api/contacts/${contact}/merge`, { sourceIds: [otherContact] })).status).toBe(200)
    expect(await get(`/api/${kind}/${id}`)).toMatchObject({ companyId: company, contactId: contact })
  })
})

describe('payments', () => {
  it('happen once for a key that is sent again, and are refused for another amount', async () => {
    const id = await issueInvoice(api)
    const pay = (amount: string) =>
      call({
        method: 'POST',
        path: `/api/invoices/${id}/payments`,
        key,
        body: { amount },
        headers: { 'idempotency-key': 'pay-1' },
      })
    const first = await pay('40')
    expect((await pay('40')).body.data.id).toBe(first.body.data.id)
    expect((await pay('41')).body.code).toBe('IDEMPOTENCY_KEY_REUSED')
    expect(await get(`/api/invoices/${id}`)).toMatchObject({ amountPaid: '40.00', amountDue: '60.00' })
  })

  it('voiding an invoice of which something is paid is refused until it is taken back', async () => {
    const { id, paymentId } = await payInvoice(api, '10')
    expect(await post(`/api/invoices/${id}/void`)).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } })
    await post(`/api/invoices/${id}/payments/${paymentId}/reverse`)
    expect((await post(`/api/invoices/${id}/void`)).body.data.status).toBe('VOID')
  })
})

describe('lists', () => {
  it.each(['quotes', 'invoices'])('/api/%s go by limit, 50 by default and 100 at most', async (kind) => {
    const ask = async (query: string) => (await call({ path: `/api/${kind}?${query}`, key })).body
    expect([
      (await ask('')).pageSize,
      (await ask('limit=100')).pageSize,
      (await ask('limit=101')).pageSize,
      (await ask('limit=1')).items.length,
    ]).toEqual([50, 100, 100, 1])
    expect((await ask('sort=total:asc')).items.map(({ total }: { total: string }) => Number(total))).toEqual(
      (await ask('sort=total:asc')).items
        .map(({ total }: { total: string }) => Number(total))
        .toSorted((a: number, b: number) => a - b),
    )
    expect(Object.keys(await ask('page=999'))).not.toContain('pageCount')
    expect(await ask('page=999')).toMatchObject({ items: [], page: 999 })
    const newest = (await ask('limit=2')).items
    expect(newest[0].createdAt >= newest[1].createdAt).toBe(true)
  })

  it('/api/orders have pages as other lists', async () => {
    expect((await call({ path: '/api/orders?pageSize=2&sortBy=total&sortOrder=desc', key })).body).toMatchObject({
      page: 1,
      pageSize: 2,
      pageCount: expect.any(Number),
      total: expect.any(Number),
    })
  })
})

describe('on paper', () => {
  const page = async (taxMode: string) => {
    const taxRateId = (await post('/api/tax-rates', { name: `VAT ${taxMode}`, rate: '19' })).body.data.id
    const items = [
      { name: 'Design', quantity: '12.5', unitPrice: '95', taxRateId, discount: { type: 'PERCENT', value: '10' } },
      { name: 'Paper', quantity: '3', unitPrice: '0.123456', taxRateId },
    ]
    const id = await issueInvoice(api, {
      taxMode,
      items,
      discount: { type: 'PERCENT', value: '5' },
      billingAddress: { city: 'Berlin', country: 'DE' },
    })
    const { url } = (await post(`/api/invoices/${id}/payment-link`)).body.data
    return (await api.app.inject({ url: new URL(url).pathname, headers: { host: api.workspace.host } })).body
      .replaceAll(/<[^>]+>/g, '|')
      .replaceAll(/\|+/g, '|')
  }

  it('the amounts of the lines add up to the subtotal, without tax where it comes on top', async () => {
    expect(await page('EXCLUSIVE')).toContain(
      '|Design|Discount: 10%|12.5|€95.00|€1,068.75|Paper|3|€0.123456|€0.37|Subtotal|€1,069.12|Discount (5%)|-€53.46|VAT EXCLUSIVE 19%|€192.98|Total|€1,208.64|',
    )
  })

  it('and with it where prices hold it', async () => {
    expect(await page('INCLUSIVE')).toContain(
      '|€1,068.75|Paper|3|€0.123456|€0.37|Subtotal|€1,069.12|Discount (5%)|-€53.46|Total|€1,015.66|Includes VAT INCLUSIVE 19%|€162.17|',
    )
  })

  it('what an issued document has already may be sent again', async () => {
    const id = await issueInvoice(api, { discount: { type: 'AMOUNT', value: '5' } })
    expect(
      (
        await call({
          method: 'PATCH',
          path: `/api/invoices/${id}`,
          key,
          body: { discount: { type: 'AMOUNT', value: '5' }, notes: 'x' },
        })
      ).status,
    ).toBe(200)
    expect(
      (
        await call({
          method: 'PATCH',
          path: `/api/invoices/${id}`,
          key,
          body: { discount: { type: 'AMOUNT', value: '6' } },
        })
      ).body.code,
    ).toBe('INVOICE_LOCKED')
  })
})

describe('what makes no sense is refused', () => {
  const patch = (path: string, body: object) => call({ method: 'PATCH', path, key, body })

  it('an invoice without lines is not issued, and not sent', async () => {
    const id = await createInvoice(api, { items: [] })
    for (const [verb, body] of [
      ['issue', {}],
      ['send', { to: ['buyer@example.com'] }],
    ] as const) {
      expect(await post(`/api/invoices/${id}/${verb}`, body)).toMatchObject({
        status: 409,
        body: { code: 'INVALID_TRANSITION', error: 'An invoice without lines cannot be issued' },
      })
    }
    expect((await get(`/api/invoices/${id}`)).status).toBe('DRAFT')
  })

  it('an expired quote is not sent, until it has a later end', async () => {
    const id = await createQuote(api, { expiresAt: '2020-01-01T00:00:00Z' })
    expect(await post(`/api/quotes/${id}/send`, {})).toMatchObject({
      status: 409,
      body: { code: 'INVALID_TRANSITION' },
    })
    await patch(`/api/quotes/${id}`, { expiresAt: '2099-01-01' })
    expect((await post(`/api/quotes/${id}/send`, {})).status).toBe(200)
  })

  it.each([
    ['invoices', createInvoice],
    ['orders', createOrder],
  ] as const)('%s are not due before they are issued', async (kind, create) => {
    const wrong = { issueDate: '2026-06-02', dueDate: '2026-06-01' }
    const refusal = { status: 400, body: { code: 'VALIDATION_ERROR', issues: [{ path: ['dueDate'] }] } }
    expect(await post(`/api/${kind}`, { items: [sampleLine], ...wrong })).toMatchObject(refusal)
    const id = await create(api, { issueDate: '2026-06-02', dueDate: '2026-06-02' })
    expect(await patch(`/api/${kind}/${id}`, { dueDate: '2026-06-01' })).toMatchObject(refusal)
    expect(await patch(`/api/${kind}/${id}`, { issueDate: '2026-06-03' })).toMatchObject(refusal)
    expect((await patch(`/api/${kind}/${id}`, { issueDate: '2026-06-03', dueDate: '2026-06-04' })).status).toBe(200)
    expect((await patch(`/api/${kind}/${id}`, { dueDate: null })).status).toBe(200)
  })

  it('an invoice that gets its date when it is issued is not due before it', async () => {
    const id = await createInvoice(api, { dueDate: '2020-01-01' })
    expect(await post(`/api/invoices/${id}/issue`, {})).toMatchObject({
      status: 400,
      body: { issues: [{ path: ['dueDate'] }] },
    })
    expect(
      await post(`/api/invoices/${id}/duplicate`, { issueDate: '2026-06-02', dueDate: '2026-06-01' }),
    ).toMatchObject({ status: 400 })
  })

  it('a payment lies no more than a day ahead', async () => {
    const id = await issueInvoice(api)
    const pay = (aheadMs: number) =>
      post(`/api/invoices/${id}/payments`, {
        amount: '1',
        paidAt: new Date(api.clock.now().getTime() + aheadMs).toISOString(),
      })
    const dayMs = 86_400_000
    expect(await pay(dayMs + 1_000)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', issues: [{ path: ['paidAt'] }] },
    })
    expect((await pay(dayMs)).status).toBe(201)
  })
})
