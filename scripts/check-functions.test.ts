import { expect, it } from 'vitest'
import { findLongFunctions } from './check-functions.ts'

const lines = (count: number): string => Array.from({ length: count }, (_, at) => `  run(${at})`).join('\n')
const found = (source: string, path = 'apps/x/src/a.ts') => findLongFunctions([{ path, source, isTest: false }])

it.each([
  `function f() {\n${lines(100)}\n}`,
  `const f = () => {\n${lines(100)}\n}`,
  `const o = { f() {\n${lines(100)}\n} }`,
  `class C {\n  f() {\n${lines(100)}\n  }\n}`,
])('refuses a long function, and says where it stands', (source) => {
  expect(found(`// first\n${source}`)).toEqual([
    expect.stringMatching(/^apps\/x\/src\/a\.ts:[2-3] has more than 100 lines/),
  ])
})

it('lets short functions be, however long the file is, and those that start a process', () => {
  expect(found(`function f() {\n${lines(98)}\n}\n${lines(200)}`)).toEqual([])
  expect(found(`function f() {\n${lines(100)}\n}`, 'apps/x/src/main-worker.ts')).toEqual([])
})
