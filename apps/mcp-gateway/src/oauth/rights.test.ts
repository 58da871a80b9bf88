import { describe, expect, it } from 'vitest'
import { planOffer } from './rights.ts'

const offer = (held: readonly string[], { scope, earlier = null }: { scope?: string; earlier?: readonly string[] | null } = {}) =>
  planOffer({ held: new Set(held), scope, earlier, tools: [] }).map(({ name, isTicked }) => (isTicked ? `+${name}` : name))

describe('the rights that are offered', () => {
  it('are those that the person holds, reading ticked', () => {
    expect(offer(['CREATE_LEAD', 'VIEW_LEAD', 'VIEW_VEHICLE'])).toEqual(['+VIEW_LEAD', 'CREATE_LEAD', '+VIEW_VEHICLE'])
  })

  it('are no more than the client asks for; what is no right here is nothing it asked for', () => {
    expect(offer(['CREATE_LEAD', 'VIEW_LEAD'], { scope: 'VIEW_LEAD openid' })).toEqual(['+VIEW_LEAD'])
    expect(offer(['CREATE_LEAD', 'VIEW_LEAD'], { scope: 'openid' })).toEqual(['+VIEW_LEAD', 'CREATE_LEAD'])
    expect(offer(['VIEW_LEAD'], { scope: 'DELETE_LEAD' })).toEqual([])
  })

  it('are ticked as the last time, unless nothing of that is offered', () => {
    expect(offer(['CREATE_LEAD', 'VIEW_LEAD'], { earlier: ['CREATE_LEAD'] })).toEqual(['VIEW_LEAD', '+CREATE_LEAD'])
    expect(offer(['CREATE_LEAD', 'VIEW_LEAD'], { earlier: ['VIEW_DEAL'] })).toEqual(['+VIEW_LEAD', 'CREATE_LEAD'])
  })
})
