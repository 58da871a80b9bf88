import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDns } from '../test/dns-server.ts'
import { judgeAddress, createEgress, DELIVERY_ERRORS, dnsResolver } from './index.ts'

const google6 = [0x20, 0x01, 0x48, 0x60, 0x48, 0x60, 0, 0, 0, 0, 0, 0, 0, 0, 0x88, 0x88]
const loopback6 = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]

let dns: Awaited<ReturnType<typeof startDns>>
beforeAll(async () => {
  dns = await startDns({
    'both.example.com': {
      A: [
        [8, 8, 8, 8],
        [1, 1, 1, 1],
      ],
      AAAA: [google6],
    },
    'four.example.com': { A: [[8, 8, 8, 8]] },
    'six.example.com': { AAAA: [google6] },
    'half.example.com': { A: [[8, 8, 8, 8]], AAAA: [loopback6] },
    'inside.example.com': { A: [[10, 0, 0, 1]] },
    'silent.example.com': 'silence',
  })
})
afterAll(() => dns.close())

describe('dnsResolver', () => {
  it.each([
    ['both.example.com', ['8.8.8.8', '1.1.1.1', '2001:4860:4860::8888']],
    ['four.example.com', ['8.8.8.8']],
    ['six.example.com', ['2001:4860:4860::8888']],
    ['four.example.com.', ['8.8.8.8']],
    ['none.example.com', []],
  ])('asks for both kinds of addresses of %s', async (name, addresses) => {
    const found = await dnsResolver([dns.server])(name, AbortSignal.timeout(5_000))
    expect(found.toSorted()).toEqual(addresses.toSorted())
  })
  it('does not read the hosts file', async () => {
    expect(await dnsResolver([dns.server])('localhost', AbortSignal.timeout(5_000))).toEqual([])
  })
  it('stops when it is told to', async () => {
    const ask = (signal: AbortSignal) => dnsResolver([dns.server])('silent.example.com', signal)
    const told = new AbortController()
    const patient = ask(new AbortController().signal).then(() => 'gave up by itself')
    const stopped = ask(told.signal)
    told.abort()
    expect(await Promise.race([stopped, patient])).toEqual([])
    await patient
  })
})

describe('an address that DNS gave', () => {
  it.each([
    ['both', true],
    ['four', true],
    ['six', true],
    ['half', false],
    ['inside', false],
    ['none', false],
  ])('of %s.example.com is accepted: %s', async (name, isGood) => {
    const judgement = await judgeAddress(`https://${name}.example.com/`, { resolver: dnsResolver([dns.server]) })
    expect(judgement === 'good').toBe(isGood)
  })
  it('is waited for no longer than a delivery may last', async () => {
    const egress = createEgress({ resolver: dnsResolver([dns.server]), timeoutMs: 150 })
    const delivered = await egress.send({ url: 'https://silent.example.com/', method: 'GET' })
    await egress.close()
    expect(delivered).toMatchObject({ ok: false, status: null, error: DELIVERY_ERRORS.timedOut })
  })
})
