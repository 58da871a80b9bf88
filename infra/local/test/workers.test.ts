import { expect, it } from 'vitest'
import { workersOf } from '../workers.ts'

it.each([
  [1, 2, 2],
  [2, 64, 3],
  [2, 6, 2],
  [8, 64, 12],
  [8, 8, 3],
  [64, 32, 17],
])('runs on %i cores with %i GiB of memory %i files at once', (cores, gibibytes, workers) =>
  expect(workersOf(cores, gibibytes * 1024 ** 3)).toBe(workers),
)
