import { declaredOperations, isWrite, publicContract } from '@crm/contract'
import { expect, it } from 'vitest'
import { t } from '../base/texts.ts'
import type { Texts } from '../texts/en.ts'
import { nounOfKnown } from './kind-words.ts'
import { nounOf } from './record-place.ts'

it('has a word for whatever the API writes', () => {
  const writes = declaredOperations(publicContract).filter(({ operation }) => isWrite(operation))
  const entities = new Set(writes.flatMap(({ resource: { entity } }) => entity ?? []))
  const isKnown = (entity: string): boolean =>
    nounOfKnown(entity) !== undefined || t.has(`records.others.${entity as keyof Texts['records']['others']}`)
  expect([...entities].filter((entity) => !isKnown(entity))).toEqual([])
  expect([nounOf('STAGE'), nounOf('PRICE_LIST_ENTRY')]).toEqual(['stage', 'price in a price list'])
  expect(isKnown('SPACE_SHIP')).toBe(false)
})
