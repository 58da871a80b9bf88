import { describe, expect, it } from 'vitest'
import { planOffer } from './rights.ts'

const offer = (
  held: readonly string[],
  { scope, earlier = null }: { scope?: string; earlier?: readonly string[] | null } = {},
) =>
  planOffer({ held: new Set(held), scope, earlier, tools: [] }).map(({ name, isTicked }) =>
    isTicked ? `+${name}` : name,
  )

describe('the rights that are offered', () => {
  it('are those that the person holds, reading ticked', () => {
    expect(offer(['CREATE_LEAD', 'VIEW_LEAD', 'VIEW_VEHICLE'])).toEqual(['+VIEW_LEAD', 'CREATE_LEAD', '+VIEW_VEHICLE'])
  })

  it('are no more than the client asks for; what is no right here is nothing it asked for', () => {
    expect(offer(['CREATE_LEAD', 'VIEW_LEAD'], { scope: 'VIEW_LEAD openid' })).toEqual(['+VIEW_LEAD'])
    expect(offer(['CREATE_LEAD', 'VIEW_LEAD', 'EXPORT_DATA'], { scope: 'openid offline_access' })).toEqual([
      '+VIEW_LEAD',
    ])
    expect(offer(['CREATE_LEAD', 'VIEW_LEAD'], { scope: '' })).toEqual(['+VIEW_LEAD', 'CREATE_LEAD'])
    expect(offer(['VIEW_LEAD'], { scope: 'DELETE_LEAD' })).toEqual([])
  })

  it('are ticked as the last time where they only read, and never where they change data', () => {
    const held = ['CREATE_LEAD', 'DELETE_LEAD', 'VIEW_LEAD', 'VIEW_DEAL', 'EXPORT_DATA', 'UPDATE_VEHICLE']
    expect(
      offer(held, { earlier: held.filter((name) => name !== 'VIEW_DEAL') }).filter((name) => name.startsWith('+')),
    ).toEqual(['+VIEW_LEAD'])
    expect(offer(['CREATE_LEAD', 'VIEW_LEAD'], { earlier: ['CREATE_LEAD'] })).toEqual(['VIEW_LEAD', 'CREATE_LEAD'])
    expect(offer(['CREATE_LEAD', 'VIEW_LEAD'], { earlier: ['VIEW_DEAL'] })).toEqual(['+VIEW_LEAD', 'CREATE_LEAD'])
  })
})
