import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { edgeFiles, edgeFor, edgeKinds, readUpstreams } from './generate.ts'

it.each(edgeKinds)('the checked-in %s edge is fresh (npm run edges)', (kind) => {
  expect(readFileSync(new URL(`../${edgeFiles[kind]}`, import.meta.url), 'utf8')).toBe(edgeFor(kind))
})

it('takes several addresses of a deployable, and says what is wrong with others', () => {
  const upstreams = readUpstreams('booking=10.0.0.5:3000, booking=[::1]:3001,crm-api=api.example:3000')
  expect(upstreams).toEqual({ booking: ['10.0.0.5:3000', '[::1]:3001'], 'crm-api': ['api.example:3000'] })
  expect(edgeFor('nginx', { upstreams })).toContain(
    '  server 10.0.0.5:3000 max_fails=1 fail_timeout=2s;\n  server [::1]:3001',
  )
  expect(() => readUpstreams('booking')).toThrow('NAME=HOST:PORT')
  expect(() => readUpstreams('bookings=a:1')).toThrow('There is no bookings')
})
