import { seed, stepsOf, timeoutOf } from '@crm/testkit'
import { reachChecks, scimContract } from '@crm/contract'
import { newId, readRights, readWayIn, schema } from '@crm/db'
import { covers, mayGive, reachIn } from '@crm/permissions'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ownApi } from './harness.ts'
import { directoryOf, leadsAt, newWorld, type World } from './reach.attacks.ts'
import { anyDirectoryRequest, written, type DirectoryRequest } from './scim.documents.ts'

const walks = Number(process.env['RIGHTS_WALKS'] ?? stepsOf(60))
const steps = Number(process.env['RIGHTS_STEPS'] ?? 8)
const perWalkMs = 2_000 + steps * 500

const unchecked = new Set<string>()
const api = await ownApi({ uncheckedReach: unchecked })
const { db } = api
const walking = fc.array(anyDirectoryRequest, { minLength: 1, maxLength: steps, size: 'max' })

describe('a directory with few rights that sends whatever can be written', () => {
  it(
    `changes nobody who reaches further in ${walks} walks of up to ${steps} steps (seed ${seed})`,
    { timeout: timeoutOf(walks, perWalkMs) },
    async () => {
      const total = { sent: 0, accepted: 0, changed: 0 }
      await fc.assert(
        fc.asyncProperty(walking, async (requests) => {
          const tally = await walk(requests)
          for (const name of ['sent', 'accepted', 'changed'] as const) total[name] += tally[name]
        }),
        { numRuns: walks, seed, plugins: [fc.unbiased()] },
      )
      console.info(`scim: seed ${seed}, ${JSON.stringify(total)}`)
      expect(Math.min(total.accepted, total.changed)).toBeGreaterThan(0)
    },
  )

  it.each(['gives', 'takes'] as const)(
    'and the walks would find a document whose %s nobody judges',
    { timeout: timeoutOf(walks, perWalkMs) },
    async (effect) => {
      for (const check of reachChecks(scimContract)) if (check.effect === effect) unchecked.add(check.id)
      try {
        const found = await fc.check(
          fc.asyncProperty(walking, async (requests) => void (await walk(requests))),
          { numRuns: 300, seed, plugins: [fc.unbiased()], endOnFailure: true },
        )
        expect(found.failed).toBe(true)
        expect(String(found.errorInstance)).toMatch(effect === 'gives' ? /got more/ : /was changed/)
      } finally {
        unchecked.clear()
      }
    },
  )
})

interface Tally {
  sent: number
  accepted: number
  /** The people whom accepted requests changed. */
  changed: number
}

/** Sends requests, and throws with all of them when somebody changed whom the directory may not change. */
async function walk(requests: readonly DirectoryRequest[]): Promise<Tally> {
  const world = await newWorld(api)
  const { workspace } = world
  const { me, people, groups } = await planted(world)
  const told: string[] = []
  const tally: Tally = { sent: 0, accepted: 0, changed: 0 }
  for (const request of requests) {
    const [path, body] = written(request, people, groups)
    const before = await seen(workspace.workspaceId)
    const { status, body: answer } = await world.as(me, request.method, path, body)
    told.push(`${request.method} ${path} ${body ?? ''} → ${status} ${answer?.detail ?? ''}`)
    const fail = (what: string): never => {
      throw new Error(`${what}\n${told.join('\n')}`)
    }
    if (status >= 500) fail('it broke')
    const after = await seen(workspace.workspaceId)
    tally.sent += 1
    if (status < 300) tally.accepted += 1
    const mine = reachIn(before.rights, me.ownerId)
    for (const [id, was] of before.people) {
      if (was === after.people.get(id)) continue
      tally.changed += 1
      if (status >= 300) fail(`${id} was changed by a refused request`)
      if (!covers(mine, reachIn(before.rights, id)))
        fail(`${id}, who reaches further, was changed: ${was} → ${after.people.get(id)}`)
    }
    for (const { id } of after.rights.people) {
      const [was, is] = [reachIn(before.rights, id), reachIn(after.rights, id)]
      if (!covers(was, is) && !mayGive(mine, is)) fail(`${id} got more than the directory has`)
    }
    if (!(await readWayIn(db, workspace.workspaceId)).hasAdministrator) fail('the last administrator is gone')
  }
  return tally
}

