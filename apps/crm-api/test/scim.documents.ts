import { scimSchemas } from '@crm/contract'
import fc from 'fast-check'

/** JSON as text, with what a parser and its reader may see differently: escapes, names in other letters, names given twice. */
type Odd = string | number | boolean | null | readonly Odd[] | { readonly members: readonly (readonly [string, Odd])[] }

/** One request of a directory; `{n}` in its texts stands for the id of person n, and `<n>` for their address. */
export interface DirectoryRequest {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly kind: 'Users' | 'Groups'
  /** The index of the person or the group of the path. */
  readonly target: number
  /** Whether the id in the path is in capitals. */
  readonly isLoud: boolean
  readonly body: Odd | undefined
}

const object = (...members: readonly (readonly [string, Odd])[]): Odd => ({ members })

/** Writes a document; letters before which a `~` stands are written as escapes. */
function writeOdd(value: Odd, name: (text: string) => string): string {
  if (typeof value === 'string') return escaped(JSON.stringify(name(value)))
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (!('members' in value)) return `[${value.map((one) => writeOdd(one, name)).join()}]`
  return `{${value.members.map(([key, part]) => `${escaped(JSON.stringify(key))}:${writeOdd(part, name)}`).join()}}`
}

function escaped(text: string): string {
  return text.replaceAll(/~(.)/g, (_all, sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** A name in any letters, some of them as escapes. */
const spelled = (text: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(text) },
    fc.constantFrom(text.toUpperCase(), text.toLowerCase(), `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`),
    fc.constant(`~${text}`),
  )

/** More often people whom the directory may change. */
const person = fc.constantFrom(0, 1, 1, 1, 2, 2, 2, 3, 4, 5, 6)
const id = fc
  .tuple(person, fc.nat(5))
  .map(([n, form]) => (form === 0 ? `{${n}:loud}` : form === 1 ? `{${n}:escaped}` : `{${n}}`))
const address = fc.tuple(person, fc.nat(4)).map(([n, form]) => (form === 0 ? ` <${n}:loud>` : `<${n}>`))
const newAddress = fc.nat(5).map((n) => `new${n}@walk.example`)

const reference: fc.Arbitrary<Odd> = fc.oneof(
  id,
  id.chain((value) => spelled('value').map((key) => object([key, value]))),
  fc.tuple(id, id).map(([one, other]) => object(['value', one], ['value', other])),
  fc.tuple(id, id).map(([one, other]) => object(['$ref', `../Users/${one}`], ['value', other])),
)
const members: fc.Arbitrary<Odd> = fc.oneof(fc.array(reference, { maxLength: 3 }), reference, fc.constantFrom(null, ''))

const operand = fc.oneof(
  id.map((value) => `value eq "${value}"`),
  id.map((value) => `value ne "${value}"`),
  fc.constantFrom(
    'display sw "P"',
    'display co "a"',
    'type eq "User"',
    'value pr',
    'value sw "0"',
    'not (value eq "x")',
  ),
)
const filter = fc.oneof(
  operand,
  fc.tuple(operand, fc.constantFrom(' and ', ' or ', ' AND '), operand).map((parts) => parts.join('')),
)
const membersPath = fc.oneof(
  spelled('members'),
  fc.constantFrom(`${scimSchemas.group}:members`, `${scimSchemas.user}:members`),
  filter.map((text) => `members[${text}]`),
  filter.map((text) => `members[ ${text} ].value`),
)

const truth = fc.constantFrom<Odd>(true, false, 'True', 'False', 'false')
const department = fc.constantFrom('Mine', 'Far', 'far', 'Nowhere', '')
const emails = fc.oneof(
  fc.oneof(address, newAddress).map((value): Odd => [object(['value', value], ['type', 'work'])]),
  fc.oneof(address, newAddress).map((value): Odd => [object(['type', 'home'], ['value', value])]),
  address.map((value): Odd => value),
)

/** An attribute of a person with its value. */
const personAttribute: fc.Arbitrary<readonly [string, Odd]> = fc.oneof(
  fc.tuple(spelled('userName'), fc.oneof(address, newAddress)),
  fc.tuple(fc.constant(`${scimSchemas.user}:userName`), address),
  fc.tuple(
    fc.constant(scimSchemas.user),
    address.map((value) => object(['userName', value])),
  ),
  fc.tuple(
    fc.constant(scimSchemas.user),
    truth.map((value) => object(['active', value])),
  ),
  fc.tuple(spelled('emails'), emails),
  fc.tuple(spelled('active'), truth),
  fc.tuple(fc.constant('displayName'), fc.constantFrom('Pat', 'Other')),
  fc.tuple(
    fc.constant(scimSchemas.enterpriseUser),
    department.map((value) => object(['department', value])),
  ),
  fc.tuple(fc.constant(`${scimSchemas.enterpriseUser}:department`), department),
)
const personPath = fc.oneof(
  personAttribute,
  fc.tuple(fc.constantFrom('emails[type eq "work"].value', 'emails[primary eq true].value', 'emails.value'), address),
)

const groupAttribute: fc.Arbitrary<readonly [string, Odd]> = fc.oneof(
  fc.tuple(spelled('members'), members),
  fc.tuple(fc.constant(`${scimSchemas.group}:members`), members),
  fc.tuple(
    fc.constant(scimSchemas.group),
    members.map((value) => object(['members', value])),
  ),
  fc.tuple(spelled('displayName'), fc.constantFrom('A', 'M', 'Z', 'Walk')),
)

const verb = fc.constantFrom('add', 'replace', 'remove').chain(spelled)

/** One operation of a PATCH: with a path or without, in any order, and sometimes with a name given twice. */
function operation(
  attribute: fc.Arbitrary<readonly [string, Odd]>,
  withPath: fc.Arbitrary<readonly [string, Odd]>,
): fc.Arbitrary<Odd> {
  const parts = fc.oneof(
    {
      weight: 3,
      arbitrary: withPath.map(
        ([path, value]) =>
          [
            ['path', path],
            ['value', value],
          ] as const,
      ),
    },
    { weight: 1, arbitrary: withPath.map(([path]) => [['path', path]] as const) },
    { weight: 2, arbitrary: attribute.map((one) => [['value', object(one)]] as const) },
  )
  return fc
    .tuple(
      verb,
      parts,
      fc.oneof(
        { weight: 9, arbitrary: fc.constant(null) },
        fc.tuple(fc.constantFrom('OP', 'op', 'PATH', 'Value'), verb),
      ),
    )
    .chain(([op, chosen, twice]) =>
      fc
        .tuple(spelled('op'), fc.shuffledSubarray([...chosen], { minLength: chosen.length }))
        .map(([key, rest]) => object([key, op], ...rest, ...(twice ? [twice] : []))),
    )
}

const patched = (one: fc.Arbitrary<Odd>): fc.Arbitrary<Odd> =>
  fc
    .tuple(spelled('Operations'), fc.array(one, { minLength: 1, maxLength: 3 }))
    .map(([key, list]) => object(['schemas', [scimSchemas.patch]], [key, list]))
const whole = (attribute: fc.Arbitrary<readonly [string, Odd]>, needed: fc.Arbitrary<readonly [string, Odd]>) =>
  fc.tuple(needed, fc.array(attribute, { maxLength: 3 })).map(([first, more]) => object(first, ...more))

const userBody = whole(personAttribute, fc.tuple(spelled('userName'), fc.oneof(address, newAddress)))
const loose = fc.array(personAttribute, { minLength: 1, maxLength: 3 }).map((parts) => object(...parts))
const groupBody = whole(groupAttribute, fc.tuple(fc.constant('displayName'), fc.constantFrom('A', 'M', 'Z', 'Walk')))
const memberOperation = fc.oneof(
  { weight: 4, arbitrary: operation(groupAttribute, fc.tuple(membersPath, members)) },
  { weight: 1, arbitrary: operation(groupAttribute, groupAttribute) },
)

const target = { target: person, isLoud: fc.boolean() }
const request = (
  method: DirectoryRequest['method'],
  kind: DirectoryRequest['kind'],
  body: fc.Arbitrary<Odd | undefined>,
): fc.Arbitrary<DirectoryRequest> =>
  fc.record({ ...target, method: fc.constant(method), kind: fc.constant(kind), body })

/** Any request of a directory, in forms that standards allow, that directories send, or that nobody sends. */
export const anyDirectoryRequest: fc.Arbitrary<DirectoryRequest> = fc.oneof(
  { weight: 8, arbitrary: request('PATCH', 'Groups', patched(memberOperation)) },
  { weight: 3, arbitrary: request('PUT', 'Groups', groupBody) },
  { weight: 1, arbitrary: request('POST', 'Groups', groupBody) },
  { weight: 1, arbitrary: request('DELETE', 'Groups', fc.constant(undefined)) },
  { weight: 5, arbitrary: request('POST', 'Users', fc.oneof(userBody, loose)) },
  { weight: 4, arbitrary: request('PATCH', 'Users', patched(operation(personAttribute, personPath))) },
  { weight: 3, arbitrary: request('PUT', 'Users', userBody) },
  { weight: 1, arbitrary: request('DELETE', 'Users', fc.constant(undefined)) },
)

/** Returns the path and the text of a request, with the ids of a world. */
export function written(
  { method, kind, target, isLoud, body }: DirectoryRequest,
  people: readonly { readonly id: string; readonly email: string }[],
  groups: readonly string[],
): [string, string | undefined] {
  const formed = (text: string, form: string | undefined) =>
    form === 'loud' ? text.toUpperCase() : form === 'escaped' ? text.replace('-', '~-') : text
  const name = (text: string) =>
    text
      .replaceAll(/\{(\d)(?::(\w+))?\}/g, (_all, n: string, form?: string) => formed(people[Number(n)]?.id ?? '', form))
      .replaceAll(/<(\d)(?::(\w+))?>/g, (_all, n: string, form?: string) =>
        formed(people[Number(n)]?.email ?? '', form),
      )
  const id = kind === 'Users' ? people[target]?.id : groups[target % groups.length]
  const place = method === 'POST' ? '' : `/${formed(id ?? '', isLoud ? 'loud' : undefined)}`
  return [`/api/scim/v2/${kind}${place}`, body === undefined ? undefined : writeOdd(body, name)]
}
