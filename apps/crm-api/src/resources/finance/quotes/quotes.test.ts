import { describe, expect, it } from 'vitest'
import { ownApi } from '../../../../test/harness.ts'
import { jobsUnderTest } from '../../../../test/jobs.ts'
import { createOrder, createQuote } from '../../../../test/samples.ts'

const api = await ownApi()
const { call, key, workspace } = api
const { mails, settled } = await jobsUnderTest(api)
const send = (method: 'POST' | 'PATCH' | 'GET', path: string, body?: unknown, as = key) =>
  call({ method, path, key: as, body })
const quote = (id: string, verb: string, body?: unknown) => send('POST', `/api/quotes/${id}/${verb}`, body)
const order = (id: string, verb: string, body?: unknown) => send('POST', `/api/orders/${id}/${verb}`, body)
const history = async (entityType: string, id: string) =>
  (await send('GET', `/api/crm/timeline?entityType=${entityType}&entityId=${id}`)).body.items.map(
    ({ kind }: { kind: string }) => kind,
  )

describe('quotes', () => {
  it('are sent, accepted and made into an invoice', async () => {
    const id = await createQuote(api, { discount: { type: 'PERCENT', value: '10' } })
    expect((await quote(id, 'accept')).body.code).toBe('INVALID_TRANSITION')
    const sent = (await quote(id, 'send', { to: ['buyer@example.com'] })).body.data
    expect(sent).toMatchObject({ status: 'SENT', number: expect.stringMatching(/^QUO-\d{4}-00001$/) })
    await settled()
    expect(mails).toMatchObject([
      { to: { address: 'buyer@example.com' }, attachments: [{ contentType: 'application/pdf' }] },
    ])
    expect(await send('PATCH', `/api/quotes/${id}`, { items: [] })).toMatchObject({
      status: 409,
      body: { code: 'INVALID_TRANSITION' },
    })
    expect((await quote(id, 'convert', { target: 'INVOICE' })).body.code).toBe('INVALID_TRANSITION')
    expect((await quote(id, 'accept')).body.data).toMatchObject({ status: 'ACCEPTED', decidedAt: expect.any(String) })
    const { data } = (await quote(id, 'convert', { target: 'INVOICE' })).body
    expect(data).toMatchObject({
      target: 'INVOICE',
      quote: { status: 'CONVERTED', convertedType: 'INVOICE', convertedId: data.id },
    })
    expect((await send('GET', `/api/invoices/${data.id}`)).body.data).toMatchObject({
      status: 'DRAFT',
      quoteId: id,
      total: '90.00',
      number: null,
    })
    expect((await quote(id, 'convert', { target: 'INVOICE' })).body.code).toBe('INVALID_TRANSITION')
    expect(await history('QUOTE', id)).toEqual(expect.arrayContaining(['QUOTE_SENT', 'QUOTE_ACCEPTED', 'CONVERTED']))
  })

  it('expire once their time is over', async () => {
    const day = new Date(api.clock.now().getTime() - 86_400_000 * 2).toISOString().slice(0, 10)
    const id = await createQuote(api)
    await quote(id, 'send')
    await send('PATCH', `/api/quotes/${id}`, { expiresAt: day })
    expect((await send('GET', `/api/quotes/${id}`)).body.data).toMatchObject({
      status: 'EXPIRED',
      expiresAt: `${day}T23:59:59.999Z`,
    })
    expect((await send('GET', '/api/quotes?status=EXPIRED')).body.items.map((row: { id: string }) => row.id)).toEqual([
      id,
    ])
    expect((await send('GET', '/api/quotes?status=SENT')).body.items.some((row: { id: string }) => row.id === id)).toBe(
      false,
    )
    expect((await quote(id, 'accept')).body.code).toBe('INVALID_TRANSITION')
    await send('PATCH', `/api/quotes/${id}`, { expiresAt: null })
    expect((await quote(id, 'decline', { reason: 'Too dear' })).body.data.status).toBe('DECLINED')
    const list = (await send('GET', '/api/quotes?limit=1&sort=total:asc')).body
    expect(Object.keys(list).toSorted()).toEqual(['items', 'page', 'pageSize', 'total'])
  })

  it('become only what the caller may create', async () => {
    const id = await createQuote(api)
    await quote(id, 'send')
    await quote(id, 'accept')
    const { key: narrow } = await workspace.apiKey({ scopes: ['VIEW_QUOTE', 'UPDATE_QUOTE'] })
    expect(await send('POST', `/api/quotes/${id}/convert`, { target: 'ORDER' }, narrow)).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_DENIED' },
    })
    const { data } = (await quote(id, 'convert', { target: 'ORDER' })).body
    expect((await send('GET', `/api/orders/${data.id}`)).body.data).toMatchObject({ status: 'DRAFT', quoteId: id })
  })
})

describe('orders', () => {
  it('are confirmed, fulfilled and invoiced', async () => {
    const id = await createOrder(api)
    expect((await order(id, 'invoice')).body.code).toBe('INVALID_TRANSITION')
    expect((await order(id, 'confirm')).body.data).toMatchObject({
      status: 'CONFIRMED',
      number: expect.stringMatching(/^ORD-/),
    })
    expect((await order(id, 'confirm')).body.code).toBe('INVALID_TRANSITION')
    const { data } = (await order(id, 'invoice')).body
    expect(data.order).toMatchObject({ status: 'CONFIRMED', invoiceId: data.invoiceId })
    expect((await send('GET', `/api/invoices/${data.invoiceId}`)).body.data).toMatchObject({
      orderId: id,
      total: '100.00',
    })
    expect((await order(id, 'fulfil')).body.data.status).toBe('FULFILLED')
    expect((await order(id, 'cancel')).body.code).toBe('INVALID_TRANSITION')
    expect((await order(await createOrder(api), 'cancel')).body.data.status).toBe('CANCELLED')
    expect((await send('GET', '/api/orders?status=FULFILLED&sortBy=total')).body).toMatchObject({
      total: 1,
      pageCount: 1,
    })
  })
})
