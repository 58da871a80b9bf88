import { isId } from '@crm/db'
import { email, scimSchemas, timeZone, type ScimUser } from '@crm/contract'
import { invalidField } from '@crm/errors'
import type { PersonRow } from './scim.people.repository.ts'
import { referenceOf, refused, textOf, truthOf, type ScimChange } from './scim.operations.ts'

/** The changes of a person that a directory asks for; what is absent stays. */
export interface PersonChange {
  email?: string
  firstName?: string | null
  lastName?: string | null
  displayName?: string | null
  externalId?: string | null
  timezone?: string | null
  /** The name of the department. */
  department?: string | null
  managerId?: string | null
  active?: boolean
}

const enterprise = scimSchemas.enterpriseUser.toLowerCase()

type Reader = (change: ScimChange) => PersonChange

const noNames = { firstName: null, lastName: null }
const noExtension = { department: null, managerId: null }
const isTaken = ({ verb, value }: ScimChange) => verb === 'remove' || value === null

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['username', signInChange],
  ['emails', emailsChange],
  ['emails.value', signInChange],
  ['name.givenname', (change) => ({ firstName: textOf(change, 100) })],
  ['name.familyname', (change) => ({ lastName: textOf(change, 100) })],
  ['displayname', (change) => ({ displayName: textOf(change, 200) })],
  ['externalid', (change) => ({ externalId: textOf(change, 255) })],
  ['active', activeChange],
  ['timezone', (change) => ({ timezone: zoneOf(change) })],
  [`${enterprise}:department`, (change) => ({ department: textOf(change, 200) })],
  [`${enterprise}:manager`, (change) => ({ managerId: managerOf(change) })],
  [`${enterprise}:manager.value`, (change) => ({ managerId: managerOf(change) })],
  [enterprise, (change) => (isTaken(change) ? noExtension : {})],
  ['name', (change) => (isTaken(change) ? noNames : {})],
])

/** Attributes of RFC 7643 that the product has no place for; directories send them all the same. */
const ignored = new Set(
  [
    'schemas id meta groups password name nickName profileUrl title userType preferredLanguage locale phoneNumbers ims photos',
    'addresses entitlements roles x509Certificates emails',
  ]
    .join(' ')
    .toLowerCase()
    .split(' '),
)

/** Unites the changes of a directory; a later one counts more than an earlier one, and the user name more than the addresses. */
export function readPersonChange(changes: readonly ScimChange[]): PersonChange {
  const inOrder = changes.toSorted(
    (one, other) => Number(one.attribute === 'username') - Number(other.attribute === 'username'),
  )
  return Object.assign({}, ...inOrder.map((change) => readOne(change))) as PersonChange
}

/** Returns the changes whose conditions decide about a person; those of attributes without a place are ignored with them. */
export function conditionalChanges(changes: readonly ScimChange[]): readonly ScimChange[] {
  return changes.filter(({ of }) => of !== null && readers.has(of.values))
}

function readOne(change: ScimChange): PersonChange {
  const { attribute, verb } = change
  if (verb === 'remove' && attribute === 'username') throw refused('mutability', 'A person needs a userName')
  const read = readers.get(attribute)
  if (read) return read(verb === 'remove' ? { ...change, value: null } : change)
  const [first = ''] = attribute.split('.')
  if (verb === 'set' || ignored.has(first) || attribute.startsWith('urn:')) return {}
  throw refused('invalidPath', `There is no attribute ${attribute}`)
}

/** The whole of a person as a directory sends it: what it leaves out is empty. */
export function readWholePerson(changes: readonly ScimChange[]): PersonChange & { email: string } {
  const known = readPersonChange(changes)
  if (known.email === undefined) throw invalidField('userName', 'A person needs a userName')
  const empty = {
    firstName: null,
    lastName: null,
    displayName: null,
    externalId: null,
    department: null,
    managerId: null,
  }
  return { ...empty, ...known, email: known.email }
}

/** An address is replaced, never added to, so that no alias becomes the one with which somebody signs in; nor is it taken away. */
function signInChange(change: ScimChange): PersonChange {
  return change.verb === 'add' || change.value === null ? {} : { email: addressOf(change) }
}

function addressOf({ attribute, value }: ScimChange): string {
  const read = email.safeParse(value)
  if (!read.success) throw invalidField(attribute, 'Expected an email address')
  return read.data
}

function activeChange(change: ScimChange): PersonChange {
  const active = truthOf(change)
  return active === undefined ? {} : { active }
}

/**
 * Of several addresses the one for work counts, the primary one first, or else of those that say nothing about their use the primary
 * one, or the first. An address for something else is not the one with which somebody signs in. One that is added becomes it only
 * where the directory calls it the primary one for work.
 */
function emailsChange(change: ScimChange): PersonChange {
  if (change.value === null) return {}
  const list = (Array.isArray(change.value) ? change.value : [change.value]) as readonly unknown[]
  const entries = list
    .map((entry) =>
      typeof entry === 'object' && entry !== null ? (entry as Readonly<Record<string, unknown>>) : { value: entry },
    )
    .filter(({ value }) => value !== null && value !== undefined)
  const forWork = entries.filter(({ type }) => String(type).toLowerCase() === 'work')
  const untyped = entries.filter(({ type }) => type === undefined || type === null || type === '')
  const isPrimary = ({ primary }: Readonly<Record<string, unknown>>) => String(primary).toLowerCase() === 'true'
  const chosen =
    change.verb === 'add'
      ? forWork.find(isPrimary)
      : (forWork.find(isPrimary) ?? forWork[0] ?? untyped.find(isPrimary) ?? untyped[0])
  return chosen ? { email: addressOf({ ...change, value: chosen['value'] }) } : {}
}

function zoneOf(change: ScimChange): string | null {
  const text = textOf(change, 64)
  // Directories send zones in many forms; a zone that the product cannot use is none.
  return text !== null && timeZone.safeParse(text).success ? text : null
}

function managerOf({ attribute, value }: ScimChange): string | null {
  const reference = referenceOf(value)
  if (reference === null || reference === undefined || reference === '') return null
  if (typeof reference !== 'string' || !isId(reference)) throw invalidField(attribute, 'Expected the id of a person')
  return reference.toLowerCase()
}

/** Returns a person as directories see them. */
export function toScimUser(
  person: PersonRow,
  groups: readonly { readonly id: string; readonly displayName: string }[],
  root: string,
): ScimUser {
  const { id, externalId, email: address, firstName, lastName, managerId } = person
  const hasExtension = person.department !== null || managerId !== null
  return {
    schemas: [scimSchemas.user, ...(hasExtension ? [scimSchemas.enterpriseUser] : [])],
    id,
    externalId: externalId ?? undefined,
    userName: address,
    displayName: person.displayName,
    name: { formatted: person.formatted, givenName: firstName ?? undefined, familyName: lastName ?? undefined },
    active: person.status === 'ACTIVE',
    timezone: person.timezone ?? undefined,
    emails: [{ value: address, type: 'work', primary: true }],
    groups: groups.map((group) => ({
      value: group.id,
      display: group.displayName,
      $ref: `${root}/Groups/${group.id}`,
    })),
    [scimSchemas.enterpriseUser]: hasExtension
      ? {
          department: person.department ?? undefined,
          manager: managerId
            ? { value: managerId, displayName: person.managerName, $ref: `${root}/Users/${managerId}` }
            : undefined,
        }
      : undefined,
    meta: {
      resourceType: 'User',
      created: person.createdAt,
      lastModified: person.updatedAt,
      location: `${root}/Users/${id}`,
    },
  }
}
