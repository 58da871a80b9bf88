import { expect, it } from 'vitest'
import { FairLine } from './fair-line.ts'

function lineOf(...names: string[]): FairLine<string> {
  const line = new FairLine<string>()
  for (const name of names) line.add(name.charAt(0), name)
  return line
}

const takeAll = (line: FairLine<string>): string[] => [
  ...(function* () {
    for (let item = line.take(); item !== undefined; item = line.take()) yield item
  })(),
]

it('takes owners in turn, and the oldest of each', () => {
  expect(takeAll(lineOf('a1', 'a2', 'a3', 'b1', 'c1', 'c2'))).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3'])
})

it('puts whoever had a turn behind those who come meanwhile', () => {
  const line = lineOf('a1', 'a2')
  expect(line.take()).toBe('a1')
  line.add('b', 'b1')
  expect(takeAll(line)).toEqual(['a2', 'b1'])
})

it('lets go of what is taken out of turn', () => {
  const line = lineOf('a1', 'a2', 'b1')
  line.remove('a', 'a1')
  line.remove('b', 'b1')
  line.remove('b', 'b1')
  expect([line.sizeOf('a'), line.sizeOf('b')]).toEqual([1, 0])
  expect(takeAll(line)).toEqual(['a2'])
})
