import { describe, expect, it } from 'vitest'
import { countTry, forgiveTry, signInLimits, waitOf, type SignInLimit, type Tries } from './sign-in-limits.ts'

const nowMs = Date.parse('2026-03-01T10:00:00Z')
const minute = 60_000

/** Fails `times` times, each time as early as allowed, and returns the waits in seconds. */
function waitsOf(limit: SignInLimit, times: number): number[] {
  let at = nowMs
  let tries: Tries | undefined
  return Array.from({ length: times }, () => {
    tries = countTry(tries, limit, at)
    const wait = waitOf(tries, at)
    at += wait
    return wait / 1_000
  })
}

describe('the wait after failures to sign in', () => {
  it('begins with the tenth of a device at 30 s and doubles to 15 min', () => {
    expect(waitsOf(signInLimits.device, 17)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900, 900])
  })

  it('is a minute at most for an address', () => {
    expect(waitsOf(signInLimits.address, 103).slice(98)).toEqual([0, 30, 60, 60, 60])
  })

  it('counts the failures of 15 minutes', () => {
    let tries = countTry(undefined, signInLimits.device, nowMs)
    for (let failures = 2; failures < 10; failures += 1) tries = countTry(tries, signInLimits.device, nowMs + minute)
    expect(tries.failures).toBe(9)
    expect(countTry(tries, signInLimits.device, nowMs + 15 * minute - 1).blockedUntilMs).toBeGreaterThan(0)
    expect(countTry(tries, signInLimits.device, nowMs + 15 * minute)).toMatchObject({ failures: 1, blockedUntilMs: 0 })
  })

  it('is forgotten 15 minutes after it is over', () => {
    let tries: Tries | undefined
    for (let failures = 0; failures < 10; failures += 1) tries = countTry(tries, signInLimits.device, nowMs)
    expect(countTry(tries, signInLimits.device, nowMs + 15 * minute).failures).toBe(11)
    expect(countTry(tries, signInLimits.device, nowMs + 15 * minute + 30_000).failures).toBe(1)
  })

  it('is lifted when the try that brought it was right', () => {
    let tries: Tries | undefined
    for (let failures = 0; failures < 100; failures += 1) tries = countTry(tries, signInLimits.address, nowMs)
    expect(forgiveTry(tries as Tries, signInLimits.address)).toMatchObject({ failures: 99, blockedUntilMs: 0 })
  })
})
