import { unique } from '@crm/testkit'
import { describe, expect, it } from 'vitest'
import { ownApi, type CallAnswer } from '../../../../test/harness.ts'
import { jobsUnderTest } from '../../../../test/jobs.ts'
import {
  createCompany,
  createInvoice,
  issueInvoice,
  payInvoice,
  sampleLine,
  unknownId,
} from '../../../../test/samples.ts'

const api = await ownApi()
const { call, key, workspace } = api
const { mails, settled } = await jobsUnderTest(api)

const post = (path: string, body?: unknown): Promise<CallAnswer> =>
  call({ method: 'POST', path: `/api/invoices${path}`, key, body })
const patch = (id: string, body: unknown): Promise<CallAnswer> =>
  call({ method: 'PATCH', path: `/api/invoices/${id}`, key, body })
const get = async (id: string) => (await call({ path: `/api/invoices/${id}`, key })).body.data
const list = (query = '') => call({ path: `/api/invoices?${query}`, key })
const history = async (id: string) =>
  (await call({ path: `/api/crm/timeline?entityType=INVOICE&entityId=${id}`, key })).body.items.map(
    ({ kind }: { kind: string }) => kind,
  )
const taxRate = async (rate: string) =>
  (await call({ method: 'POST', path: '/api/tax-rates', key, body: { name: `Tax ${unique()}`, rate } })).body.data
    .id as string

describe('201', () => {
  it('adds the lines up, with the party and its address', async () => {
    const taxRateId = await taxRate('19')
    const companyId = await createCompany(api, {
      name: 'Buyer & Co',
      billingAddress: { line1: 'Street 1', city: 'Berlin' },
    })
    const { status, body } = await post('', {
      companyId,
      currency: 'EUR',
      items: [
        { name: 'Work', quantity: '3', unitPrice: '33.333', taxRateId, discount: { type: 'PERCENT', value: '10' } },
        sampleLine,
      ],
      discount: { type: 'AMOUNT', value: '19' },
    })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      status: 'DRAFT',
      number: null,
      partyName: 'Buyer & Co',
      billingAddress: { line1: 'Street 1', city: 'Berlin' },
      currency: 'EUR',
      taxMode: 'EXCLUSIVE',
      subtotal: '190.00',
      discountTotal: '19.00',
      taxTotal: '15.39',
      total: '186.39',
      amountPaid: '0.00',
      amountDue: '186.39',
      isOverdue: false,
      paymentLinkUrl: null,
      items: [
        { net: '90.00', tax: '15.39', total: '96.39' },
        { net: '100.00', tax: '0.00', total: '90.00' },
      ],
      taxes: [{ taxRateId, rate: '19', base: '81.00', amount: '15.39' }],
    })
  })

  it('writes amounts with the digits of the currency', async () => {
    const of = async (currency: string) =>
      (await post('', { currency, items: [{ name: 'x', unitPrice: '10.5555' }] })).body.data.total
    expect([await of('JPY'), await of('EUR'), await of('KWD')]).toEqual(['11', '10.56', '10.556'])
  })

  it('duplicates only what a new draft could be', async () => {
    const own = await api.newWorkspace()
    const { key: theirs } = await own.apiKey()
    const send = (method: 'POST' | 'PATCH' | 'GET', path: string, body?: object) =>
      call({ method, path, key: theirs, body }, own)
    const { data: rate } = (await send('POST', '/api/tax-rates', { name: 'Old', rate: '16' })).body
    const items = [{ ...sampleLine, taxRateId: rate.id }]
    const { data: invoice } = (await send('POST', '/api/invoices', { currency: 'HUF', items })).body
    const duplicate = () => send('POST', `/api/invoices/${invoice.id}/duplicate`, {})
    expect((await duplicate()).status).toBe(201)
    await send('PATCH', `/api/tax-rates/${rate.id}`, { isActive: false })
    const [copy, fresh] = [await duplicate(), await send('POST', '/api/invoices', { currency: 'HUF', items })]
    expect([copy.status, copy.body]).toEqual([fresh.status, fresh.body])
    expect(copy.body).toMatchObject({ code: 'INVALID_REFERENCE', details: { field: 'items.0.taxRateId' } })
    await send('PATCH', `/api/tax-rates/${rate.id}`, { isActive: true })
    const { data: all } = (await send('GET', '/api/currencies')).body
    const { id } = all.find(({ code }: { code: string }) => code === 'HUF')
    await send('PATCH', `/api/currencies/${id}`, { isActive: false })
    const [again, new_] = [await duplicate(), await send('POST', '/api/invoices', { currency: 'HUF', items })]
    expect([again.status, again.body]).toEqual([new_.status, new_.body])
    expect(again.body.code).toBe('INVALID_CURRENCY')
  })

  it('duplicates as a new draft', async () => {
    const id = await issueInvoice(api, { notes: 'Again' })
    expect((await post(`/${id}/duplicate`, { dueDate: '2100-01-01' })).body.data).toMatchObject({
      status: 'DRAFT',
      number: null,
      notes: 'Again',
      total: '100.00',
      dueDate: '2100-01-01',
      issueDate: null,
    })
  })
})

