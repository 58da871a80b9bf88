import { getTableColumns } from 'drizzle-orm'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { rowReader, updateRow } from './rows.ts'
import { leads } from './schema/index.ts'
import type { Executor } from './transaction.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const chosen = [
  'firstName',
  'lastName',
  'companyName',
  'email',
  'phone',
  'jobTitle',
  'website',
  'description',
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'utmContent',
] as const

/** Takes the statements and forgets them; what is measured is what the repository keeps. */
const nowhere = { execute: async () => ({ rows: [] }) } as unknown as Executor

it('keeps no more statements when clients change columns in ever new combinations', async () => {
  const reader = rowReader(getTableColumns(leads))
  const change = (subset: number) =>
    updateRow(
      nowhere,
      leads,
      { workspaceId: crypto.randomUUID(), id: crypto.randomUUID() },
      Object.fromEntries(chosen.filter((_, at) => (subset >> at) & 1).map((name) => [name, 'x'])),
      reader,
    )
  const heapAfter = async (from: number, to: number): Promise<number> => {
    for (let subset = from; subset < to; subset++) await change(subset)
    collect()
    return process.memoryUsage().heapUsed / 1024 / 1024
  }
  const usual = await heapAfter(1, 200)
  // Kept, these 3,800 statements take some twenty megabytes.
  expect((await heapAfter(200, 4_000)) - usual).toBeLessThan(6)
})
