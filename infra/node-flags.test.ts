import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { heapMbOf, nodeFlagsOf } from './node-flags.ts'

const mb = 1024 * 1024
const gb = 1024 * mb

it.each([
  ['a small container', 256 * mb, 256],
  ['a container where the share is just more than the least', 512 * mb, 307],
  ['a usual container', gb, 614],
  ['a large container', 4 * gb, 1024],
  ['a machine', 256 * gb, 1024],
])('bounds the heap by the memory of %s', (_what, bytes, heapMb) => {
  expect(heapMbOf(bytes)).toBe(heapMb)
  expect(nodeFlagsOf({}, bytes)).toContain(`--max-old-space-size=${heapMb}`)
})

/** Starts a process as a container does, and returns the bound that V8 tells of its old generation. */
function heapMbIn(env: Readonly<Record<string, string>>): number {
  const flags = fileURLToPath(new URL('node-flags.ts', import.meta.url))
  const tell = 'console.log(v8.getHeapStatistics().heap_size_limit)'
  const { PATH = '' } = process.env
  const told = execFileSync('sh', ['-c', `exec node $(node ${flags}) -e '${tell}'`], { env: { PATH, ...env } })
  return Number(told) / mb
}

it('is what a process has, and gives way to NODE_OPTIONS', () => {
  const young = heapMbIn({ NODE_OPTIONS: '--max-old-space-size=700' }) - 700
  // What is left is the young generation, which V8 chooses.
  expect(young).toBeLessThan(100)
  const [ours] = nodeFlagsOf({})
  const bound = Number(/\d+/.exec(ours ?? '')?.[0])
  expect(Math.round(heapMbIn({}) - young)).toBe(bound)
})
