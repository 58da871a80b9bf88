import { settingsContract } from '@crm/contract'
import { describe, expect, it } from 'vitest'
import { bodyRules } from './body-rules.built.ts'

const { bookingLinks, identityProviders, signInPolicy, workspace } = settingsContract
const bodies = {
  bookingLink: bookingLinks.operations.create.body,
  identityProvider: identityProviders.operations.create.body,
  signInPolicy: signInPolicy.operations.update.body,
  workspace: workspace.operations.update.body,
}

describe('what forms know of bodies', () => {
  it.each(Object.entries(bodies))('is what the contract takes and refuses: %s', (name, body) => {
    const rules = Object.entries(bodyRules[name as keyof typeof bodies])
    expect(rules.map(([field]) => field)).toEqual(Object.keys(body.shape))
    for (const [field, { type, isNullable, min, max }] of rules) {
      const schema = body.shape[field as never] as { safeParse(value: unknown): { success: boolean } }
      const takes = (value: unknown): boolean => schema.safeParse(value).success
      expect(takes(null), field).toBe(isNullable)
      if (type === 'flag') expect([takes(true), takes('yes')], field).toEqual([true, false])
      if (type === 'number' && min !== undefined && max !== undefined)
        expect([min - 1, min, max, max + 1].map(takes), field).toEqual([false, true, true, false])
      if (type === 'text' && max !== undefined) expect(takes('x'.repeat(max + 1)), field).toBe(false)
      if (type === 'list') expect([takes([]), takes('a')], field).toEqual([true, false])
    }
  })
})
