import { email, scimSchemas, timeZone, type ScimUser } from '@crm/contract'
import { invalidField } from '@crm/errors'
import type { PersonRow } from './scim.people.repository.ts'
import type { ScimFilter } from './scim.filter.ts'
import { isId, referenceOf, refused, textOf, truthOf, type ScimChange } from './scim.operations.ts'

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

const readers: Readonly<Record<string, Reader>> = {
  username: (change) => ({ email: addressOf(change) }),
  emails: (change) => emailsChange(change),
  'emails.value': (change) => (change.verb === 'remove' ? {} : { email: addressOf(change) }),
  'name.givenname': (change) => ({ firstName: textOf(change, 100) }),
  'name.familyname': (change) => ({ lastName: textOf(change, 100) }),
  displayname: (change) => ({ displayName: textOf(change, 200) }),
  externalid: (change) => ({ externalId: textOf(change, 255) }),
  active: (change) => (change.verb === 'remove' ? {} : { active: truthOf(change) }),
  timezone: (change) => ({ timezone: zoneOf(change) }),
  [`${enterprise}:department`]: (change) => ({ department: textOf(change, 200) }),
  [`${enterprise}:manager`]: (change) => ({ managerId: managerOf(change) }),
  [`${enterprise}:manager.value`]: (change) => ({ managerId: managerOf(change) }),
  [enterprise]: ({ verb }) => (verb === 'remove' ? { department: null, managerId: null } : {}),
  name: ({ verb }) => (verb === 'remove' ? { firstName: null, lastName: null } : {}),
}

/** Attributes of RFC 7643 that the product has no place for; directories send them all the same. */
const ignored = new Set(
  [
    'schemas id meta groups password name nickName profileUrl title userType preferredLanguage locale phoneNumbers ims photos',
    'addresses entitlements roles x509Certificates',
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

function readOne(change: ScimChange): PersonChange {
  const { attribute, verb } = change
  if (verb === 'remove' && attribute === 'username') throw refused('mutability', 'A person needs a userName')
  const read = readers[attribute]
  if (change.of && attribute.startsWith('emails') && !isAboutWork(change.of)) return {}
  if (read) return read(verb === 'remove' ? { ...change, value: null } : change)
  const [first = ''] = attribute.split('.')
  if (ignored.has(first) || attribute.startsWith('urn:') || attribute.startsWith('emails.')) return {}
  throw refused('invalidPath', `There is no attribute ${attribute}`)
}

/** Whether a filter in brackets can choose the address for work, which is the only one that the product has. */
function isAboutWork(of: ScimFilter): boolean {
  return matchesWork(of) !== false
}

/** Whether the address for work matches; null where that depends on what the product does not compare here. */
function matchesWork(filter: ScimFilter): boolean | null {
  switch (filter.kind) {
    case 'and': {
      const parts = filter.parts.map(matchesWork)
      return parts.includes(false) ? false : parts.includes(null) ? null : true
    }
    case 'or': {
      const parts = filter.parts.map(matchesWork)
      return parts.includes(true) ? true : parts.includes(null) ? null : false
    }
    case 'not': {
      const part = matchesWork(filter.part)
      return part === null ? null : !part
    }
    case 'compare':
      return comparesWith(filter)
    case 'present':
    case 'some':
      return null
  }
}

function comparesWith({ attribute, operator, value }: Extract<ScimFilter, { kind: 'compare' }>): boolean | null {
  if (attribute !== 'type' && attribute !== 'primary') return null
  const [known, wanted] = [attribute === 'type' ? 'work' : 'true', String(value).toLowerCase()]
  if (operator === 'eq') return known === wanted
  if (operator === 'ne') return known !== wanted
  if (operator === 'co') return known.includes(wanted)
  if (operator === 'sw') return known.startsWith(wanted)
  return operator === 'ew' ? known.endsWith(wanted) : null
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

function addressOf({ attribute, value }: ScimChange): string {
  const read = email.safeParse(value)
  if (!read.success) throw invalidField(attribute, 'Expected an email address')
  return read.data
}

/**
 * Of several addresses the one for work counts, or else of those that say nothing about their use the primary one, or the first. An
 * address for something else is not the one with which somebody signs in.
 */
function emailsChange(change: ScimChange): PersonChange {
  if (change.verb === 'remove' || change.value === null) return {}
  const list = (Array.isArray(change.value) ? change.value : [change.value]) as readonly unknown[]
  const entries = list.map((entry) =>
    typeof entry === 'object' && entry !== null ? (entry as Readonly<Record<string, unknown>>) : { value: entry },
  )
  const untyped = entries.filter(({ type }) => type === undefined || type === null || type === '')
  const chosen =
    entries.find((entry) => String(entry['type']).toLowerCase() === 'work') ??
    untyped.find((entry) => String(entry['primary']).toLowerCase() === 'true') ??
    untyped[0]
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
