import { createClient } from '@crm/client'
import { publicContract, recordEntityTypes, recordOperations, settingsContract } from '@crm/contract'
import * as z from 'zod'
import { describe, expect, it } from 'vitest'
import { publicCalls, recordFacts, settingsCalls } from './contract.built.ts'

const id = '0198a3c5-0000-7000-8000-000000000001'
const samples = [
  id,
  `${id},${id}`,
  `${id},none`,
  `${id},`,
  'none',
  'true',
  'false',
  'true,false',
  'EUR',
  'eur',
  'NEW',
  'OPEN,WON',
  'OPEN,none',
  'TODO',
  'TODO,DONE',
  'nobody',
  'a@b.example',
  'x'.repeat(70),
  'x'.repeat(300),
  'x'.repeat(3_000),
  Array.from({ length: 51 }, () => id).join(),
]

describe('what pages know of the contract', () => {
  it('says of every parameter that is named after a field which texts the list takes', () => {
    let seen = 0
    for (const entityType of [...recordEntityTypes(), 'CUSTOM']) {
      const { query, shaped } = recordOperations(entityType)?.list ?? {}
      const params: Readonly<Record<string, z.ZodType>> = { ...query?.shape }
      for (const [name, param] of Object.entries(params)) {
        const pattern = recordFacts[entityType]?.params[name]
        expect(pattern === null).toBe(!(name in (shaped?.record.shape ?? {})))
        if (typeof pattern !== 'string') continue
        seen += 1
        const taken = samples.filter((text) => new RegExp(pattern).test(text))
        expect({ entityType, name, taken }).toEqual({
          entityType,
          name,
          taken: samples.filter((text) => param.safeParse(text).success),
        })
      }
    }
    expect(seen).toBeGreaterThan(100)
  })

  it('says by what every list is sorted', () => {
    for (const entityType of recordEntityTypes()) {
      const { sortBy, sort } = {
        ...recordOperations(entityType)?.list?.query?.shape,
      } as Readonly<Record<string, unknown>>
      const isSorted = sortBy !== undefined || sort !== undefined
      expect({ entityType, isSorted: (recordFacts[entityType]?.sorts.length ?? 0) > 0 }).toEqual({
        entityType,
        isSorted,
      })
      const declared = sortBy instanceof z.ZodEnum ? sortBy.options : []
      expect(recordFacts[entityType]?.sorts).toEqual(expect.arrayContaining(declared))
    }
  })

  it('makes the same requests as the contract', async () => {
    for (const [whole, called] of [
      [publicContract, publicCalls],
      [settingsContract, settingsCalls],
    ] as const) {
      const requestsOf = async (contract: object) => {
        const requests: unknown[] = []
        const fetch = (url: string, { method, headers, body }: RequestInit) => {
          const { 'idempotency-key': key, ...others } = headers as Record<string, string>
          requests.push([method, url, others, body, key !== undefined])
          return Promise.resolve(new Response('{}', { headers: { 'content-type': 'application/json' } }))
        }
        const client = createClient({ baseUrl: '', contract: contract as typeof whole, fetch, retries: 0 })
        const params = new Proxy({}, { get: () => 'one' })
        for (const calls of Object.values(client as Record<string, Record<string, (args: object) => Promise<unknown>>>))
          for (const call of Object.values(calls)) await call({ params, body: {} }).catch(() => undefined)
        return requests
      }
      const requests = await requestsOf(whole)
      expect(requests.length).toBeGreaterThan(50)
      expect(await requestsOf(called)).toEqual(requests)
    }
  })
})