describe('400', () => {
  it.each([
    ['a negative quantity', { items: [{ name: 'x', quantity: '-1' }] }, ['items', 0, 'quantity']],
    ['13 digits', { items: [{ name: 'x', unitPrice: '1234567890123' }] }, ['items', 0, 'unitPrice']],
    ['7 decimals', { items: [{ name: 'x', unitPrice: '1.1234567' }] }, ['items', 0, 'unitPrice']],
    [
      'a line discount above the line',
      { items: [{ name: 'x', unitPrice: '5', discount: '6' }] },
      ['items', 0, 'discount'],
    ],
    ['more than an amount holds', { items: [{ name: 'x', quantity: '999999', unitPrice: '999999999' }] }, ['items']],
    [
      'a discount above the lines',
      { items: [sampleLine], discount: { type: 'AMOUNT', value: '101' } },
      ['discount', 'value'],
    ],
    ['101 per cent', { discount: { type: 'PERCENT', value: '101' } }, ['discount', 'value']],
    ['a line without name and product', { items: [{ quantity: '1' }] }, ['items', 0, 'name']],
  ])('VALIDATION_ERROR for %s', async (_what, body, path) => {
    const answer = await post('', body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect(answer.body.issues).toContainEqual(expect.objectContaining({ path }))
  })

  it.each(['XXX', 'ABC'])('INVALID_CURRENCY for %s', async (currency) => {
    expect(await post('', { currency })).toMatchObject({ status: 400, body: { code: 'INVALID_CURRENCY' } })
  })

  it('INVALID_REFERENCE names the field', async () => {
    const elsewhere = await api.newWorkspace()
    const product = await call(
      {
        method: 'POST',
        path: '/api/products',
        key: (await elsewhere.apiKey()).key,
        body: { name: 'Theirs', type: 'GOODS' },
      },
      elsewhere,
    )
    expect(product.status).toBe(201)
    for (const [body, field] of [
      [{ companyId: unknownId }, 'companyId'],
      [{ contactId: unknownId }, 'contactId'],
      [{ dealId: unknownId }, 'dealId'],
      [{ items: [sampleLine, { productId: product.body.data.id, name: 'x' }] }, 'items.1.productId'],
      [{ items: [{ ...sampleLine, taxRateId: unknownId }] }, 'items.0.taxRateId'],
      [{ items: [{ ...sampleLine, unitId: unknownId }] }, 'items.0.unitId'],
    ] as const)
      expect(await post('', body)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_REFERENCE', details: { field } },
      })
  })

  it.each(['sort=name:asc', 'sort=total', 'sort=total:up', 'limit=0', 'limit=x'])(
    'INVALID_QUERY_PARAM for %s',
    async (query) => {
      expect((await list(query)).body).toMatchObject({ code: 'INVALID_QUERY_PARAM' })
    },
  )
})

