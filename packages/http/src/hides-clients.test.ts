import { expect, it } from 'vitest'
import { hidesClients } from './hides-clients.ts'

it('knows a proxy that nobody trusts, by the edge or by the header that was not believed', () => {
  const headers = { 'x-forwarded-for': '192.0.2.7' }
  expect(hidesClients({ headers, ips: ['127.0.0.1', '192.0.2.7'] })).toBe(false)
  expect(hidesClients({ headers: { 'x-forwarded-for': '127.0.0.1' }, ips: ['127.0.0.1', '127.0.0.1'] })).toBe(false)
  expect(hidesClients({ headers: {}, ips: ['127.0.0.1'] })).toBe(false)
  expect(hidesClients({ headers, ips: ['127.0.0.1'] })).toBe(true)
  expect(hidesClients({ headers })).toBe(true)
  expect(hidesClients({ headers: { ...headers, 'x-forwarded-untrusted': '1' }, ips: ['127.0.0.1', '192.0.2.7'] })).toBe(
    true,
  )
})
