import { readRights } from '@crm/db'
import {
  declaredOperations,
  namedPermissions,
  publicContract,
  reachChecks,
  scimContract,
  settingsContract,
} from '@crm/contract'
import { describe, expect, it } from 'vitest'
import { ownApi } from './harness.ts'
import { attacks, automator, newWorld } from './reach.attacks.ts'
import { calledWorkflow, finding, hiddenAnyway, peeks } from './reach.peeks.ts'

const unchecked = new Set<string>()
const api = await ownApi({ uncheckedReach: unchecked, outboundAllowCidrs: ['127.0.0.1/32'] })

describe('nobody reaches more than they hold', () => {
  it.each(attacks.map((attack) => [attack.guarantee, attack] as const))('%s', async (_guarantee, { attempt }) => {
    const world = await newWorld(api)
    let before: unknown
    const watched = {
      ...world,
      as: async (...call: Parameters<typeof world.as>) => {
        before = await readRights(api.db, world.workspace.workspaceId)
        return world.as(...call)
      },
    }
    const { status, body } = await attempt(watched)
    // Directories get the errors of their standard, which has no codes of ours.
    const code = body.code ?? (body.schemas ? 'ACCESS_DENIED' : undefined)
    expect({ status, code }, JSON.stringify(body)).toEqual({ status: 403, code: 'ACCESS_DENIED' })
    expect(await readRights(api.db, world.workspace.workspaceId)).toEqual(before)
  })
})

describe('every check of reach counts', () => {
  const declared = reachChecks({ ...publicContract, ...settingsContract, ...scimContract })
  // A new group gives nothing yet, and whoever leaves gets nothing; the guard runs so that the people are named all the same.
  const harmless = ['scim.groups.create gives', 'scim.groups.create takes', 'scim.users.delete gives']
  const checks = declared.filter(({ id, effect }) => effect !== 'reveals' && !harmless.includes(id)).map(({ id }) => id)

  it.each(checks)('without %s something is let through', async (check) => {
    const stopped = attacks.filter(({ stoppedBy }) => stoppedBy === check)
    expect(stopped.length).toBeGreaterThan(0)
    unchecked.add(check)
    try {
      for (const { attempt } of stopped) expect((await attempt(await newWorld(api))).status).toBeLessThan(300)
    } finally {
      unchecked.delete(check)
    }
  })

  it('and public operations that administer people or departments declare what they do to reach', () => {
    const administers = (name: string): boolean =>
      /^(UPDATE|DELETE)_(EMPLOYEE|DEPARTMENT)$|^MANAGE_(USERS|ROLES|API_KEYS|WORKFLOWS)$/.test(name)
    const undeclared = declaredOperations(publicContract).filter(
      ({ operation }) => operation.reach === undefined && namedPermissions(operation.access).some(administers),
    )
    // A department that can be deleted is empty.
    expect(undeclared.map(({ id }) => id)).toEqual(['departments.delete'])
  })

  it('and there is a look at everything that is shown', () => {
    const showing = declared.filter(({ effect }) => effect === 'reveals').map(({ id }) => id)
    expect([...peeks.map(({ hiddenBy }) => hiddenBy), ...Object.keys(hiddenAnyway)].toSorted()).toEqual(
      showing.toSorted(),
    )
  })

  it('and there is no attack on a check that does not exist', () => {
    expect(attacks.filter(({ stoppedBy }) => !checks.includes(stoppedBy))).toEqual([])
  })
})

describe('nobody reads what the reach of somebody else has found', () => {
  const text = (body: unknown): string => JSON.stringify(body)

  it.each(peeks.map(({ hiddenBy, attempt }) => [hiddenBy, attempt] as const))(
    '%s hides it, and nothing else does',
    async (hiddenBy, attempt) => {
      const { status, body } = await attempt(await newWorld(api))
      expect(text(body)).not.toContain(finding)
      expect([200, 403]).toContain(status)
      unchecked.add(hiddenBy)
      try {
        expect(text((await attempt(await newWorld(api))).body)).toContain(finding)
      } finally {
        unchecked.delete(hiddenBy)
      }
    },
  )

  it('but what somebody gives themselves is shown to them', async () => {
    const world = await newWorld(api)
    const me = await automator(world)
    const path = `/api/settings/workflows/${await calledWorkflow(world, me)}/test`
    const tried = async (body: object) => text((await world.as(me, 'POST', path, body)).body)
    expect(await tried({ data: { name: 'mine' } })).toContain('mine')
    expect(await tried({})).not.toContain(finding)
  })
})