describe('issuing', () => {
  it('numbers without gaps under 50 at once, and fixes the invoice', async () => {
    const one = await api.newWorkspace()
    const { key: theirs } = await one.apiKey()
    const send = (path: string, body?: unknown) =>
      call({ method: 'POST', path: `/api/invoices${path}`, key: theirs, body }, one)
    const ids = await Promise.all(
      Array.from({ length: 50 }, async () => (await send('', { items: [sampleLine] })).body.data.id as string),
    )
    const issued = await Promise.all(ids.map((id) => send(`/${id}/issue`)))
    const year = new Date().getUTCFullYear()
    const numbers = issued.map(({ body }) => body.data.number as string).toSorted()
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, at) => `INV-${year}-${String(at + 1).padStart(5, '0')}`))
    const again = await Promise.all(ids.slice(0, 5).map((id) => send(`/${id}/issue`)))
    expect(again.map(({ body }) => body.code)).toEqual(Array.from({ length: 5 }, () => 'INVALID_TRANSITION'))
    const next = (await send('', { items: [sampleLine] })).body.data.id
    expect((await send(`/${next}/issue`)).body.data.number).toBe(`INV-${year}-00051`)
  })

  it('INVOICE_LOCKED for what is fixed, not for the rest; a draft can be deleted, an issued one not', async () => {
    const id = await issueInvoice(api, { issueDate: '1999-12-01' })
    for (const body of [
      { items: [] },
      { currency: 'USD' },
      { companyId: await createCompany(api) },
      { taxMode: 'NONE' },
    ])
      expect(await patch(id, body)).toMatchObject({ status: 409, body: { code: 'INVOICE_LOCKED' } })
    expect(
      (await patch(id, { notes: 'Later', dueDate: '2000-01-01', tags: ['late'], currency: 'EUR' })).body.data,
    ).toMatchObject({ notes: 'Later', isOverdue: true })
    expect(await call({ method: 'DELETE', path: `/api/invoices/${id}`, key })).toMatchObject({
      status: 409,
      body: { code: 'INVOICE_LOCKED' },
    })
    expect((await call({ method: 'DELETE', path: `/api/invoices/${await createInvoice(api)}`, key })).status).toBe(200)
    expect((await list('isOverdue=true')).body.items.map((row: { id: string }) => row.id)).toEqual([id])
    expect((await list('isOverdue=false&limit=100')).body.items.some((row: { id: string }) => row.id === id)).toBe(
      false,
    )
  })

  it('adds a draft up anew when its terms change', async () => {
    const id = await createInvoice(api)
    expect((await patch(id, { discount: { type: 'PERCENT', value: '25' } })).body.data).toMatchObject({
      subtotal: '100.00',
      discountTotal: '25.00',
      total: '75.00',
      version: 2,
    })
    expect((await patch(id, { items: [{ ...sampleLine, quantity: '1' }] })).body.data.total).toBe('37.50')
    expect(await patch(id, { notes: 'x', version: 1 })).toMatchObject({
      status: 409,
      body: { code: 'VERSION_CONFLICT' },
    })
  })

  it('draws tokens from the issue date, begins anew by period, and refuses used numbers', async () => {
    const one = await api.newWorkspace()
    const { key: theirs } = await one.apiKey()
    const send = (method: 'POST' | 'PATCH', path: string, body?: unknown) =>
      call({ method, path, key: theirs, body }, one)
    const { items } = (await call({ path: '/api/number-sequences?entityType=INVOICE', key: theirs }, one)).body
    expect(items).toMatchObject([
      { name: 'Invoices', pattern: 'INV-{YYYY}-{SEQ:5}', resetPeriod: 'YEAR', isDefault: true, nextValue: 1 },
    ])
    const sequence = (
      await send('POST', '/api/number-sequences', {
        entityType: 'INVOICE',
        name: 'Monthly',
        pattern: 'R{YY}{MM}-{SEQ:3}',
        resetPeriod: 'MONTH',
        isDefault: true,
      })
    ).body.data
    expect(sequence).toMatchObject({ isDefault: true, nextValue: 1 })
    const issue = async (issueDate: string) =>
      (
        await send(
          'POST',
          `/api/invoices/${(await send('POST', '/api/invoices', { issueDate, items: [sampleLine] })).body.data.id}/issue`,
        )
      ).body.data.number
    expect([
      await issue('2025-12-30'),
      await issue('2025-12-31'),
      await issue('2026-01-01'),
      await issue('2025-12-31'),
      await issue('2026-01-02'),
    ]).toEqual(['R2512-001', 'R2512-002', 'R2601-001', 'R2512-003', 'R2601-002'])
    const today = new Date().toISOString().slice(0, 10)
    await issue(today)
    expect(await send('PATCH', `/api/number-sequences/${sequence.id}`, { nextValue: 1 })).toMatchObject({
      status: 409,
      body: { code: 'NUMBER_IN_USE' },
    })
    expect((await send('PATCH', `/api/number-sequences/${sequence.id}`, { nextValue: 40 })).body.data.nextValue).toBe(
      40,
    )
    expect(await issue(today)).toMatch(/-040$/)
    for (const pattern of ['INV', '{SEQ}{SEQ}', '{SEQ:0}', '{X}-{SEQ}', '{YYYY:2}{SEQ}', '{SEQ']) {
      expect(
        await send('POST', '/api/number-sequences', { entityType: 'INVOICE', name: 'Bad', pattern }),
      ).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR', issues: [{ path: ['pattern'] }] } })
    }
    expect(
      (
        await send('POST', '/api/number-sequences', {
          entityType: 'INVOICE',
          name: 'No year',
          pattern: '{SEQ}',
          resetPeriod: 'YEAR',
        })
      ).status,
    ).toBe(400)
  })

  it('goes on above what it gave when the periods of a sequence change', async () => {
    const one = await api.newWorkspace()
    const { key: theirs } = await one.apiKey()
    const send = (method: 'POST' | 'PATCH', path: string, body?: unknown) =>
      call({ method, path, key: theirs, body }, one)
    const { id } = (
      await send('POST', '/api/number-sequences', {
        entityType: 'INVOICE',
        name: 'Own',
        pattern: '{YYYY}{MM}-{SEQ}',
        resetPeriod: 'YEAR',
        isDefault: true,
      })
    ).body.data
    const issue = async () =>
      (
        await send(
          'POST',
          `/api/invoices/${(await send('POST', '/api/invoices', { items: [sampleLine] })).body.data.id}/issue`,
        )
      ).body.data.number.split('-')[1]
    expect([await issue(), await issue()]).toEqual(['1', '2'])
    expect(await send('PATCH', `/api/number-sequences/${id}`, { resetPeriod: 'NEVER', nextValue: 2 })).toMatchObject({
      status: 409,
      body: { code: 'NUMBER_IN_USE' },
    })
    expect((await send('PATCH', `/api/number-sequences/${id}`, { resetPeriod: 'NEVER' })).body.data).toMatchObject({
      resetPeriod: 'NEVER',
      nextValue: 3,
    })
    expect(await issue()).toBe('3')
    expect((await send('PATCH', `/api/number-sequences/${id}`, { resetPeriod: 'MONTH' })).body.data.nextValue).toBe(4)
    expect(await issue()).toBe('4')
  })

  it('goes on with the oldest sequence when the default one is deleted, and makes one when there is none', async () => {
    const one = await api.newWorkspace()
    const { key: theirs } = await one.apiKey()
    const send = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) =>
      (await call({ method, path, key: theirs, body }, one)).body
    const issued = async () =>
      (
        await send(
          'POST',
          `/api/invoices/${(await send('POST', '/api/invoices', { items: [sampleLine], issueDate: '2026-01-02' })).data.id}/issue`,
        )
      ).data.number
    const { id } = (
      await send('POST', '/api/number-sequences', {
        entityType: 'INVOICE',
        name: 'Own',
        pattern: 'A{SEQ}',
        isDefault: true,
      })
    ).data
    await send('DELETE', `/api/number-sequences/${id}`)
    expect(await issued()).toBe('INV-2026-00001')
    for (const { id: each } of (await send('GET', '/api/number-sequences')).items)
      await send('DELETE', `/api/number-sequences/${each}`)
    expect(await issued()).toMatch(/^INV-2026-/)
  })

  it('consumes no number when it fails', async () => {
    const one = await api.newWorkspace()
    const { key: theirs } = await one.apiKey()
    const send = (path: string, body?: unknown, as = theirs) => call({ method: 'POST', path, key: as, body }, one)
    const make = async () => (await send('/api/invoices', { items: [sampleLine] })).body.data.id as string
    await send('/api/number-sequences', { entityType: 'INVOICE', name: 'One', pattern: 'A{SEQ}', isDefault: true })
    expect((await send(`/api/invoices/${await make()}/issue`)).body.data.number).toBe('A1')
    const two = (
      await send('/api/number-sequences', { entityType: 'INVOICE', name: 'Two', pattern: 'A{SEQ}', isDefault: true })
    ).body.data.id
    const refused = await make()
    expect(await send(`/api/invoices/${refused}/issue`)).toMatchObject({ status: 409, body: { code: 'NUMBER_IN_USE' } })
    expect((await call({ path: `/api/number-sequences/${two}`, key: theirs }, one)).body.data.nextValue).toBe(1)
    await call({ method: 'PATCH', path: `/api/number-sequences/${two}`, key: theirs, body: { nextValue: 2 } }, one)
    expect((await send(`/api/invoices/${refused}/issue`)).body.data.number).toBe('A2')
  })
})

