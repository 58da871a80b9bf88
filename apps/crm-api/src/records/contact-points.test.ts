import { describe, expect, test } from 'vitest'
import { toE164 } from './contact-points.ts'

describe('a phone at the door of the API', () => {
  test.each([
    ['+49 30 1234567', '+49301234567'],
    ['+49 (0)30 1234567', '+49301234567'],
    // WhatsApp and older address books keep the 1 that Mexico gave up in 2019.
    ['+52 1 55 1234 5678', '+525512345678'],
    ['+5215512345678', '+525512345678'],
    ['+1 (212) 555-0100', '+12125550100'],
  ])('%s is %s, as an import reads it', (typed, stored) => {
    expect(toE164(typed)).toBe(stored)
  })

  test.each(['030 1234567', '0049 30 1234567', '+49', '+49 30 12 ab', ''])('%s is no number', (typed) => {
    expect(toE164(typed)).toBeNull()
  })
})
