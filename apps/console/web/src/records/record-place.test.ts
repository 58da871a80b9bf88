import { declaredOperations, isWrite, publicContract } from '@crm/contract'
import { expect, it } from 'vitest'
import { nounOfKnown } from './kind-words.ts'
import { otherNouns } from './other-nouns.ts'
import { nounOf } from './record-place.ts'

it('has a word for whatever the API writes', () => {
  const writes = declaredOperations(publicContract).filter(({ operation }) => isWrite(operation))
  const entities = new Set(writes.flatMap(({ resource: { entity } }) => entity ?? []))
  const isKnown = (entity: string): boolean => (nounOfKnown(entity) ?? otherNouns[entity]) !== undefined
  expect([...entities].filter((entity) => !isKnown(entity))).toEqual([])
  expect([nounOf('STAGE'), nounOf('PRICE_LIST_ENTRY')]).toEqual(['stage', 'price in a price list'])
  expect(isKnown('SPACE_SHIP')).toBe(false)
})
