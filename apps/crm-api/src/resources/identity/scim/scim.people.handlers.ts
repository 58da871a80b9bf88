import { scimUsers, type ScimUser } from '@crm/contract'
import { isId, fieldChanges, newId, personAction, schema, type PeopleTransaction, type Transaction } from '@crm/db'
import { ApiError, invalidReference } from '@crm/errors'
import { fullName } from '@crm/identity'
import { endCredentials } from '../../../domain/people/people.credentials.ts'
import { isUser, tellOfPerson } from '../../../domain/people/people.records.ts'
import { followGroupsOpenly } from '../../../domain/people/people.roles.ts'
import { leaveAddress } from '../../../domain/sign-in/leave-address.ts'
import { endSessions } from '../../../domain/sign-in/sessions.repository.ts'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { concern, concernNewcomer, type Concerned } from '../../../reach/concerned-people.ts'
import { audit, changingPeople } from '../../../records/audit.ts'
import { withUniqueFields } from '../../../records/unique.ts'
import { scimCondition } from './scim.conditions.ts'
import { requireTargets } from './scim.matching.ts'
import { readOperations, readResource, refuseBreakGlass, type ScimChange } from './scim.operations.ts'
import {
  conditionalChanges,
  readPersonChange,
  readWholePerson,
  toScimUser,
  type PersonChange,
} from './scim.people.attributes.ts'
import {
  departmentNamed,
  findPerson,
  groupsOf,
  leaveGroups,
  listPeople,
  lockByAddress,
  lockPerson,
  personAttributes,
  updatePerson,
  writeScimFacts,
  type PersonRow,
} from './scim.people.repository.ts'
import { listed, readPage, shaped, wants, type AskedShape } from './scim.shape.ts'

const { employees } = schema
const uniqueFields = { employees_email: 'userName' }

type EmployeeRow = typeof employees.$inferSelect

export const implementedScimUsers = implement(scimUsers, {
  list: async ({ query }, context) => {
    const page = readPage(query)
    const where = scimCondition(query.filter, personAttributes)
    const { items, total } = await listPeople(context.db, context.workspace.id, where, page)
    return listed(total, page, await shown(context, items, query))
  },

  get: async ({ params, query }, context) => readPerson(context, params.id, query),

  create: async ({ body, query }, context) => {
    const wanted = readWholePerson(readResource(body))
    const id = await changingPeople(context, async (tx) => {
      const account = await lockByAddress(tx, context.workspace.id, wanted.email)
      if (account && (account.status !== 'TERMINATED' || account.kind === 'SERVICE')) throw taken()
      return account
        ? revive(tx, context, await concernedBy(tx, context, account), wanted)
        : provision(tx, context, wanted)
    })
    context.setHeader('location', `${context.workspace.baseUrl}/api/scim/v2/Users/${id}`)
    return readPerson(context, id, query)
  },

  replace: async ({ params, body, query }, context) => {
    const wanted = readWholePerson(readResource(body))
    await changeUnderLock(context, params.id, wanted)
    return readPerson(context, params.id, query)
  },

  change: async ({ params, body, query }, context) => {
    const changes = readOperations(body)
    await changeUnderLock(context, params.id, readPersonChange(changes), conditionalChanges(changes))
    return readPerson(context, params.id, query)
  },

  delete: async ({ params }, context) => {
    await changingPeople(context, async (tx) => {
      const { workspace, at } = context
      const current = await requirePerson(tx, context, params.id)
      await updatePerson(tx, workspace.id, current.id, { status: 'TERMINATED', updatedAt: at })
      await writeScimFacts(tx, workspace.id, current.id, { isSuspended: false })
      await leaveGroups(tx, workspace.id, current.id)
      await followGroupsOpenly(tx, context, [current.id])
      await endAccess(tx, context, current.id)
      await audit(tx, context, {
        action: 'user.terminated',
        ...aboutPerson(current, 'Terminated'),
        changes: fieldChanges(current, { status: 'TERMINATED' }),
      })
      await tellOfPerson(tx, context, 'employee.deleted', current.id)
    })
    return undefined as never
  },
})

