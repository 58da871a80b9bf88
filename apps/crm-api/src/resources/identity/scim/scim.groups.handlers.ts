import { scimDirectoryGroups, scimSchemas, type ScimGroup } from '@crm/contract'
import { isId, newId, schema, type PeopleTransaction } from '@crm/db'
import { ApiError, invalidField } from '@crm/errors'
import { and, eq, sql, type SQL } from 'drizzle-orm'
import { followDepartments, followGroupsOpenly } from '../../../domain/people/people.roles.ts'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { concern } from '../../../reach/concerned-people.ts'
import { audit, changingPeople } from '../../../records/audit.ts'
import { withUniqueFields } from '../../../records/unique.ts'
import { scimCondition, toSql } from './scim.conditions.ts'
import { requireTargets } from './scim.matching.ts'
import { requireReachOfGroup } from './scim.group-reach.ts'
import {
  addMembers,
  groupAttributes,
  isAmong,
  listGroups,
  lockGroup,
  matchingMembers,
  memberAttributes,
  membersOf,
  outsideGroup,
  removeMembers,
  type GroupMember,
  type GroupRow,
} from './scim.groups.repository.ts'
import {
  readOperations,
  readResource,
  refuseBreakGlass,
  refused,
  referenceOf,
  textOf,
  type ScimChange,
} from './scim.operations.ts'
import { listed, readPage, shaped, wants, type AskedShape } from './scim.shape.ts'

const { scimGroups } = schema
const uniqueFields = { scim_groups_name: 'displayName' }

/** The most members in one answer and in one request. */
const membersMax = 50_000

export const implementedScimGroups = implement(scimDirectoryGroups, {
  list: async ({ query }, context) => {
    const page = readPage(query)
    const where = scimCondition(query.filter, groupAttributes)
    const { items, total } = await listGroups(context.db, context.workspace.id, where, page)
    return listed(total, page, await shown(context, items, query))
  },

  get: async ({ params, query }, context) => readGroup(context, params.id, query),

  create: async ({ body, query }, context) => {
    const changes = readResource(body)
    const fields = fieldsIn(changes)
    const { displayName } = fields
    if (!displayName) throw invalidField('displayName', 'A group needs a displayName')
    const id = newId()
    await changingPeople(context, async (tx) => {
      const { workspace, at } = context
      const values = { ...fields, displayName, workspaceId: workspace.id, id, createdAt: at, updatedAt: at }
      await withUniqueFields(uniqueFields, () => tx.insert(scimGroups).values(values))
      const changed = await changeMembers(tx, context, { id, givesRights: false }, changes)
      await audit(tx, context, {
        action: 'scim-group.created',
        subjectType: 'SCIM_GROUP',
        subjectId: id,
        summary: `A directory added the group ${displayName}`,
        data: { members: changed.length },
      })
    })
    context.setHeader('location', `${context.workspace.baseUrl}/api/scim/v2/Groups/${id}`)
    return readGroup(context, id, query)
  },

  replace: async ({ params, body, query }, context) => {
    const sent = readResource(body)
    if (!fieldsIn(sent).displayName) throw invalidField('displayName', 'A group needs a displayName')
    const hasMembers = sent.some(({ attribute }) => attribute === 'members')
    const nobody: ScimChange = { verb: 'set', attribute: 'members', of: null, value: [] }
    await changeUnderLock(context, params.id, hasMembers ? sent : [...sent, nobody], { externalId: null })
    return readGroup(context, params.id, query)
  },

  change: async ({ params, body, query }, context) => {
    await changeUnderLock(context, params.id, readOperations(body))
    return readGroup(context, params.id, query)
  },

  delete: async ({ params }, context) => {
    await changingPeople(context, async (tx) => {
      const group = await requireGroup(tx, context, params.id)
      await requireReachOfGroup(tx, context, group.id)
      const people = await matchingMembers(tx, context.workspace.id, group.id, sql`true`)
      refuseBreakGlass(context.workspace, people)
      await removeMembers(tx, context.workspace.id, group.id, await concern(tx, people, { isUse: group.givesRights }))
      await tx.delete(scimGroups).where(isGroup(context, group.id))
      await follow(tx, context, group, people)
      await audit(tx, context, {
        action: 'scim-group.deleted',
        subjectType: 'SCIM_GROUP',
        subjectId: group.id,
        summary: `A directory deleted the group ${group.displayName}`,
        data: { members: people.length },
      })
    })
    return undefined as never
  },
})

