import { describe, expect, it } from 'vitest'
import { isAllowedAddress, parseCidrs, readCidr } from './address.ts'
import { checkOutbound } from './index.ts'

const refusedAddresses = [
  // IPv4: this network, loopback, private, shared, link-local
  '0.0.0.0',
  '0.1.2.3',
  '127.0.0.1',
  '127.255.255.254',
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '169.254.0.1',
  '169.254.255.255',
  // IPv4: metadata and platform services
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '169.254.42.42',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '161.26.0.10',
  '166.9.48.1',
  // IPv4: protocol, documentation, benchmark, relay, multicast, reserved, broadcast
  '192.0.0.1',
  '192.0.0.170',
  '192.0.2.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.1',
  '192.175.48.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  // IPv6: unspecified, loopback, IPv4 inside
  '::',
  '::1',
  '::127.0.0.1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:a9fe:a9fe',
  '::ffff:0:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '2001::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  // IPv6: local, site, link, multicast, discard
  'fc00::1',
  'fd00::1',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fd00:42::42',
  'fdff:ffff::1',
  'fe80::1',
  'febf::1',
  'fec0::1',
  'ff00::1',
  'ff02::1',
  'ff0e::1',
  '100::1',
  // IPv6: documentation, benchmark, identifiers, reserved by the registries, not yet given out
  '2001:db8::1',
  '3fff::1',
  '3fff:fff::1',
  '2001:2::1',
  '2001:3::1',
  '2001:4:112::1',
  '2620:4f:8000::1',
  '2001:10::1',
  '2001:20::1',
  '2001:30::1',
  '2001:1ff::1',
  '5f00::1',
  '4000::1',
  '8000::1',
  '1fff::1',
  'e000::1',
  // zones, and texts that are no address
  'fe80::1%eth0',
  '2606:4700::1111%1',
  '::1%lo',
  '',
  'localhost',
  '127.1',
  '0x7f.0.0.1',
  '017700000001',
  '2130706433',
  '1.2.3',
  '1.2.3.4.5',
  '256.1.1.1',
  ' 8.8.8.8',
  '[::1]',
]

const publicAddresses = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.1',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '203.0.112.255',
  '203.0.114.0',
  '223.255.255.255',
  '168.63.129.15',
  '166.12.0.0',
  '2606:4700:4700::1111',
  '2a00:1450:4001:80b::200e',
  '2001:4860:4860::8888',
  '2001:200::1',
  '2001:67c::1',
  '2003::1',
  '2400:cb00::1',
  '2600::',
  '2c0f:fb50::1',
  '3ffe::1',
]

describe('isAllowedAddress', () => {
  it.each(refusedAddresses)('refuses %j', (address) => expect(isAllowedAddress(address, [])).toBe(false))
  it.each(publicAddresses)('lets requests go to %s', (address) => expect(isAllowedAddress(address, [])).toBe(true))

  it('lets the operator open blocks, and only those', () => {
    const allowed = ['10.1.0.0/16', '127.0.0.1', 'fd12::/16'].map(readCidr)
    for (const address of ['10.1.0.0', '10.1.255.255', '127.0.0.1', 'fd12:3::4', '8.8.8.8'])
      expect(isAllowedAddress(address, allowed), address).toBe(true)
    for (const address of ['10.2.0.0', '127.0.0.2', 'fd13::1', '::1'])
      expect(isAllowedAddress(address, allowed), address).toBe(false)
  })

  it.each([
    '169.254.169.254',
    '169.254.170.2',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd20:ce::254',
    'fe80::1',
    '::ffff:169.254.169.254',
    '::ffff:10.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::',
    '::169.254.169.254',
  ])('never opens %s, whatever the operator allows', (address) =>
    expect(isAllowedAddress(address, ['0.0.0.0/0', '::/0', '169.254.169.254/32'].map(readCidr))).toBe(false),
  )
})

describe('parseCidrs', () => {
  it('reads blocks and single addresses, separated by commas or spaces', () => {
    expect(parseCidrs('')).toEqual([])
    expect(parseCidrs(' 10.0.0.0/8,192.168.1.7 \n fd00::/8,')).toEqual(['10.0.0.0/8', '192.168.1.7', 'fd00::/8'])
  })
  it.each([
    '10.0.0.0/33',
    '10.0.0/8',
    'fd00::/129',
    'example.com',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    'fe80::1%eth0/64',
    '0x0a.0.0.0/8',
  ])('refuses %j by name', (text) => {
    expect(() => parseCidrs(`10.0.0.0/8,${text}`)).toThrow(text)
  })
})

