import { expect, it } from 'vitest'
import { countedAddress, hidesClients } from './counted-address.ts'

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:DB8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('counts %s as %s', (address, counted) => expect(countedAddress(address)).toBe(counted))

it('knows a proxy that nobody trusts, by the edge or by the header that was not believed', () => {
  const headers = { 'x-forwarded-for': '192.0.2.7' }
  expect(hidesClients({ headers, ips: ['127.0.0.1', '192.0.2.7'] })).toBe(false)
  expect(hidesClients({ headers: { 'x-forwarded-for': '127.0.0.1' }, ips: ['127.0.0.1', '127.0.0.1'] })).toBe(false)
  expect(hidesClients({ headers: {}, ips: ['127.0.0.1'] })).toBe(false)
  expect(hidesClients({ headers, ips: ['127.0.0.1'] })).toBe(true)
  expect(hidesClients({ headers })).toBe(true)
  expect(hidesClients({ headers: { ...headers, 'x-forwarded-untrusted': '1' }, ips: ['127.0.0.1', '192.0.2.7'] })).toBe(true)
})
