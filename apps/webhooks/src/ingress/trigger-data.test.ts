import { describe, expect, it } from 'vitest'
import { readTriggerData, toInspectable } from './trigger-data.ts'

const read = (text: string): unknown => readTriggerData(Buffer.from(text))
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

describe('readTriggerData', () => {
  it.each([
    ['an object', '{"a":[1,"x"]}', { a: [1, 'x'] }],
    ['a list', '[1]', [1]],
    ['a number', '7', 7],
    ['null', 'null', null],
    ['a byte order mark', '\uFEFF{"a":1}', { a: 1 }],
    ['nothing', '', {}],
    ['no JSON', 'a=1&b=2', {}],
    ['half of JSON', '{"a":', {}],
  ])('takes %s as it is meant', (_, body, data) => expect(read(body)).toEqual(data))

  it('puts U+FFFD where the database can hold nothing', () => {
    expect(read('{"a\\u0000":"x\\u0000y\\ud800z"}')).toEqual({ 'a\uFFFD': 'x\uFFFDy\uFFFDz' })
  })

  it('counts more than 200 levels as no JSON', () => {
    expect(JSON.stringify(read(nested(200)))).toBe(nested(200))
    expect(read(nested(201))).toEqual({})
    expect(read(nested(30_000))).toEqual({})
  })

  it('keeps __proto__ as a mere key', () => {
    const data = read('{"__proto__":{"admin":true},"a":1}') as Record<string, unknown>
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype)
    expect(JSON.stringify(data)).toBe('{"__proto__":{"admin":true},"a":1}')
    expect(data['admin']).toBeUndefined()
  })
})

it('keeps bytes that are no text in Base64', () => {
  expect(toInspectable(Buffer.from('{"a":1}'))).toEqual({ raw: '{"a":1}', rawEncoding: 'utf8' })
  expect(toInspectable(Buffer.from([0xff, 0x00]))).toEqual({ raw: '/wA=', rawEncoding: 'base64' })
})
