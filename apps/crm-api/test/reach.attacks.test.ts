import { readRights } from '@crm/db'
import { declaredOperations, namedPermissions, publicContract, reachChecks, settingsContract } from '@crm/contract'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from './harness.ts'
import { attacks, newWorld } from './reach.attacks.ts'

const unchecked = new Set<string>()
const api = await apiUnderTest({ uncheckedReach: unchecked, outboundAllowCidrs: ['127.0.0.1/32'] })

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
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'ACCESS_DENIED' })
    expect(await readRights(api.db, world.workspace.workspaceId)).toEqual(before)
  })
})

describe('every check of reach counts', () => {
  const checks = reachChecks({ ...publicContract, ...settingsContract }).map(({ id }) => id)

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
    // Nobody and nothing is in a department that can be deleted.
    expect(undeclared.map(({ id }) => id)).toEqual(['departments.delete'])
  })

  it('and there is no attack on a check that does not exist', () => {
    expect(attacks.filter(({ stoppedBy }) => !checks.includes(stoppedBy))).toEqual([])
  })
})