async function shown(context: CrmContext, groups: readonly GroupRow[], asked: AskedShape): Promise<ScimGroup[]> {
  const ids = groups.map(({ id }) => id)
  const members = wants('members', asked)
    ? await membersOf(context.db, context.workspace.id, ids, membersMax + 1)
    : undefined
  if (members && members.length > membersMax)
    throw refused('tooMany', `The groups have more than ${membersMax} members; ask for fewer, or exclude members`)
  const byGroup = members && Map.groupBy(members, ({ groupId }) => groupId)
  const root = `${context.workspace.baseUrl}/api/scim/v2`
  return groups.map((group) => shaped(toScimGroup(group, byGroup && (byGroup.get(group.id) ?? []), root), asked))
}

function toScimGroup(group: GroupRow, members: readonly GroupMember[] | undefined, root: string): ScimGroup {
  const { id, displayName, externalId, createdAt, updatedAt } = group
  return {
    schemas: [scimSchemas.group],
    id,
    externalId: externalId ?? undefined,
    displayName,
    members: members?.map((member) => ({
      value: member.id,
      display: member.display,
      type: 'User',
      $ref: `${root}/Users/${member.id}`,
    })),
    meta: { resourceType: 'Group', created: createdAt, lastModified: updatedAt, location: `${root}/Groups/${id}` },
  }
}

function isGroup({ workspace }: CrmContext, id: string): SQL {
  return and(eq(scimGroups.workspaceId, workspace.id), eq(scimGroups.id, id)) as SQL
}

async function readGroup(context: CrmContext, id: string, asked: AskedShape): Promise<ScimGroup> {
  const [group] = isId(id) ? await context.db.select().from(scimGroups).where(isGroup(context, id)) : []
  if (!group) throw noGroup()
  return (await shown(context, [group], asked))[0]!
}

type LockedGroup = NonNullable<Awaited<ReturnType<typeof lockGroup>>>

async function requireGroup(tx: PeopleTransaction, { workspace }: CrmContext, id: string): Promise<LockedGroup> {
  const group = isId(id) ? await lockGroup(tx, workspace.id, id) : undefined
  if (!group) throw noGroup()
  return group
}

async function changeUnderLock(
  context: CrmContext,
  id: string,
  changes: readonly ScimChange[],
  usual: Partial<GroupRow> = {},
): Promise<void> {
  await changingPeople(context, async (tx) => {
    const group = await requireGroup(tx, context, id)
    // Those of members are compared in the database.
    const ofItself = changes.filter(({ of }) => of !== null && of.values !== 'members')
    requireTargets(ofItself, toScimGroup(group, undefined, ''))
    const fields = { ...usual, ...fieldsIn(changes) }
    if (fields.displayName === null) throw invalidField('displayName', 'A group needs a displayName')
    const { displayName = group.displayName, externalId = group.externalId } = fields
    if (displayName !== group.displayName || externalId !== group.externalId) await requireReachOfGroup(tx, context, id)
    await withUniqueFields(uniqueFields, () =>
      tx.update(scimGroups).set({ displayName, externalId, updatedAt: context.at }).where(isGroup(context, id)),
    )
    const changed = await changeMembers(tx, context, group, changes)
    const people = [...new Set([...changed, ...(await concernedByName(tx, context, group, displayName))])]
    await follow(tx, context, group, people)
    await audit(tx, context, {
      action: 'scim-group.changed',
      subjectType: 'SCIM_GROUP',
      subjectId: id,
      summary: `A directory changed the group ${displayName}`,
      data: { members: changed.length },
    })
  })
}

/** The name decides which of several groups gives its members their department. */
async function concernedByName(
  tx: PeopleTransaction,
  { workspace }: CrmContext,
  group: LockedGroup,
  displayName: string,
): Promise<readonly string[]> {
  if (displayName === group.displayName || group.departmentId === null) return []
  const members = await matchingMembers(tx, workspace.id, group.id, sql`true`)
  refuseBreakGlass(workspace, members)
  return concern(tx, members)
}