const refusedUrls = [
  // the same machines in other spellings
  'http://127.0.0.1/',
  'http://127.1/',
  'http://127.0.1/',
  'http://0x7f.1/',
  'http://0x7f000001/',
  'http://017700000001/',
  'http://2130706433/',
  'http://0/',
  'http://0.0.0.0:80/',
  'http://127.0.0.1./',
  'http://１２７.０.０.１/',
  'http://①②⑦.0.0.1/',
  'http://127。0。0。1/',
  'http://%31%32%37.0.0.1/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::]/',
  'http://[fe80::1]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://0xa9fea9fe/',
  'http://2852039166/',
  'http://[fd00:ec2::254]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  // names of machines and of homes
  'http://localhost/',
  'http://LOCALHOST./',
  'http://a.localhost/',
  'http://printer/',
  'http://printer./',
  'http://nas.local/',
  'http://metadata.google.internal/',
  'http://router.lan/',
  'http://x.home.arpa/',
  'http://x.localdomain/',
  'http://abc.onion/',
  'http://a.test/',
  'http://a.invalid/',
  'http://a..b/',
  'http://.example.com/',
  `http://${'a'.repeat(64)}.com/`,
  // not the web, or not an address
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'javascript:alert(1)',
  'data:text/plain,x',
  'ws://example.com/',
  'example.com',
  '//example.com/',
  '',
  'http://',
  'http:///',
  'http://[::1',
  'http://a b.com/',
  'http://example.com:99999/',
  'http://user@example.com/',
  'http://user:pass@example.com/',
  'http://:pass@example.com/',
  'https://example.com@127.0.0.1/',
  'http://[fe80::1%25eth0]/',
  `https://example.com/${'x'.repeat(2048)}`,
]

const goodUrls = [
  'https://example.com',
  'https://example.com/path?x=1#part',
  'http://example.com:8080/',
  'https://example.com./',
  'https://hooks.slack.com/services/T/B/x',
  'https://münchen.example.com/',
  'https://xn--mnchen-3ya.de/',
  'https://1.1.1.1/',
  'https://[2606:4700:4700::1111]/',
  'https://localhost.example.com/',
  'https://local.com/',
  'https://mylan.com/',
  'https://internal-tools.example.com/',
  'https://example.com/?next=http://127.0.0.1/',
  'https://example.com/@127.0.0.1',
  'HTTPS://EXAMPLE.COM/',
  'https://a_b.example.com/',
  'https://test.com/',
]

describe('checkOutbound', () => {
  it.each(refusedUrls)('refuses the URL %j', (url) => {
    expect(checkOutbound({ url, method: 'POST' })).toEqual([{ path: ['url'], message: expect.any(String) as string }])
  })
  it.each(goodUrls)('accepts the URL %s', (url) => expect(checkOutbound({ url, method: 'POST' })).toEqual([]))

  it('accepts an address in a block that the operator opened', () => {
    expect(checkOutbound({ url: 'http://10.0.0.7/', method: 'GET' }, { allowCidrs: ['10.0.0.0/8'] })).toEqual([])
  })
  it.each(['POST', 'PUT', 'PATCH', 'GET', 'DELETE'])('accepts %s', (method) =>
    expect(checkOutbound({ url: 'https://example.com', method })).toEqual([]),
  )
  it.each(['get', 'HEAD', 'OPTIONS', 'CONNECT', 'TRACE', '', 'POST '])('refuses the method %j', (method) => {
    expect(checkOutbound({ url: 'https://example.com', method })[0]!.path).toEqual(['method'])
  })
  it.each([
    'Host',
    'CONNECTION',
    'Content-Length',
    'transfer-encoding',
    'TE',
    'Trailer',
    'Upgrade',
    'Expect',
    'Proxy-Authorization',
    'proxy-anything',
    'Keep-Alive',
    '',
    'a b',
    'a:b',
    'a\r\nb',
    'ä',
  ])('refuses the header %j', (name) => {
    expect(checkOutbound({ url: 'https://example.com', method: 'POST', headers: { [name]: 'x' } })).toEqual([
      { path: ['headers', name], message: expect.any(String) as string },
    ])
  })
  it.each(['a\r\nb: c', 'a\nb', 'a\rb', 'a\0b', '€', '\u007f'])('refuses the header value %j', (value) => {
    expect(checkOutbound({ url: 'https://example.com', method: 'POST', headers: { 'x-a': value } })).toHaveLength(1)
  })
  it('lists every problem', () => {
    expect(
      checkOutbound({ url: 'x', method: 'y', headers: { Host: 'z', 'X-Good': 'tab\tand é', __proto__x: '' } }).map(
        ({ path }) => path.join('.'),
      ),
    ).toEqual(['url', 'method', 'headers.Host'])
  })
})
