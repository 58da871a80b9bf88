import { describe, expect, it } from 'vitest'
import { gzipSync } from 'node:zlib'
import { readTriggerData, toInspectable, unpack } from './trigger-data.ts'

const read = (text: string): Promise<unknown> => readTriggerData(Buffer.from(text), null)
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
  ])('takes %s as it is meant', async (_, body, data) => expect(await read(body)).toEqual(data))

  it.each([
    // RFC 8259, section 6: software agrees on integers up to 2 ** 53 - 1.
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['{"ids":[1,10765432100123456789]}', { ids: [1, '10765432100123456789'] }],
    ['{"id":9007199254740993,"note":"9007199254740993"}', { id: '9007199254740993', note: '9007199254740993' }],
    // Other numbers are as they were.
    ['1.0000000000000000', 1],
    ['0.1234567890123456789', 0.123_456_789_012_345_68],
    ['12345678901234567e3', 12_345_678_901_234_567e3],
  ])('keeps the digits of integers that a number would change: %s', async (body, data) =>
    expect(await read(body)).toEqual(data),
  )

  it.each([
    ['application/json; charset=utf-16le', Buffer.from('{"name":"Zoë"}', 'utf16le')],
    ['text/plain; charset=ISO-8859-1', Buffer.from('{"name":"Zoë"}', 'latin1')],
    ['application/json; charset=nonsense', Buffer.from('{"name":"Zoë"}')],
  ])('reads a body in the charset of %s', async (contentType, body) =>
    expect(await readTriggerData(body, contentType)).toEqual({ name: 'Zoë' }),
  )

  it('puts U+FFFD where the database can hold nothing', async () => {
    expect(await read('{"a\\u0000":"x\\u0000y\\ud800z"}')).toEqual({ 'a\uFFFD': 'x\uFFFDy\uFFFDz' })
  })

  it('counts more than 200 levels as no JSON', async () => {
    expect(JSON.stringify(await read(nested(200)))).toBe(nested(200))
    expect(await read(nested(201))).toEqual({})
    expect(await read(nested(30_000))).toEqual({})
  })

  it('keeps __proto__ as a mere key', async () => {
    const data = (await read('{"__proto__":{"admin":true},"a":1}')) as Record<string, unknown>
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype)
    expect(JSON.stringify(data)).toBe('{"__proto__":{"admin":true},"a":1}')
    expect(data['admin']).toBeUndefined()
  })
})

it('keeps bytes that are no text in Base64', () => {
  expect(toInspectable(Buffer.from('{"a":1}'))).toEqual({ raw: '{"a":1}', rawEncoding: 'utf8' })
  expect(toInspectable(Buffer.from([0xff, 0x00]))).toEqual({ raw: '/wA=', rawEncoding: 'base64' })
})

describe('unpack', () => {
  it('takes a body of exactly the bound, and none of a byte more', async () => {
    expect(await unpack(gzipSync('x'.repeat(1_000)), 'gzip', 1_000)).toEqual(Buffer.from('x'.repeat(1_000)))
    expect(await unpack(gzipSync('x'.repeat(1_001)), 'gzip', 1_000)).toBe('too large')
  })

  it('leaves what is damaged, or has no coding, as it came', async () => {
    const body = Buffer.from('{"a":1}')
    for (const coding of [undefined, '', 'identity', 'gzip']) expect(await unpack(body, coding, 1_000)).toEqual(body)
  })

  it.each(['zstd', 'compress', 'gzip, zstd', 'aws-chunked'])('does not know %s', async (coding) =>
    expect(await unpack(Buffer.from('x'), coding, 1_000)).toBe('unknown'),
  )
})

describe('a form', () => {
  const form = 'a=1&b=two+words&b=%C3%A9&__proto__=x&c='
  const urlencoded = 'application/x-www-form-urlencoded; charset=UTF-8'
  const fields = { a: '1', b: ['two words', 'é'], c: '' }
  const multipart = [
    '--line',
    'Content-Disposition: form-data; name="a"',
    '',
    '1',
    '--line',
    'Content-Disposition: form-data; name="f"; filename="photo.png"',
    'Content-Type: image/png',
    '',
    'bytes',
    '--line--',
    '',
  ].join('\r\n')

  it.each([
    ['FORM', form, urlencoded, fields],
    ['ANY', form, urlencoded, fields],
    ['JSON', form, urlencoded, {}],
    ['FORM', '{"a":1}', 'application/json', {}],
    ['ANY', '{"a":1}', 'application/json', { a: 1 }],
    ['ANY', '{"a":1}', null, { a: 1 }],
    ['FORM', multipart, 'multipart/form-data; boundary=line', { a: '1', f: 'photo.png' }],
    ['ANY', multipart.replace('--line--', ''), 'multipart/form-data; boundary=line', {}],
    ['FORM', multipart, 'multipart/form-data', {}],
    ['FORM', '', urlencoded, {}],
    ['FORM', 'a=%00&b=%ZZ', urlencoded, { a: '\uFFFD', b: '%ZZ' }],
    ['FORM', 'a=%E9', 'application/x-www-form-urlencoded', { a: '\uFFFD' }],
  ] as const)('with %s: %j as %s', async (accept, body, contentType, expected) => {
    const data = await readTriggerData(Buffer.from(body), contentType, accept)
    expect({ ...(data as object) }).toMatchObject(expected)
    expect(Object.keys(data as object).filter((name) => name !== '__proto__')).toEqual(Object.keys(expected))
  })
})
