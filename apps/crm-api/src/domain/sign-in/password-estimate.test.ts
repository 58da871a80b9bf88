import { childrenOf } from '@crm/testkit'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { estimateFor } from './password-estimate.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function heapMb(): number {
  collect()
  return process.memoryUsage().heapUsed / 1024 / 1024
}

it('estimates in a process that ends after use, and keeps none of its dictionaries here', async () => {
  const program = 'main-passwords'
  const before = heapMb()
  const estimate = estimateFor('workspace')
  expect(await estimate('password123456', [])).toBeLessThan(3)
  expect(await Promise.all([estimate('correct horse battery', []), estimate('hopperhopper', ['hopper'])])).toEqual([
    expect.toSatisfy((score: number) => score >= 3),
    expect.toSatisfy((score: number) => score < 3),
  ])
  expect(childrenOf(process.pid, program)).toHaveLength(1)
  // The dictionaries take some thirty megabytes.
  expect(heapMb() - before).toBeLessThan(10)
  await expect.poll(() => childrenOf(process.pid, program)).toEqual([])
})
