import { expect, it } from 'vitest'
import { apiUnderTest } from '../../../test/harness.ts'

const api = await apiUnderTest()
const addresses = (n: number) => Array.from({ length: n }, (_, at) => `somebody${at}@example.com`)

async function sender(workspace = api.workspace) {
  const { id } = await workspace.employee({ roles: ['Administrator'] })
  const { key } = await workspace.apiKey({ ownerId: id })
  const post = (path: string, body: unknown) =>
    api.call({ method: 'POST', path: `/api/invoices${path}`, key, body }, workspace)
  const item = { name: 'Work', quantity: '1', unitPrice: '10.00' }
  const { id: invoiceId } = (await post('', { items: [item] })).body.data
  await post(`/${invoiceId}/issue`, {})
  return { send: (to: readonly string[], cc: readonly string[] = []) => post(`/${invoiceId}/send`, { to, cc }) }
}

it('invoice mails are limited for each sender: 429 with Retry-After, and nothing is sent', async () => {
  const { send } = await sender()
  for (let n = 0; n < 5; n += 1) expect((await send(addresses(15), addresses(5))).status).toBe(200)
  const limited = await send(['one-more@example.com'])
  expect(limited).toMatchObject({
    status: 429,
    body: { code: 'RATE_LIMITED' },
    headers: { 'retry-after': expect.stringMatching(/^[1-9]\d*$/) },
  })
  expect((await (await sender()).send(['one@example.com'])).status).toBe(200)
})

it('invoice mails are limited for each workspace', async () => {
  const workspace = await api.newWorkspace()
  for (let people = 0; people < 10; people += 1) {
    const { send } = await sender(workspace)
    for (let n = 0; n < 5; n += 1) expect((await send(addresses(20))).status).toBe(200)
  }
  expect(await (await sender(workspace)).send(['one@example.com'])).toMatchObject({
    status: 429,
    body: { code: 'RATE_LIMITED' },
  })
  expect((await (await sender(await api.newWorkspace())).send(['one@example.com'])).status).toBe(200)
})
