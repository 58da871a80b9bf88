import { expect, it } from 'vitest'
import { linksIn } from './links-in.ts'

const hrefs = (text: string) => linksIn(text).flatMap(({ href }) => href ?? [])

it.each([
  ['See https://a.example/x?y=1#z.', ['https://a.example/x?y=1#z']],
  ['(https://a.example/x)', ['https://a.example/x']],
  ['https://a.example/x_(y), then http://b.example!', ['https://a.example/x_(y)', 'http://b.example']],
  ['mailto:ada@a.example?subject=Hi', ['mailto:ada@a.example?subject=Hi']],
  ['«https://a.example/ä»', ['https://a.example/ä']],
  ['javascript:alert(1) data:text/html,x file:///etc ftp://a.example', []],
  ['xhttps://a.example', []],
  ['https://', []],
])('%j leads to %j', (text, expected) => {
  expect(hrefs(text)).toEqual(expected)
})

it.each(['', 'no address', 'a https://a.example b\nhttps://b.example', 'https://a.example.'])(
  '%j stays whole',
  (text) => {
    expect(
      linksIn(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text)
  },
)