/** Returns everything about people that directories change, as one text each, and their rights. */
async function seen(workspaceId: string) {
  const rights = await readRights(db, workspaceId)
  const { employees, scimGroupMembers } = schema
  const rows = await db.select().from(employees).where(eq(employees.workspaceId, workspaceId))
  const memberships = await db.select().from(scimGroupMembers).where(eq(scimGroupMembers.workspaceId, workspaceId))
  const mapped = new Set(
    (await db.select().from(schema.scimGroupRoles).where(eq(schema.scimGroupRoles.workspaceId, workspaceId))).map(
      ({ groupId }) => groupId,
    ),
  )
  const roles = new Map(rights.people.map(({ id, roleIds }) => [id, roleIds]))
  const groupsOf = (id: string) =>
    memberships
      .filter(({ employeeId, groupId }) => employeeId === id && mapped.has(groupId))
      .map(({ groupId }) => groupId)
      .toSorted()
  const people = new Map(
    rows.map(({ id, email, status, firstName, lastName, departmentId, managerId }) => [
      id,
      JSON.stringify([email, status, firstName, lastName, departmentId, managerId, roles.get(id), groupsOf(id)]),
    ]),
  )
  return { rights, people }
}

/** Makes a directory, people below and above it in every state, and groups that give little, much, a department or nothing. */
async function planted(world: World) {
  const {
    workspace,
    api: { db: rows },
  } = world
  const { workspaceId } = workspace
  const [mine, far] = [await workspace.department('Mine'), await workspace.department('Far')]
  const me = await directoryOf(world, { leads: 'DEPARTMENT', departmentId: mine })
  const weak = { grant: { permissions: ['VIEW_LEAD'], access: leadsAt('DEPARTMENT') }, departmentId: mine }
  const strong = { grant: { permissions: ['VIEW_LEAD'], access: leadsAt('ALL') } }
  const people = [
    { id: workspace.adminUserId, email: workspace.adminEmail },
    await workspace.employee(weak),
    await workspace.employee(weak),
    await workspace.employee(strong),
    await workspace.employee({ ...strong, status: 'SUSPENDED' }),
    await workspace.employee({ roles: ['Administrator'], status: 'TERMINATED' }),
    await workspace.employee({ ...weak, status: 'TERMINATED' }),
  ]
  const roleOf = async (leads: 'ALL' | 'OWN') => {
    const role = {
      workspaceId,
      id: newId(),
      name: `Group ${leads}`,
      permissions: ['VIEW_LEAD'],
      access: leadsAt(leads),
    }
    await rows.insert(schema.roles).values(role)
    return role.id
  }
  const rights = [
    { roleIds: [await roleOf('ALL')] },
    { roleIds: [await roleOf('OWN')] },
    { departmentId: far },
    { departmentId: mine },
    null,
  ]
  const groups: string[] = []
  for (const [n, gives] of rights.entries()) {
    const id = newId()
    await rows.insert(schema.scimGroups).values({ workspaceId, id, displayName: `G${n}` })
    // Those above the directory are in the first group and in one that gives nothing.
    const inside = people.filter((_one, at) => at === 1 + (n % 2) || ((n === 0 || n === 4) && [0, 3].includes(at)))
    await rows
      .insert(schema.scimGroupMembers)
      .values(inside.map((one) => ({ workspaceId, groupId: id, employeeId: one.id })))
    if (gives) await world.as('admin', 'PATCH', `/api/settings/scim-groups/${id}`, gives)
    groups.push(id)
  }
  return { me, people, groups }
}
