import { describe, expect, it } from 'vitest'
import { destinationOf, isRegistered, withParameters } from './redirect-uris.ts'

describe('isRegistered', () => {
  it.each([
    ['https://a.example/cb', 'https://a.example/cb', true],
    ['https://a.example/cb', 'https://a.example:8443/cb', false],
    ['https://a.example/cb', 'https://A.example/cb', false],
    ['http://localhost/cb', 'http://127.0.0.1:1234/cb', true],
    ['http://127.0.0.1:1/cb', 'http://[::1]:2/cb', true],
    ['http://localhost:1', 'http://localhost:2/', true],
    ['http://localhost/cb', 'http://localhost:1/cb?more', false],
    ['http://localhost/cb', 'http://localhost:1/CB', false],
    ['http://localhost/cb', 'http://localhost.evil.example:1/cb', false],
    ['http://localhost/cb', 'https://localhost:1/cb', false],
    ['http://localhost/cb', 'http://localhost:1/x/../cb', true],
    ['cursor://a/cb', 'cursor://b/cb', false],
  ])('%s registered, %s asked: %s', (registered, asked, expected) =>
    expect(isRegistered([registered], asked)).toBe(expected),
  )
})

it.each([
  ['https://claude.ai/cb', 'claude.ai'],
  ['http://127.0.0.1:33418/cb', 'a program on this computer'],
  ['http://[::1]:8765/cb', 'a program on this computer'],
  ['cursor://host/cb', 'the app that opens cursor: addresses'],
])('%s leads to %s', (uri, destination) => expect(destinationOf(uri)).toBe(destination))

it('parameters follow those that are there', () => {
  expect(withParameters('https://a.example/cb', { code: 'a b', state: undefined })).toBe(
    'https://a.example/cb?code=a+b',
  )
  expect(withParameters('com.example:/cb?keep=1', { code: 'x', iss: 'https://a' })).toBe(
    'com.example:/cb?keep=1&code=x&iss=https%3A%2F%2Fa',
  )
})
