import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { edgeFiles, edgeFor, edgeKinds } from './generate.ts'

it.each(edgeKinds)('the checked-in %s edge is fresh (npm run edges)', (kind) => {
  expect(readFileSync(new URL(`../${edgeFiles[kind]}`, import.meta.url), 'utf8')).toBe(edgeFor(kind))
})
