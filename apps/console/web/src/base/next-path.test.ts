import { expect, it } from 'vitest'
import { isConsolePath, safeNextPath } from './next-path.ts'

const origin = 'https://crm.example.org'

it.each(['/leads?page=2#top', '/', '/settings/profile', '/api/oauth-mcp/authorize?client_id=1'])(
  'goes back to %s',
  (next) => {
    expect(safeNextPath(next, origin)).toBe(next)
  },
)

it.each([
  undefined,
  '',
  'leads',
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/.//evil.example',
  'javascript:alert(1)',
  '/login',
  '/login?next=/login',
  '/sign-in?next=/leads',
  '/invite',
  '/reset',
  '\\\\evil.example',
])('starts at the beginning instead of %s', (next) => {
  expect(safeNextPath(next, origin)).toBe('/')
})

it('knows its own pages', () => {
  expect(['/leads', '/', '/apis', '/bookings'].every(isConsolePath)).toBe(true)
  expect(['/api/oauth-mcp/authorize?x=1', '/book/intro', '/call/t', '/api'].some(isConsolePath)).toBe(false)
})