async function shown(context: CrmContext, people: readonly PersonRow[], asked: AskedShape): Promise<ScimUser[]> {
  const ids = people.map(({ id }) => id)
  const groups = wants('groups', asked) ? await groupsOf(context.db, context.workspace.id, ids) : new Map()
  const root = `${context.workspace.baseUrl}/api/scim/v2`
  return people.map((person) => shaped(toScimUser(person, groups.get(person.id) ?? [], root), asked))
}

async function readPerson(context: CrmContext, id: string, asked: AskedShape): Promise<ScimUser> {
  const person = isId(id) ? await findPerson(context.db, context.workspace.id, id) : undefined
  if (!person) throw nobody()
  return (await shown(context, [person], asked))[0]!
}

/** A person whom the guard of reach judges. */
type ConcernedPerson = EmployeeRow & { readonly id: Concerned }

async function requirePerson(tx: PeopleTransaction, context: CrmContext, id: string): Promise<ConcernedPerson> {
  const person = isId(id) ? await lockPerson(tx, context.workspace.id, id) : undefined
  if (!person) throw nobody()
  return concernedBy(tx, context, person)
}

/** Lets the guard judge the very person who is locked, however the request named them. */
async function concernedBy(
  tx: PeopleTransaction,
  { workspace }: CrmContext,
  person: EmployeeRow,
): Promise<ConcernedPerson> {
  refuseBreakGlass(workspace, [person.id])
  const [id] = await concern(tx, [person.id])
  return { ...person, id: id! }
}

async function provision(
  tx: PeopleTransaction,
  context: CrmContext,
  wanted: PersonChange & { email: string },
): Promise<string> {
  const id = concernNewcomer(tx, newId())
  const { workspace, at } = context
  const fields = await employeeFields(tx, context, wanted)
  const status = wanted.active === false ? 'SUSPENDED' : 'ACTIVE'
  await withUniqueFields(uniqueFields, () =>
    tx.insert(employees).values({
      ...fields,
      email: wanted.email,
      workspaceId: workspace.id,
      id,
      status,
      createdById: context.caller.employee.id,
      createdAt: at,
      updatedAt: at,
    }),
  )
  await writeScimFacts(tx, workspace.id, id, { ...scimFacts(wanted), isSuspended: status === 'SUSPENDED' })
  await audit(tx, context, {
    action: 'user.provisioned',
    ...aboutPerson(
      { id, email: wanted.email, firstName: fields.firstName ?? null, lastName: fields.lastName ?? null },
      'Added',
    ),
    changes: fieldChanges({}, { ...fields, email: wanted.email, status }),
  })
  await tellOfPerson(tx, context, 'employee.created', id)
  return id
}

/** A person who comes back keeps the account, with the roles that were given by hand. */
async function revive(
  tx: PeopleTransaction,
  context: CrmContext,
  account: ConcernedPerson,
  wanted: PersonChange & { email: string },
): Promise<string> {
  const { workspace, at } = context
  const status = wanted.active === false ? 'SUSPENDED' : 'ACTIVE'
  const fields = { ...(await employeeFields(tx, context, wanted)), email: wanted.email, status } as const
  await updatePerson(tx, workspace.id, account.id, { ...fields, updatedAt: at })
  await writeScimFacts(tx, workspace.id, account.id, { ...scimFacts(wanted), isSuspended: status === 'SUSPENDED' })
  await endAccess(tx, context, account.id)
  await audit(tx, context, {
    action: 'user.provisioned',
    ...aboutPerson(account, 'Brought back'),
    changes: fieldChanges(account, fields),
  })
  await tellOfPerson(tx, context, 'employee.updated', account.id)
  return account.id
}