/**
 * Gives people the roles and the department of their groups. A group that gives nothing changes nobody: the guard of reach lets
 * people join it who reach further than the directory, so it must not bring them what another group gives either. A group without a
 * department moves nobody.
 */
async function follow(
  tx: PeopleTransaction,
  context: CrmContext,
  { givesRights, departmentId: former }: LockedGroup,
  people: readonly string[],
): Promise<void> {
  if (!givesRights) return
  await followGroupsOpenly(tx, context, people)
  if (former !== null) await followDepartments(tx, context, { people, former })
}

/**
 * Changes members under the lock of their group; returns the people who joined or left. The guard of reach judges these very people,
 * whatever the document looks like.
 */
async function changeMembers(
  tx: PeopleTransaction,
  { workspace }: CrmContext,
  { id, givesRights }: Pick<LockedGroup, 'id' | 'givesRights'>,
  changes: readonly ScimChange[],
): Promise<readonly string[]> {
  const changed = new Set<string>()
  const name = (people: readonly string[]) => {
    people.forEach((person) => changed.add(person))
    return concern(tx, people, { isUse: givesRights })
  }
  const add = async (people: readonly string[]): Promise<void> => {
    const { outside, unknown } = await outsideGroup(tx, workspace.id, id, people)
    if (unknown.length > 0) throw invalidField('members', `There is no person ${unknown.slice(0, 3).join(', ')}`)
    await addMembers(tx, workspace.id, id, await name(outside))
  }
  const remove = async (matching: SQL): Promise<void> =>
    removeMembers(tx, workspace.id, id, await name(await matchingMembers(tx, workspace.id, id, matching)))
  for (const change of changes) {
    if (change.attribute !== 'members') continue
    const { verb, of, value } = change
    if (verb === 'remove') await remove(leaving(change))
    else if (of !== null) {
      const matching = await matchingMembers(tx, workspace.id, id, toSql(of.match, memberAttributes))
      throw matching.length === 0
        ? refused('noTarget', 'No member matches the condition')
        : refused('invalidPath', 'Members are added by their ids')
    } else {
      const people = idsOf(value)
      if (verb !== 'add') await remove(sql`NOT ${isAmong(people)}`)
      await add(people)
    }
  }
  refuseBreakGlass(workspace, changed)
  return [...changed]
}

/** The members that a removal names: by a filter, by their ids, or all of them. */
function leaving({ of, value }: ScimChange): SQL {
  if (of) return toSql(of.match, memberAttributes)
  return value === undefined || value === null ? sql`true` : isAmong(idsOf(value).filter(isId))
}

function idsOf(value: unknown): readonly string[] {
  if (value === null || value === undefined) return []
  const list = (Array.isArray(value) ? value : [value]) as readonly unknown[]
  if (list.length > membersMax) throw refused('tooMany', `A request names at most ${membersMax} members`)
  const ids = list.filter((entry) => entry !== null).map((entry) => referenceOf(entry))
  const wrong = ids.find((id) => typeof id !== 'string' || !isId(id))
  if (wrong !== undefined || ids.includes(undefined))
    throw invalidField('members', `There is no person ${String(wrong)}`)
  return (ids as string[]).map((id) => id.toLowerCase())
}

/** Returns the fields of a group besides its members. */
function fieldsIn(changes: readonly ScimChange[]): { displayName?: string | null; externalId?: string | null } {
  return Object.assign(
    {},
    ...changes.map((change) => {
      const given = change.verb === 'remove' ? { ...change, value: null } : change
      switch (change.attribute) {
        case 'displayname':
          return { displayName: textOf(given, 200) }
        case 'externalid':
          return { externalId: textOf(given, 255) }
        case 'members':
        case 'schemas':
        case 'id':
        case 'meta':
          return {}
        default:
          if (change.verb === 'set' || change.attribute.startsWith('urn:')) return {}
          throw refused('invalidPath', `There is no attribute ${change.attribute}`)
      }
    }),
  ) as { displayName?: string | null; externalId?: string | null }
}

function noGroup(): ApiError {
  return new ApiError('NOT_FOUND', { message: 'There is no such group' })
}
