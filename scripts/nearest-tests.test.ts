import { expect, it } from 'vitest'
import { nearestTests } from './nearest-tests.ts'
import type { SourceFile } from './sources.ts'

const source = (path: string, code = ''): SourceFile => ({
  path,
  code,
  source: code,
  owner: undefined,
  isTest: false,
  isBrowser: false,
})
const sources = [
  source('packages/money/src/index.ts', "export * from './round.ts'"),
  source('packages/money/src/round.ts'),
  source('packages/money/src/round.test.ts', "import { round } from './round.ts'"),
  source('packages/money/src/tax.test.ts', "import { round } from './round.ts'"),
  source('packages/money/src/other.test.ts', "import { other } from './other.ts'"),
  source('apps/shop/src/basket.test.ts', "import { round } from '@crm/money'"),
  source('apps/shop/src/shelf.create.test.ts', "import { app } from '../test/harness.ts'"),
  source('apps/shop/src/shelf.handlers.ts'),
]

it('finds the tests of a file by its name and by their imports, and counts those that lead to it', () => {
  expect(nearestTests(['packages/money/src/round.ts'], sources)).toEqual({
    tests: ['packages/money/src/round.test.ts', 'packages/money/src/tax.test.ts'],
    further: 1,
  })
  expect(nearestTests(['apps/shop/src/shelf.handlers.ts'], sources).tests).toEqual([
    'apps/shop/src/shelf.create.test.ts',
  ])
  expect(nearestTests(['packages/money/src/tax.test.ts'], sources).tests).toEqual(['packages/money/src/tax.test.ts'])
  expect(nearestTests([], sources)).toEqual({ tests: [], further: 0 })
})
