import { seed, stepsOf, timeoutOf } from '@crm/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ownApi } from '../../apps/crm-api/test/harness.ts'
import { marker, ownMarker, walk, type WalkerRights } from '../../apps/crm-api/test/rights.walk.ts'
import {
  anyStep,
  automatingRights,
  hiddenLead,
  followingRule,
  tellingRule,
  walkersExport,
  writingWorkflow,
} from './automation.requests.ts'
import { startBackground } from './background.ts'

const walks = Number(process.env['RIGHTS_AUTOMATION_WALKS'] ?? stepsOf(8))
const steps = Number(process.env['RIGHTS_STEPS'] ?? 10)
/** Random steps may by chance let nothing leave: further walks then go on, so that silence is never taken for safety. */
const roundsMax = 5
const perWalkMs = 10_000 + steps * 2_000

const api = await ownApi({ outboundAllowCidrs: ['127.0.0.1/32'] })
const background = await startBackground(api)

const walking = automatingRights.chain((rights) =>
  fc.tuple(fc.constant(rights), fc.array(anyStep(rights.permissions), { minLength: steps, maxLength: steps })),
)

const ownLeads: WalkerRights = {
  permissions: ['MANAGE_WORKFLOWS', 'EXPORT_DATA', 'VIEW_LEAD', 'CREATE_LEAD'],
  access: [{ entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }],
  hasDepartment: false,
}

describe('somebody with random rights whose rules, workflows and exports do their work', () => {
  it(
    `gets nothing out of sight by request, mail, run, delivery or file in ${walks} walks of ${steps} steps (seed ${seed})`,
    { timeout: timeoutOf(roundsMax * walks, perWalkMs) },
    async () => {
      const total = { sent: 0, accepted: 0, left: 0, read: 0 }
      const least = () => Math.min(total.accepted, total.left, total.read)
      for (let round = 0; round < roundsMax && least() === 0; round++)
        await fc.assert(
          fc.asyncProperty(walking, async ([rights, requests]) => {
            const tally = await walk(api, rights, requests.flat(), background)
            for (const name of ['sent', 'accepted', 'left', 'read'] as const) total[name] += tally[name]
          }),
          { numRuns: walks, seed: seed + round, plugins: [fc.unbiased()] },
        )
      console.info(`rights of automation: seed ${seed}, ${walks} walks, ${JSON.stringify(total)}`)
      expect(least()).toBeGreaterThan(0)
    },
  )

  it(
    'tells the boss what the boss may see: the work behind the API is done',
    { timeout: timeoutOf(1, perWalkMs) },
    async () => {
      background.takeBossGot()
      await walk(api, ownLeads, [tellingRule, ...writingWorkflow, walkersExport, hiddenLead], background)
      const told = background.takeBossGot()
      expect(told).toEqual(
        expect.arrayContaining([expect.stringMatching(/^request POST/), expect.stringMatching(/^mail to boss/)]),
      )
      for (const got of told) expect(got).toMatch(new RegExp(`${marker}|${ownMarker}`))
    },
  )

  it.each([
    ['request', [tellingRule, hiddenLead]],
    ['mail', [...writingWorkflow, hiddenLead]],
    ['request', [followingRule]],
  ])(
    'finds a marker in a %s where makers are told more than they see',
    { timeout: timeoutOf(1, perWalkMs) },
    async (channel, requests) => {
      background.ignoreSight(true)
      try {
        await expect(walk(api, ownLeads, requests, background)).rejects.toThrow(
          `what is out of sight was sent: ${channel}`,
        )
      } finally {
        background.ignoreSight(false)
        background.takeSent()
      }
    },
  )

  it('finds it by walking as well', { timeout: timeoutOf(walks, perWalkMs) }, async () => {
    background.ignoreSight(true)
    try {
      const found = await fc.check(
        fc.asyncProperty(
          walking,
          async ([rights, requests]) => void (await walk(api, rights, requests.flat(), background)),
        ),
        { numRuns: 100, seed, plugins: [fc.unbiased()], endOnFailure: true },
      )
      expect(String(found.errorInstance)).toMatch(/what is out of sight was sent|was shown what is out of sight/)
    } finally {
      background.ignoreSight(false)
      background.takeSent()
    }
  })
})
