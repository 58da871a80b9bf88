import { seed, stepsOf, timeoutOf } from '@crm/testkit'
import { publicContract, reachChecks, settingsContract } from '@crm/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ownApi } from './harness.ts'
import { anyRequest } from './rights.requests.ts'
import { anyRights, walk } from './rights.walk.ts'

const walks = Number(process.env['RIGHTS_WALKS'] ?? stepsOf(60))
const steps = Number(process.env['RIGHTS_STEPS'] ?? 8)
const perWalkMs = 2_000 + steps * 500

const unchecked = new Set<string>()
const api = await ownApi({ uncheckedReach: unchecked, outboundAllowCidrs: ['127.0.0.1/32'] })

const walking = anyRights.chain((rights) =>
  fc.tuple(
    fc.constant(rights),
    fc.array(anyRequest(rights.permissions), { minLength: 1, maxLength: steps, size: 'max' }),
  ),
)

describe('somebody with random rights who does whatever the contract knows', () => {
  it(
    `gains nothing in ${walks} walks of up to ${steps} steps (seed ${seed})`,
    { timeout: timeoutOf(walks, perWalkMs) },
    async () => {
      const total = { sent: 0, accepted: 0 }
      await fc.assert(
        fc.asyncProperty(walking, async ([rights, requests]) => {
          const { sent, accepted } = await walk(api, rights, requests)
          total.sent += sent
          total.accepted += accepted
        }),
        { numRuns: walks, seed, plugins: [fc.unbiased()] },
      )
      console.info(`rights: seed ${seed}, ${walks} walks, ${total.sent} requests, ${total.accepted} accepted`)
      expect(total.accepted).toBeGreaterThan(0)
    },
  )

  it(
    'gains something soon where nothing is checked: the walks would find it',
    { timeout: timeoutOf(walks, perWalkMs) },
    async () => {
      for (const { id } of reachChecks({ ...publicContract, ...settingsContract })) unchecked.add(id)
      try {
        const found = await fc.check(
          fc.asyncProperty(walking, async ([rights, requests]) => void (await walk(api, rights, requests))),
          { numRuns: 300, seed, plugins: [fc.unbiased()], endOnFailure: true },
        )
        expect(found.failed).toBe(true)
        expect(String(found.errorInstance)).toMatch(
          /was shown what is out of sight|reaches more than before|took the rights of the boss/,
        )
      } finally {
        unchecked.clear()
      }
    },
  )
})