describe('payments', () => {
  it('never exceed the balance, however many come at once', async () => {
    const id = await issueInvoice(api)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(`/${id}/payments`, { amount: '30', method: 'CARD' })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    for (const { body } of answers.filter(({ status }) => status !== 201))
      expect(body).toMatchObject({ code: 'PAYMENT_EXCEEDS_BALANCE' })
    expect(await get(id)).toMatchObject({ status: 'PARTIALLY_PAID', amountPaid: '90.00', amountDue: '10.00' })
    expect((await post(`/${id}/payments`, { amount: '10.01' })).body).toMatchObject({
      code: 'PAYMENT_EXCEEDS_BALANCE',
      details: { amountDue: '10.00' },
    })
    expect((await post(`/${id}/payments`, { amount: '10' })).body.data).toMatchObject({
      amount: '10.00',
      invoice: { status: 'PAID', amountDue: '0.00' },
    })
    expect((await call({ path: `/api/invoices/${id}/payments`, key })).body).toMatchObject({
      total: 4,
      items: [{ amount: '30.00', method: 'CARD' }, {}, {}, {}],
    })
    expect(await history(id)).toEqual(
      expect.arrayContaining(['CREATED', 'INVOICE_ISSUED', 'PAYMENT_RECORDED', 'STATUS_CHANGED']),
    )
  })

  it('are reversed once, and the status follows', async () => {
    const { id, paymentId } = await payInvoice(api, '100')
    expect((await get(id)).status).toBe('PAID')
    expect((await post(`/${id}/void`)).body).toMatchObject({ code: 'INVALID_TRANSITION' })
    const answers = await Promise.all(
      [1, 2, 3].map(() => post(`/${id}/payments/${paymentId}/reverse`, { reason: 'Bounced' })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('PAYMENT_ALREADY_REVERSED')
    expect(await get(id)).toMatchObject({ status: 'ISSUED', amountPaid: '0.00', paidAt: null })
    expect((await post(`/${id}/payments/${unknownId}/reverse`)).status).toBe(404)
    expect((await post(`/${id}/void`)).body.data).toMatchObject({ status: 'VOID', amountDue: '0.00' })
    expect((await post(`/${id}/payments`, { amount: '1' })).body.code).toBe('INVALID_TRANSITION')
  })

  it.each([[{ amount: '0' }], [{ amount: '-1' }], [{ amount: '0.001' }], [{ amount: '1', method: 'BARTER' }]])(
    '400 for %j',
    async (body) => {
      expect((await post(`/${await issueInvoice(api)}/payments`, body)).status).toBe(400)
    },
  )

  it('are refused for a draft; an unpaid invoice can be given up', async () => {
    expect((await post(`/${await createInvoice(api)}/payments`, { amount: '1' })).body.code).toBe('INVALID_TRANSITION')
    const id = await issueInvoice(api)
    expect((await post(`/${id}/uncollectible`)).body.data.status).toBe('UNCOLLECTIBLE')
    expect((await post(`/${id}/uncollectible`)).body.code).toBe('INVALID_TRANSITION')
    expect((await post(`/${id}/send`, { to: ['a@example.com'] })).body.code).toBe('INVALID_TRANSITION')
  })
})

describe('the list', () => {
  it('goes by limit and sort, and tells no count of pages', async () => {
    const one = await api.newWorkspace()
    const { key: theirs } = await one.apiKey()
    for (const unitPrice of ['5', '7', '6'])
      await call(
        { method: 'POST', path: '/api/invoices', key: theirs, body: { items: [{ name: 'x', unitPrice }] } },
        one,
      )
    const ask = async (query: string) => (await call({ path: `/api/invoices?${query}`, key: theirs }, one)).body
    const body = await ask('limit=2&sort=total:desc')
    expect(body).toMatchObject({ total: 3, page: 1, pageSize: 2, items: [{ total: '7.00' }, { total: '6.00' }] })
    expect(Object.keys(body).toSorted()).toEqual(['items', 'page', 'pageSize', 'total'])
    expect((await ask('limit=2&page=2&sort=total:desc')).items).toMatchObject([{ total: '5.00' }])
    expect((await ask('limit=500')).pageSize).toBe(100)
    expect((await ask('')).pageSize).toBe(50)
    expect((await ask('status=ISSUED')).total).toBe(0)
    expect((await ask('totalMin=6&totalMax=6.5')).items).toMatchObject([{ total: '6.00' }])
  })

  it('tells what is overdue, and never of what asks for nothing', async () => {
    const one = await api.newWorkspace()
    const { key: theirs } = await one.apiKey()
    const send = async (path: string, body?: object) =>
      (await call({ method: 'POST', path: `/api/invoices${path}`, key: theirs, body }, one)).body.data
    for (const unitPrice of ['5', '0'])
      await send(
        `/${(await send('', { issueDate: '2020-01-01', dueDate: '2020-01-31', items: [{ name: 'x', unitPrice }] })).id}/issue`,
      )
    const ask = async (query: string) => (await call({ path: `/api/invoices?${query}`, key: theirs }, one)).body.items
    expect(await ask('isOverdue=true')).toMatchObject([{ total: '5.00', isOverdue: true }])
    expect(await ask('isOverdue=false')).toMatchObject([{ total: '0.00', isOverdue: false }])
  })
})

describe('on paper', () => {
  it('is a PDF', async () => {
    const id = await issueInvoice(api, { notes: 'Danke, спасибо, ありがとう' })
    const answer = await api.app.inject({
      url: `/api/invoices/${id}/pdf`,
      headers: { host: workspace.host, authorization: `Bearer ${key}` },
    })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({ 'content-type': 'application/pdf', 'x-content-type-options': 'nosniff' })
    expect(answer.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
  })

  it('is mailed once it is issued', async () => {
    const id = await createInvoice(api)
    const { body } = await post(`/${id}/send`, {
      to: ['buyer@example.com', 'second@example.com'],
      cc: ['boss@example.com'],
      subject: 'Your invoice',
      message: 'Hello',
    })
    expect(body.data).toMatchObject({ status: 'ISSUED', number: expect.any(String), sentAt: expect.any(String) })
    await settled()
    const mail = mails.find(({ to }) => to.address === 'buyer@example.com')
    expect(mail).toMatchObject({
      subject: 'Your invoice',
      text: 'Hello\n',
      alsoTo: [{ address: 'second@example.com' }],
      cc: [{ address: 'boss@example.com' }],
      attachments: [{ filename: `Invoice-${body.data.number}.pdf`, contentType: 'application/pdf' }],
    })
    expect(
      Buffer.from(mail?.attachments?.[0]?.content ?? [])
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
    expect(await history(id)).toEqual(expect.arrayContaining(['INVOICE_ISSUED', 'INVOICE_SENT']))
  })
})

describe('the public page', () => {
  const open = (url: string, host = workspace.host) => api.app.inject({ url: new URL(url).pathname, headers: { host } })
  const link = async (id: string, body?: unknown) => (await post(`/${id}/payment-link`, body)).body.data

  it('shows the invoice without script, cookie or credential', async () => {
    const id = await issueInvoice(api, { items: [{ name: '<script>alert(1)</script>', unitPrice: '12.5' }] })
    const { url, token, expiresAt } = await link(id)
    expect({ url, expiresAt }).toEqual({ url: `http://${workspace.host}/pay/${token}`, expiresAt: null })
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    const page = await open(url)
    expect(page.statusCode).toBe(200)
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining("default-src 'none'; style-src 'sha256-"),
    })
    expect(page.headers['set-cookie']).toBeUndefined()
    expect(page.body).toContain((await get(id)).number)
    expect(page.body).toContain('&lt;script&gt;')
    expect(page.body).not.toContain('<script')
    expect((await open(`${url}/pdf`)).headers['content-type']).toBe('application/pdf')
    expect((await get(id)).paymentLinkUrl).toBe(url)
  })

  it('is asked for 120 times a minute from one site; the 121st is 429 with Retry-After', async () => {
    const from = (n: number) =>
      api.app.inject({
        url: '/pay/never-was',
        remoteAddress: `2001:db8:7:7::${n.toString(16)}`,
        headers: { host: workspace.host },
      })
    for (let n = 1; n <= 120; n += 1) expect((await from(n)).statusCode).toBe(404)
    expect(await from(121)).toMatchObject({ statusCode: 429, headers: { 'retry-after': '60' } })
    expect((await open('http://x/pay/never-was')).statusCode).toBe(404)
  })

  it('asks who wants its PDF to come again when too many do at once, and gives it to the others', async () => {
    const { url } = await link(await issueInvoice(api))
    const answers = await Promise.all(Array.from({ length: 30 }, () => open(`${url}/pdf`)))
    const [made, refused] = [
      answers.filter(({ statusCode }) => statusCode === 200),
      answers.filter(({ statusCode }) => statusCode === 503),
    ]
    expect(made.length + refused.length).toBe(30)
    expect(made.length).toBeGreaterThan(0)
    expect(refused.length).toBeGreaterThan(0)
    for (const { headers, body } of refused)
      expect({ retryAfter: headers['retry-after'], body: JSON.parse(body) }).toEqual({
        retryAfter: '10',
        body: { error: 'The PDF cannot be made now; please try again', code: 'SERVICE_UNAVAILABLE' },
      })
    expect((await open(`${url}/pdf`)).statusCode).toBe(200)
  })

  it('closes with another one, with its time, with voiding, and opens nowhere else', async () => {
    const id = await issueInvoice(api)
    const first = await link(id)
    const second = await link(id, { expiresAt: new Date(api.clock.now().getTime() + 60_000).toISOString() })
    expect((await open(first.url)).statusCode).toBe(404)
    expect((await open(second.url, (await api.newWorkspace()).host)).statusCode).toBe(404)
    expect((await open(second.url)).statusCode).toBe(200)
    const past = await link(id, { expiresAt: '2020-01-01T00:00:00Z' })
    expect((await open(past.url)).statusCode).toBe(404)
    const last = await link(id)
    await post(`/${id}/void`)
    expect((await open(last.url)).statusCode).toBe(404)
    expect((await get(id)).paymentLinkUrl).toBeNull()
    expect((await post(`/${await createInvoice(api)}/payment-link`)).body.code).toBe('INVALID_TRANSITION')
  })

  it('is closed by whoever may change the invoice, and then answers like one that never was', async () => {
    const cookie = await workspace.session()
    const id = await issueInvoice(api)
    const path = `/api/settings/invoices/${id}/payment-link`
    const shown = async () => (await call({ path, cookie })).body.data
    expect(await shown()).toBeNull()
    const { url } = await link(id)
    expect(await shown()).toMatchObject({ url, expiresAt: null, createdAt: expect.any(String) })
    const { statusCode, body, headers } = await open(new URL('/pay/never-was', url).href)
    expect(await call({ method: 'DELETE', path, cookie })).toMatchObject({ status: 200, body: { data: { id } } })
    const closed = await open(url)
    expect({
      statusCode: closed.statusCode,
      body: closed.body,
      policy: closed.headers['content-security-policy'],
    }).toEqual({ statusCode, body, policy: headers['content-security-policy'] })
    expect(statusCode).toBe(404)
    expect((await open(`${url}/pdf`)).statusCode).toBe(404)
    expect((await get(id)).paymentLinkUrl).toBeNull()
    expect(await shown()).toBeNull()
    expect((await call({ method: 'DELETE', path, cookie })).status).toBe(200)
    expect((await open((await link(id)).url)).statusCode).toBe(200)
  })

  it('can be closed though the invoice was given up, but not by a reader, an API key or another workspace', async () => {
    const id = await issueInvoice(api)
    const { url } = await link(id)
    await post(`/${id}/uncollectible`)
    const path = `/api/settings/invoices/${id}/payment-link`
    const reader = await workspace.session((await workspace.employee({ roles: ['Read only'] })).id)
    expect(await call({ method: 'DELETE', path, cookie: reader })).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_DENIED' },
    })
    expect(await call({ method: 'DELETE', path, key })).toMatchObject({ status: 403, body: { code: 'ACCESS_DENIED' } })
    const other = await api.newWorkspace()
    expect((await call({ method: 'DELETE', path, cookie: await other.session() }, other)).status).toBe(404)
    expect((await open(url)).statusCode).toBe(200)
    expect((await call({ method: 'DELETE', path, cookie: await workspace.session() })).status).toBe(200)
    expect((await open(url)).statusCode).toBe(404)
  })
})