async function changeUnderLock(
  context: CrmContext,
  id: string,
  wanted: PersonChange,
  conditional: readonly ScimChange[] = [],
): Promise<void> {
  const workspaceId = context.workspace.id
  await changingPeople(context, async (tx) => {
    const current = await requirePerson(tx, context, id)
    if (conditional.length > 0) {
      const person = await findPerson(tx, workspaceId, current.id)
      requireTargets(conditional, person ? toScimUser(person, [], '') : {})
    }
    const status = await nextStatus(tx, context, current, wanted.active)
    const fields = { ...(await employeeFields(tx, context, wanted)), status }
    const changes = fieldChanges(current, fields)
    await writeScimFacts(tx, workspaceId, current.id, scimFacts(wanted))
    if (changes.length === 0) return
    await withUniqueFields(uniqueFields, () =>
      updatePerson(tx, workspaceId, current.id, { ...fields, updatedAt: context.at }),
    )
    await leaveAddress(tx, context, current, fields.email)
    if (status !== current.status) await endAccess(tx, context, current.id)
    await audit(tx, context, { ...actionOf(current, status), changes })
    await tellOfPerson(tx, context, 'employee.updated', id)
  })
}

function actionOf(current: EmployeeRow, status: EmployeeRow['status']) {
  const verb = status === current.status ? 'Changed' : status === 'SUSPENDED' ? 'Suspended' : 'Reactivated'
  return { action: personAction(current.status, status), ...aboutPerson(current, verb) }
}

/** A directory suspends anybody, but brings back only whom it has suspended itself. */
async function nextStatus(
  tx: Transaction,
  { workspace }: CrmContext,
  current: EmployeeRow,
  active: boolean | undefined,
): Promise<EmployeeRow['status']> {
  if (active === undefined) return current.status
  if (!active) {
    if (current.status === 'ACTIVE') await writeScimFacts(tx, workspace.id, current.id, { isSuspended: true })
    return 'SUSPENDED'
  }
  if (current.status === 'ACTIVE') return 'ACTIVE'
  const person = await findPerson(tx, workspace.id, current.id)
  if (!person?.isSuspended) return current.status
  await writeScimFacts(tx, workspace.id, current.id, { isSuspended: false })
  return 'ACTIVE'
}

/** Ends sessions, keys and connections at once. A person who comes back signs in anew and makes new ones. */
async function endAccess(tx: Transaction, context: CrmContext, id: string): Promise<void> {
  await endSessions(tx, context, { employeeId: id })
  await endCredentials(tx, context, id)
}

/** Returns the columns of a change; a person without a first and a last name has the displayed one. */
async function employeeFields(tx: Transaction, context: CrmContext, wanted: PersonChange) {
  const { email, firstName, lastName, displayName, timezone, department, managerId } = wanted
  if (managerId) await requireManager(tx, context, managerId)
  const hasNames = firstName !== null || lastName !== null
  return definedOnly({
    email,
    firstName: hasNames ? firstName : (displayName?.slice(0, 100) ?? null),
    lastName,
    timezone,
    managerId,
    departmentId:
      department === undefined || department === null
        ? department
        : await departmentNamed(tx, context.workspace.id, department),
  })
}

function scimFacts({ externalId, department, displayName }: PersonChange) {
  return definedOnly({ externalId, department, displayName })
}

async function requireManager(tx: Transaction, context: CrmContext, managerId: string): Promise<void> {
  const [manager] = await tx.select({ id: employees.id }).from(employees).where(isUser(context, managerId))
  if (!manager) throw invalidReference('manager')
}

function aboutPerson(person: Pick<EmployeeRow, 'id' | 'firstName' | 'lastName' | 'email'>, verb: string) {
  return { subjectType: 'EMPLOYEE', subjectId: person.id, summary: `${verb} ${fullName(person)}` }
}

function definedOnly<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields
}

function nobody(): ApiError {
  return new ApiError('NOT_FOUND', { message: 'There is no such person' })
}

function taken(): ApiError {
  return new ApiError('NAME_TAKEN', { message: 'Somebody has this userName already' })
}
