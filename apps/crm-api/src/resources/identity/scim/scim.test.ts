import { newId, schema } from '@crm/db'
import { accessTokenPrefix, digest, newSecret } from '@crm/identity'
import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { apiUnderTest, type Call } from '../../../../test/harness.ts'
import { entraRequests, oktaRequests } from './scim.fixtures.ts'

const api = await apiUnderTest()
const { db } = api
/** A name in braces, in an address too. */
const braces = /(?:\{|%7B)(\w+)(?:\}|%7D)/g
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** A workspace with a directory that has the roles named. */
async function directory(roleNames: readonly string[] = ['Administrator']) {
  const workspace = await api.newWorkspace()
  const cookie = await workspace.session()
  const settings = (method: Call['method'], path: string, body?: unknown) =>
    api.call({ method, path: `/api/settings/${path}`, cookie, body }, workspace)
  const roleIds = roleNames.map((name) => workspace.roleIds[name] as string)
  const owner = (await settings('POST', 'users', { kind: 'SERVICE', name: 'Directory', roleIds })).body.data
    .id as string
  const made = await settings('POST', 'scim-tokens', { name: 'Okta', ownerId: owner })
  const token = made.body.data.token as string
  const scim = async (method: Call['method'], path: string, body?: unknown) => {
    const answer = await api.call({ method, path: `/api/scim/v2${path}`, key: token, body }, workspace)
    if (answer.status !== 204) expect(answer.headers['content-type']).toBe('application/scim+json; charset=utf-8')
    return { status: answer.status, body: answer.body }
  }
  const person = async (userName = `${newId().slice(-8)}@corp.example`, more: object = {}) =>
    (await scim('POST', '/Users', { userName, name: { givenName: 'Pat', familyName: 'Doe' }, ...more })).body
  const found = async (filter: string, kind = 'Users') =>
    (await scim('GET', `/${kind}?filter=${encodeURIComponent(filter)}`)).body
  const patch = (path: string, ...Operations: object[]) => scim('PATCH', path, { Operations })
  return { workspace, cookie, settings, owner, token, tokenId: made.body.data.id as string, scim, person, found, patch }
}

type Directory = Awaited<ReturnType<typeof directory>>

describe.each([
  ['Okta', oktaRequests],
  ['Entra ID', entraRequests],
])('%s', (_name, requests) => {
  it('has its whole sequence of requests answered', async () => {
    const { scim } = await directory()
    const ids = new Map<string, string>()
    const filled = <T>(value: T): T =>
      JSON.parse(JSON.stringify(value ?? null).replaceAll(braces, (_all, name: string) => ids.get(name) ?? name)) as T
    for (const { says, method, path, body, status, answer, named } of requests) {
      const got = await scim(
        method,
        path.replaceAll(braces, (_all, name: string) => ids.get(name) ?? name),
        body && filled(body),
      )
      expect({ says, ...got }).toMatchObject({ says, status, ...(answer ? { body: filled(answer) } : {}) })
      if (named) ids.set(named, got.body.id)
    }
  })
})

describe('the credential', () => {
  it('opens the provisioning API alone, and nothing else opens that', async () => {
    const { workspace, token, cookie, settings } = await directory()
    const { key } = await workspace.apiKey()
    for (const path of ['/api/leads', '/api/settings/users'])
      expect((await api.call({ path, key: token }, workspace)).status).toBe(401)
    for (const credential of [{ key }, { cookie }, {}, { key: 'scim-unknown' }])
      expect((await api.call({ path: '/api/scim/v2/Users', ...credential }, workspace)).status).toBe(401)
    expect((await settings('GET', 'scim-tokens')).body.items).toMatchObject([{ name: 'Okta', ownerName: 'Directory' }])
  })

  it('belongs to an active service account, ends, and is ended at once', async () => {
    const { workspace, settings, scim, tokenId, owner } = await directory()
    const person = await workspace.employee()
    const create = (body: object) => settings('POST', 'scim-tokens', { name: 'x', ...body })
    expect(await create({ ownerId: person.id })).toMatchObject({
      status: 400,
      body: { issues: [{ path: ['ownerId'] }] },
    })
    expect(await create({ ownerId: newId() })).toMatchObject({ status: 400, body: { code: 'INVALID_REFERENCE' } })
    expect(await create({ ownerId: owner, expiresAt: '2020-01-01T00:00:00Z' })).toMatchObject({ status: 400 })
    expect((await scim('GET', '/Users')).status).toBe(200)
    expect((await settings('DELETE', `scim-tokens/${tokenId}`)).status).toBe(200)
    expect((await scim('GET', '/Users')).status).toBe(401)
    expect((await settings('DELETE', `scim-tokens/${tokenId}`)).status).toBe(404)
  })

  it('is refused without the right to manage people', async () => {
    const { scim } = await directory(['Member'])
    expect(await scim('GET', '/Users')).toMatchObject({ status: 403, body: { status: '403' } })
  })
})

describe('an address', () => {
  it('of what was made stands in Location (RFC 7644, section 3.3)', async () => {
    const { workspace, token } = await directory()
    for (const [kind, body] of [
      ['Users', { userName: `${newId().slice(-8)}@corp.example` }],
      ['Groups', { displayName: 'Crew' }],
    ] as const) {
      const path = `/api/scim/v2/${kind}?attributes=id`
      const made = await api.call({ method: 'POST', path, body, key: token }, workspace)
      expect(made.status).toBe(201)
      const location = String(made.headers['location'])
      expect(location).toMatch(new RegExp(`/api/scim/v2/${kind}/${made.body.id}$`))
      const read = await api.call({ path: new URL(location).pathname, key: token }, workspace)
      expect(read.body.meta.location).toBe(location)
    }
  })

  it.each([
    ['GET', '/Foo', 404],
    ['POST', '/Users/x/y', 404],
    ['GET', '', 404],
    ['GET', '/Me', 501],
    ['POST', '/Bulk', 501],
    ['POST', '/Users/.search', 501],
    ['PUT', '/Users', 405],
  ] as const)('%s %s is answered in the language of directories: %i', async (method, path, status) => {
    const { scim } = await directory()
    expect(await scim(method, path)).toMatchObject({
      status,
      body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: String(status) },
    })
  })

  it('that is unknown tells nobody without a token', async () => {
    const answer = await api.call({ path: '/api/scim/v2/Foo', key: 'none' })
    expect(answer).toMatchObject({ status: 401, body: { status: '401' } })
  })
})

describe('filters', () => {
  it.each([
    ['userName eq "ADA@corp.example"', ['ada']],
    ['userName ne "ada@corp.example"', ['bob', 'eve', 'admin']],
    ['userName co "DA@"', ['ada']],
    ['userName sw "b"', ['bob']],
    ['userName ew "corp.example"', ['ada', 'bob', 'eve']],
    ['userName gt "b" and userName lt "c"', ['bob']],
    ['userName ge "eve@corp.example"', ['eve']],
    ['userName le "ada@corp.example"', ['ada']],
    ['externalId eq "x-ada"', ['ada']],
    ['externalId eq "X-ADA"', []],
    ['externalId pr', ['ada']],
    ['not (externalId pr)', ['bob', 'eve', 'admin']],
    ['externalId eq null and userName ew "corp.example"', ['bob', 'eve']],
    ['active eq false', ['eve']],
    ['active ne true', ['eve']],
    ['active eq "True" and name.givenName pr', ['ada', 'bob', 'admin']],
    ['emails[type eq "work" and value co "bob"]', ['bob']],
    // As Entra matches people; RFC 7644, section 3.5.2, has this form for paths.
    ['emails[type eq "work"].value co "bob"', ['bob']],
    ['emails[primary eq true].value sw "bob" and active eq true', ['bob']],
    ['emails[type eq "home"].value co "bob"', []],
    ['not (emails[type eq "work"].value pr)', []],
    ['emails.value sw "ada" or emails sw "bob"', ['ada', 'bob']],
    ['userName sw "a" and (userName co "da@" or userName co "zz")', ['ada']],
    ['userName sw "a" or userName sw "b" and active eq false', ['ada', 'admin']],
    [`${enterprise}:department eq "sales"`, ['ada']],
    [`urn:ietf:params:scim:schemas:core:2.0:User:userName EQ "bob@corp.example"`, ['bob']],
    ['meta.created gt "2020-01-01T00:00:00Z" and userName sw "bob"', ['bob']],
    ['groups.display eq "Crew"', ['bob']],
    ['groups[display sw "Cr" and value pr]', ['bob']],
    ['displayName co "quote\\"d"', ['eve']],
    ['name pr', ['ada', 'bob', 'eve', 'admin']],
    ['not (name pr)', []],
    ['emails pr and userName ew "corp.example"', ['ada', 'bob', 'eve']],
    ['groups pr', ['bob']],
    ['meta pr and externalId pr', ['ada']],
    [`${enterprise} pr`, ['ada']],
    ['department eq "SALES"', ['ada']],
    ['manager pr or manager.value pr', []],
  ])('%s', async (filter, expected) => {
    const { found, workspace } = await crew
    const { Resources, totalResults } = await found(filter)
    const names = (Resources as { userName: string }[]).map(({ userName }) =>
      userName === workspace.adminEmail ? 'admin' : userName.split('@', 1).join(),
    )
    expect({ names: names.toSorted(), totalResults }).toEqual({
      names: [...expected].toSorted(),
      totalResults: expected.length,
    })
  })

  it.each([
    'userName',
    'userName eq',
    'userName eq bob',
    'userName xx "b"',
    'userName eq "b" and',
    '(userName eq "b"',
    'userName eq "b")',
    'not userName eq "b"',
    'active gt true',
    'active eq "maybe"',
    'userName eq 7',
    'userName gt null',
    'meta.created co "2020"',
    'shoeSize eq "9"',
    'emails[colour eq "red"]',
    'emails[type eq "work"',
    'meta.created gt "2026-02-30T00:00:00Z"',
    'meta.created gt "yesterday"',
    'emails[type eq "work"].',
    'emails[type eq "work"].value',
    'emails[type eq "work"].constructor eq "x"',
    'emails[type eq "work"].value[type eq "x"]',
    'userName eq "b\\q"',
    'userName eq "\\u0000"',
    'emails[value co "a\\u0000"]',
    'meta.created gt "+275760-09-13T00:00:00Z"',
    'meta.created gt "-000044-03-15T00:00:00Z"',
    'constructor eq "x"',
    'constructor pr',
    '__proto__.value eq "x"',
    'toString[value eq "x"]',
    'groups.constructor eq "x"',
    'groups[hasownproperty pr]',
    'emails[constructor eq "x"]',
    'shoe pr',
    `${'('.repeat(60)}userName pr${')'.repeat(60)}`,
  ])('refuses %s', async (filter) => {
    const { scim } = await crew
    expect(await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)).toMatchObject({
      status: 400,
      body: { scimType: 'invalidFilter', status: '400' },
    })
  })
})

/** Three people, one of them suspended, and a group. */
const crew: Promise<Directory> = directory().then(async (made) => {
  await made.workspace.department('Sales')
  await made.person('ada@corp.example', { externalId: 'x-ada', [enterprise]: { department: 'sales' } })
  const bob = await made.person('bob@corp.example')
  await made.person('eve@corp.example', { active: false, name: {}, displayName: 'quote"d' })
  await made.scim('POST', '/Groups', { displayName: 'Crew', members: [{ value: bob.id }] })
  return made
})

describe('lists', () => {
  it('come in pages that count from 1, with the attributes that were asked for', async () => {
    const { scim } = await crew
    const first = (await scim('GET', '/Users?startIndex=1&count=2&attributes=userName,name.givenName')).body
    const second = (await scim('GET', '/Users?startIndex=2&count=2&excludedAttributes=emails,meta,name.formatted')).body
    expect([first, second]).toMatchObject([
      { totalResults: 4, startIndex: 1, itemsPerPage: 2 },
      { totalResults: 4, startIndex: 2, itemsPerPage: 2 },
    ])
    expect(Object.keys(first.Resources[1]).toSorted()).toEqual(['id', 'name', 'schemas', 'userName'])
    expect(first.Resources[1].name).toEqual({ givenName: 'Pat' })
    expect(second.Resources[0]).not.toHaveProperty('emails')
    expect(second.Resources[0].name).toEqual({ givenName: 'Pat', familyName: 'Doe' })
    expect((await scim('GET', '/Users?count=0')).body).toMatchObject({
      totalResults: 4,
      itemsPerPage: 0,
      Resources: [],
    })
    expect((await scim('GET', '/Users?startIndex=-5&count=9000')).body).toMatchObject({
      startIndex: 1,
      itemsPerPage: 4,
    })
    expect((await scim('GET', '/Users?count=many')).status).toBe(400)
  })

  it('show neither programs nor people who left', async () => {
    const { scim, person, found, owner } = await directory()
    const gone = await person()
    await scim('DELETE', `/Users/${gone.id}`)
    expect((await found(`id eq "${owner}" or id eq "${gone.id}"`)).totalResults).toBe(0)
    for (const id of [owner, gone.id, newId(), 'no-id'])
      for (const method of ['GET', 'DELETE'] as const) expect((await scim(method, `/Users/${id}`)).status).toBe(404)
  })
})

describe('a person', () => {
  it('gets a department by its name, and keeps a name that nobody knows for the directory alone', async () => {
    const { workspace, person, patch, settings } = await directory()
    const departmentId = await workspace.department('Research')
    const { id } = await person(undefined, { [enterprise]: { department: 'RESEARCH' } })
    expect((await settings('GET', `users/${id}`)).body.data.departmentId).toBe(departmentId)
    const { body } = await patch(`/Users/${id}`, { op: 'replace', path: `${enterprise}:department`, value: 'Moon' })
    expect(body[enterprise].department).toBe('Moon')
    expect((await settings('GET', `users/${id}`)).body.data.departmentId).toBeNull()
  })

  it('whose address changes leaves the links to the former one behind', async () => {
    const { workspace, person, patch } = await crew
    const { id, userName } = await person()
    const { workspaceId } = workspace
    const expiresAt = new Date(api.clock.now().getTime() + 60_000).toISOString()
    const linked = async () => {
      const link = newSecret()
      await db.insert(schema.passwordResets).values({ workspaceId, employeeId: id, tokenHash: digest(link), expiresAt })
      return link
    }
    const reset = (link: string) =>
      api.call(
        { method: 'POST', path: '/api/auth/reset', body: { token: link, password: 'a wholly new sentence 47' } },
        workspace,
      )
    const former = await linked()
    await patch(`/Users/${id}`, { op: 'replace', path: 'userName', value: `new-${userName}` })
    expect(await reset(former)).toMatchObject({ status: 404, body: { code: 'LINK_INVALID' } })
    const kept = await linked()
    await patch(`/Users/${id}`, { op: 'replace', path: 'name.givenName', value: 'Zoe' })
    expect((await reset(kept)).status).toBe(200)
  })

  const core = 'urn:ietf:params:scim:schemas:core:2.0:User'
  const home = { type: 'home', value: 'home@home.example', primary: true }
  const alias = { value: 'alias@corp.example' }
  it.each([
    [{ op: 'replace', path: 'emails', value: [home] }],
    [{ op: 'add', value: { emails: [home] } }],
    [{ op: 'add', path: 'emails', value: [alias] }],
    [{ op: 'add', path: 'emails', value: [{ ...alias, type: 'work' }] }],
    [{ op: 'add', path: 'emails', value: [{ ...alias, primary: true }] }],
    [{ op: 'add', path: 'emails', value: alias.value }],
    [{ op: 'add', path: 'emails.value', value: alias.value }],
    [{ op: 'add', path: 'emails[type eq "work"].value', value: alias.value }],
    [{ op: 'add', path: 'userName', value: alias.value }],
    [{ op: 'add', value: { emails: [alias], userName: alias.value, 'emails.value': alias.value } }],
    [{ op: 'replace', path: 'emails', value: null }],
    [{ op: 'replace', path: 'emails', value: [null, { value: null, type: 'work' }] }],
    [{ op: 'replace', path: 'userName', value: null }],
    [{ op: 'replace', path: 'emails[type eq "work"].value', value: null }],
    [{ op: 'replace', value: { userName: null, emails: null, active: null } }],
    [{ op: 'remove', path: 'emails' }],
    [{ op: 'remove', path: 'emails[type eq "work"]' }],
    [{ op: 'remove', path: 'active' }],
    [{ op: 'replace', path: 'phoneNumbers[type eq "work"].value', value: '1' }],
  ])('keeps the address with which they sign in when another one is sent: %j', async (operation) => {
    const { person, patch } = await crew
    const { id, userName } = await person()
    expect(await patch(`/Users/${id}`, operation)).toMatchObject({ status: 200, body: { userName, active: true } })
  })

  it.each([
    ['emails[value eq "nobody@corp.example"].value', alias.value],
    ['emails[value eq "nobody@corp.example"]', alias],
    ['emails[value ne null and value sw "nobody"].value', alias.value],
    ['emails[type eq "work" and value ew "@other.example"].value', alias.value],
    ['emails[type eq "home"].value', home.value],
    ['emails[type eq "home" and primary eq true].value', home.value],
    ['emails[not (type eq "work")].value', home.value],
    ['emails[type ne "work"].value', home.value],
    ['emails[type sw "h" or type eq "other"].value', home.value],
    ['emails[primary eq false].value', alias.value],
    ['emails[primary co "t"].value', alias.value],
    ['emails[type gt "work"].value', alias.value],
    ['emails[type eq 7].value', alias.value],
    ['emails[colour eq "red"].value', alias.value],
    ['emails[not (colour eq "red")].value', alias.value],
    ['emails[constructor pr].value', alias.value],
    ['emails[type eq "work" or display pr].value', alias.value],
    ['emails[value[type eq "work"]].value', alias.value],
    ['userName[value eq "nobody@corp.example"]', alias.value, 'mutability'],
    ['active[value eq false]', false],
    ['displayName[value eq "Somebody else"]', 'Taken'],
    ['externalId[value pr]', 'x-9'],
    ['name[givenName eq "Somebody"].familyName', 'Taken'],
    ['manager[value pr]', newId()],
    ['department[value eq "Sales"]', 'Sales'],
  ])('is not changed under a condition that nothing matches: %s', async (path, value, ofRemoval = 'noTarget') => {
    const { person, patch, scim } = await crew
    const made = await person()
    const before = (await scim('GET', `/Users/${made.id}`)).body
    const first = { op: 'replace', path: 'timezone', value: 'Europe/Rome' }
    for (const [second, scimType] of [
      [{ op: 'replace', path, value }, 'noTarget'],
      [{ op: 'add', value: { [path]: value } }, 'noTarget'],
      [{ op: 'remove', path }, ofRemoval],
    ] as const)
      expect(await patch(`/Users/${made.id}`, first, second)).toMatchObject({ status: 400, body: { scimType } })
    expect((await scim('GET', `/Users/${made.id}`)).body).toEqual(before)
  })

  it('is changed under a condition about its own values', async () => {
    const { person, patch } = await crew
    const { id, userName } = await person()
    const value = `${newId()}@corp.example`
    const path = `emails[type eq "WORK" and primary eq "True" and value eq "${userName.toUpperCase()}"].value`
    const changed = await patch(
      `/Users/${id}`,
      { op: 'replace', path, value },
      { op: 'replace', path: 'name[givenName sw "p" and not (familyName eq "x")].familyName', value: 'Roe' },
    )
    expect(changed).toMatchObject({ status: 200, body: { userName: value, name: { familyName: 'Roe' } } })
  })

  it.each(['add', 'replace'])('signs in with the primary address for work that a directory can %s', async (op) => {
    const { person, patch } = await crew
    const { id } = await person()
    const value = `${newId()}@corp.example`
    const emails = [{ ...alias, type: 'work' }, { value, type: 'Work', primary: 'True' }, home]
    expect((await patch(`/Users/${id}`, { op, path: 'emails', value: emails })).body.userName).toBe(value)
  })

  it('is made and replaced as if null and what is unknown were left out', async () => {
    const { scim } = await crew
    const userName = `${newId()}@corp.example`
    const odd = {
      schemas: null,
      favouriteColour: 'green',
      constructor: { name: 'x' },
      'favourite[colour': 1,
      'emails[value eq "nobody@corp.example"].value': alias.value,
      'urn:example:params:scim:schemas:extension:2.0:Shoe': { size: 9 },
      [core]: { shoeSize: 9, name: { nickname: 'x', middleName: null } },
      [enterprise]: { costCenter: '7', manager: null },
      active: null,
      emails: null,
      name: { givenName: 'Pat', familyName: null },
      timezone: null,
      externalId: null,
    }
    const made = await scim('POST', '/Users', { ...odd, userName })
    expect(made).toMatchObject({ status: 201, body: { userName, active: true, name: { givenName: 'Pat' } } })
    await scim('PATCH', `/Users/${made.body.id}`, {
      Operations: [{ op: 'replace', value: { timezone: 'Europe/Rome', active: false } }],
    })
    const again = await scim('PUT', `/Users/${made.body.id}`, { ...odd, userName: null, emails: [{ value: userName }] })
    expect(again).toMatchObject({ status: 200, body: { userName, active: false, timezone: 'Europe/Rome' } })
  })

  it('loses by null what a directory may take away, and gets nothing by adding it', async () => {
    const { person, patch, scim } = await crew
    const { id } = await person(undefined, { externalId: newId(), [enterprise]: { department: 'Moon' } })
    const before = (await scim('GET', `/Users/${id}`)).body
    const nothing = {
      externalId: null,
      name: null,
      department: null,
      [enterprise]: null,
      [core]: { displayName: null },
    }
    expect((await patch(`/Users/${id}`, { op: 'add', value: nothing })).body).toEqual(before)
    const { body } = await patch(`/Users/${id}`, { op: 'replace', value: nothing })
    expect(body).not.toHaveProperty('externalId')
    expect(body).not.toHaveProperty([enterprise])
    expect(body.name.givenName).toBeUndefined()
  })

  it('has the manager and the department of the enterprise extension, named without its URN', async () => {
    const { person, patch, scim, found } = await crew
    const boss = await person()
    const { id } = await person(undefined, { department: 'Moon', manager: { value: boss.id } })
    const extension = { department: 'Moon', manager: { value: boss.id } }
    expect((await scim('GET', `/Users/${id}?attributes=manager,department`)).body[enterprise]).toMatchObject(extension)
    expect((await found(`manager eq "${boss.id}" and department eq "moon"`)).totalResults).toBe(1)
    expect((await found(`manager.value eq "${boss.id}"`)).totalResults).toBe(1)
    const left = await patch(`/Users/${id}`, { op: 'remove', path: 'manager' })
    expect(left.body[enterprise]).toEqual({ department: 'Moon' })
    const back = await patch(`/Users/${id}`, { op: 'add', path: 'manager', value: [{ value: boss.id }] })
    expect(back.body[enterprise]).toMatchObject(extension)
  })

  it.each([
    [{ op: 'replace', path: 'emails[primary eq true].value' }],
    [{ op: 'replace', path: 'emails[type eq "work" and value pr].value' }],
    [{ op: 'replace', path: 'emails' }],
  ])('gets another address for work: %j', async (operation) => {
    const { person, patch } = await crew
    const { id } = await person()
    const value = `${newId()}@corp.example`
    expect((await patch(`/Users/${id}`, { ...operation, value })).body.userName).toBe(value)
  })

  it('is no person with a private address alone', async () => {
    const { scim } = await crew
    expect(await scim('POST', '/Users', { emails: [home] })).toMatchObject({ status: 400 })
  })

  it('is changed by attributes that stand below the schema', async () => {
    const { person, scim, patch } = await crew
    const { id, userName } = await person()
    const off = await patch(`/Users/${id}`, { op: 'replace', value: { [core]: { active: false } } })
    expect(off.body.active).toBe(false)
    const on = await patch(`/Users/${id}`, {
      op: 'replace',
      path: core,
      value: { active: true, name: { givenName: 'Zed' } },
    })
    expect(on.body).toMatchObject({ active: true, name: { givenName: 'Zed' } })
    const whole = await scim('PUT', `/Users/${id}`, { [core]: { userName, active: false } })
    expect(whole.body).toMatchObject({ id, userName, active: false })
    expect(await scim('PUT', `/Users/${id}`, { [core]: { [core]: { active: true } } })).toMatchObject({ status: 400 })
  })

  it.each([
    ['an unknown verb', [{ op: 'merge', path: 'active', value: true }], 'invalidSyntax'],
    ['no operations', [], 'invalidSyntax'],
    ['a removal of nothing', [{ op: 'remove' }], 'noTarget'],
    ['a broken path', [{ op: 'replace', path: 'emails[type eq', value: 'x' }], 'invalidPath'],
    ['an unknown attribute', [{ op: 'replace', path: 'shoeSize', value: 9 }], 'invalidPath'],
    ['no truth value', [{ op: 'replace', path: 'active', value: 'perhaps' }], 'invalidValue'],
    ['no address', [{ op: 'replace', path: 'userName', value: 'nobody' }], 'invalidValue'],
    ['a number for a name', [{ op: 'replace', path: 'name.givenName', value: 7 }], 'invalidValue'],
    ['an unknown manager', [{ op: 'replace', path: `${enterprise}:manager`, value: newId() }], 'invalidValue'],
    ['the removal of the user name', [{ op: 'remove', path: 'userName' }], 'mutability'],
    ['a value that is missing', [{ op: 'add', path: 'displayName' }], 'invalidValue'],
  ])('is not changed by %s', async (_what, operations, scimType) => {
    const { scim } = await crew
    const { Resources } = (await scim('GET', '/Users?filter=userName%20sw%20%22bob%22')).body
    expect(await scim('PATCH', `/Users/${Resources[0].id}`, { Operations: operations })).toMatchObject({
      status: 400,
      body: { scimType, status: '400', detail: expect.any(String) },
    })
  })

  it.each([
    ['PATCH', '{"Operations":[{"op":"add","OP":"remove","path":"active","value":false}]}'],
    ['PATCH', '{"Operations":[{"op":"add","path":"active","value":false}],"operations":[]}'],
    ['PATCH', '{"Operations":[{"op":"replace","value":{"active":true,"Active":false}}]}'],
    ['PATCH', '{"Operations":[{"op":"replace","value":{"name":{"givenName":"a","GIVENNAME":"b"}}}]}'],
    ['PUT', `{"userName":"bob@corp.example","urn:ietf:params:scim:schemas:core:2.0:User:userName":"eve@corp.example"}`],
  ] as const)('is not changed by a document that says something twice: %s %s', async (method, body) => {
    const { scim } = await crew
    const { Resources } = (await scim('GET', '/Users?filter=userName%20sw%20%22bob%22')).body
    expect(await scim(method, `/Users/${Resources[0].id}`, body)).toMatchObject({
      status: 400,
      body: { scimType: 'invalidSyntax', detail: expect.stringContaining('given twice') },
    })
  })

  it('loses sessions, keys and connections at once when the directory suspends them', async () => {
    const { workspace, person, patch } = await directory()
    const { id } = await person()
    await db
      .insert(schema.employeeRoles)
      .values({ workspaceId: workspace.workspaceId, employeeId: id, roleId: workspace.roleIds['Member']! })
    const cookie = await workspace.session(id)
    const { key } = await workspace.apiKey({ ownerId: id, scopes: ['VIEW_LEAD'] })
    const access = await connect(workspace.workspaceId, id)
    const uses = [{ cookie }, { key }, { key: access }]
    const statuses = async () =>
      Promise.all(uses.map(async (use) => (await api.call({ path: '/api/leads', ...use }, workspace)).status))
    expect(await statuses()).toEqual([200, 200, 200])
    await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })
    expect(await statuses()).toEqual([401, 401, 401])
    await patch(`/Users/${id}`, { op: 'replace', value: { active: true } })
    expect(await statuses()).toEqual([401, 401, 401])
  })

  it('who was suspended by hand is not brought back by a directory', async () => {
    const { person, patch, settings } = await directory()
    const { id } = await person()
    await settings('PATCH', `users/${id}`, { status: 'SUSPENDED' })
    expect((await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true })).body.active).toBe(false)
    await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
    expect((await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true })).body.active).toBe(false)
  })

  it.each([
    ['reactivated and suspended', ['ACTIVE', 'SUSPENDED']],
    ['terminated, reactivated and suspended', ['TERMINATED', 'ACTIVE', 'SUSPENDED']],
  ])('whom a directory suspended, and a person then %s, stays suspended', async (_what, states) => {
    const { person, patch, settings } = await directory()
    const { id } = await person()
    const active = (value: boolean) => patch(`/Users/${id}`, { op: 'replace', path: 'active', value })
    await active(false)
    for (const status of states) expect((await settings('PATCH', `users/${id}`, { status })).status).toBe(200)
    expect((await active(true)).body.active).toBe(false)
    const { items } = (await settings('GET', `audit-log?subjectId=${id}&pageSize=20`)).body
    const actions = (items as { action: string }[]).map(({ action }) => action).toReversed()
    const byHand = { ACTIVE: 'user.reactivated', SUSPENDED: 'user.suspended', TERMINATED: 'user.terminated' } as const
    expect(actions).toEqual([
      'user.provisioned',
      'user.suspended',
      ...states.map((status) => byHand[status as keyof typeof byHand]),
    ])
  })

  it('is written to the audit log', async () => {
    const { workspace, person, patch, scim } = await directory()
    const { id } = await person()
    await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
    await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true })
    await scim('DELETE', `/Users/${id}`)
    const lines = await db
      .select({ action: schema.auditLog.action, actorType: schema.auditLog.actorType })
      .from(schema.auditLog)
      .where(and(eq(schema.auditLog.workspaceId, workspace.workspaceId), eq(schema.auditLog.subjectId, id)))
      .orderBy(schema.auditLog.at, schema.auditLog.id)
    expect(new Set(lines.map(({ actorType }) => actorType))).toEqual(new Set(['SCIM']))
    expect(lines.map(({ action }) => action)).toEqual([
      'user.provisioned',
      'user.suspended',
      'user.reactivated',
      'user.terminated',
    ])
  })
})

describe('reach', () => {
  it('of the owner holds: nobody above it is changed, and no role above it is given', async () => {
    const made = await directory([])
    const { workspace, scim, patch, person, settings } = made
    const roleId = (
      await settings('POST', 'roles', { name: 'Provisioning', permissions: ['MANAGE_USERS'], access: [] })
    ).body.data.id as string
    await settings('PATCH', `users/${made.owner}`, { roleIds: [roleId] })
    for (const change of [
      () => patch(`/Users/${workspace.adminUserId}`, { op: 'replace', path: 'active', value: false }),
      () => patch(`/Users/${workspace.adminUserId}`, { op: 'replace', path: 'userName', value: 'me@mine.example' }),
      () => scim('PUT', `/Users/${workspace.adminUserId}`, { userName: 'me@mine.example' }),
      () => scim('DELETE', `/Users/${workspace.adminUserId}`),
    ])
      expect(await change()).toMatchObject({ status: 403, body: { status: '403' } })
    const { id } = await person()
    const group = (await scim('POST', '/Groups', { displayName: 'Bosses' })).body
    await settings('PATCH', `scim-groups/${group.id}`, { roleIds: [workspace.roleIds['Administrator']] })
    expect(await patch(`/Groups/${group.id}`, { op: 'add', path: 'members', value: [{ value: id }] })).toMatchObject({
      status: 403,
    })
    expect((await settings('GET', `users/${id}`)).body.data.roleIds).toEqual([])
    // Even while it is empty: its name decides who comes into it next.
    for (const change of [
      () => patch(`/Groups/${group.id}`, { op: 'replace', path: 'displayName', value: 'Everybody' }),
      () => patch(`/Groups/${group.id}`, { op: 'replace', path: 'externalId', value: 'e-1' }),
      () => scim('PUT', `/Groups/${group.id}`, { displayName: 'Everybody' }),
      () => scim('DELETE', `/Groups/${group.id}`),
    ])
      expect(await change()).toMatchObject({ status: 403, body: { status: '403' } })
    expect((await scim('PUT', `/Groups/${group.id}`, { displayName: 'Bosses' })).status).toBe(200)
    // What gives no more than the directory has is its own to name and to delete.
    await settings('PATCH', `scim-groups/${group.id}`, { roleIds: [roleId] })
    expect((await scim('PUT', `/Groups/${group.id}`, { displayName: 'Directory' })).status).toBe(200)
    expect((await scim('DELETE', `/Groups/${group.id}`)).status).toBe(204)
    const left = await workspace.employee({
      roles: ['Administrator'],
      status: 'TERMINATED',
      email: 'left@corp.example',
    })
    expect((await scim('POST', '/Users', { userName: 'left@corp.example' })).status).toBe(403)
    expect((await settings('GET', `users/${left.id}`)).body.data.status).toBe('TERMINATED')
  })

  it('the last administrator stays, whatever the directory says', async () => {
    const { workspace, patch, scim } = await directory()
    const path = `/Users/${workspace.adminUserId}`
    expect(await patch(path, { op: 'replace', path: 'active', value: false })).toMatchObject({ status: 409 })
    expect(await scim('DELETE', path)).toMatchObject({ status: 409, body: { status: '409' } })
    await workspace.employee({ roles: ['Administrator'] })
    expect((await scim('DELETE', path)).status).toBe(204)
  })

  it('the people of the emergency access are left alone', async () => {
    const { workspace, settings, patch, scim } = await directory()
    const { id } = await workspace.employee({ roles: ['Administrator'] })
    await settings('PATCH', 'sign-in', { breakGlassUserIds: [id] })
    const members = [{ value: id }]
    for (const change of [
      () => patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false }),
      () => scim('DELETE', `/Users/${id}`),
      () => scim('POST', '/Groups', { displayName: 'Anybody', members }),
    ])
      expect(await change()).toMatchObject({ status: 403, body: { status: '403' } })
    expect((await scim('GET', `/Users/${id}`)).body.active).toBe(true)
  })

  it('nobody gives a group rights that they do not hold', async () => {
    const { workspace, scim } = await directory()
    const group = (
      await scim('POST', '/Groups', { displayName: 'Bosses', members: [{ value: workspace.adminUserId }] })
    ).body
    const { id } = await workspace.employee({ grant: { permissions: ['MANAGE_ROLES'] } })
    const change = async (body: object) =>
      api.call(
        { method: 'PATCH', path: `/api/settings/scim-groups/${group.id}`, cookie: await workspace.session(id), body },
        workspace,
      )
    expect(await change({ roleIds: [workspace.roleIds['Administrator']] })).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_DENIED' },
    })
  })
})

describe('groups', () => {
  it('give roles and a department while somebody is a member; roles by hand stay', async () => {
    const { workspace, scim, person, patch, settings } = await directory()
    const departmentId = await workspace.department('Field')
    const [one, two] = [await person(), await person()]
    const { Member, Manager } = workspace.roleIds as { Member: string; Manager: string }
    await settings('PATCH', `users/${one.id}`, { roleIds: [Manager] })
    const group = (await scim('POST', '/Groups', { displayName: 'Field', members: [{ value: one.id }] })).body
    const mapped = await settings('PATCH', `scim-groups/${group.id}`, { roleIds: [Member, Manager], departmentId })
    expect(mapped.body.data).toMatchObject({ memberCount: 1, departmentId, displayName: 'Field' })
    await patch(`/Groups/${group.id}`, { op: 'add', path: 'members', value: { value: two.id } })
    const rightsOf = async ({ id }: { id: string }) => {
      const { roleIds, departmentId: place } = (await settings('GET', `users/${id}`)).body.data
      return { roles: new Set(roleIds as string[]), place: place as string | null }
    }
    const both = new Set([Member, Manager])
    expect([await rightsOf(one), await rightsOf(two)]).toEqual([
      { roles: both, place: departmentId },
      { roles: both, place: departmentId },
    ])
    // A role of a group does not become one by hand when somebody saves the person as they are.
    await settings('PATCH', `users/${one.id}`, { roleIds: [Manager] })
    expect((await rightsOf(one)).roles).toEqual(both)
    await patch(`/Groups/${group.id}`, { op: 'remove', path: 'members' })
    expect([await rightsOf(one), await rightsOf(two)]).toEqual([
      { roles: new Set([Manager]), place: null },
      { roles: new Set(), place: null },
    ])
    const noted = await db
      .select({ changes: schema.auditLog.changes })
      .from(schema.auditLog)
      .where(and(eq(schema.auditLog.subjectId, two.id), eq(schema.auditLog.action, 'user.roles-changed')))
      .orderBy(schema.auditLog.at, schema.auditLog.id)
    const moves = await db
      .select({ changes: schema.auditLog.changes, actorType: schema.auditLog.actorType })
      .from(schema.auditLog)
      .where(and(eq(schema.auditLog.subjectId, two.id), eq(schema.auditLog.action, 'user.changed')))
      .orderBy(schema.auditLog.at, schema.auditLog.id)
    expect(moves).toEqual([
      { actorType: 'SCIM', changes: [{ field: 'departmentId', from: null, to: departmentId }] },
      { actorType: 'SCIM', changes: [{ field: 'departmentId', from: departmentId, to: null }] },
    ])
    const given = [Member, Manager].toSorted()
    expect(noted.map(({ changes }) => changes)).toEqual([
      [{ field: 'roleIds', from: [], to: given }],
      [{ field: 'roleIds', from: given, to: [] }],
    ])
  })

  it.each([
    ['nothing', []],
    ['roles alone', ['Member']],
  ])('that give %s bring nobody the department of another group', async (_what, names) => {
    const { workspace, scim, person, patch, settings } = await directory()
    const { id } = await person()
    const members = [{ value: id }]
    const field = (await scim('POST', '/Groups', { displayName: 'Field', members })).body
    await settings('PATCH', `scim-groups/${field.id}`, { departmentId: await workspace.department('Field') })
    await scim('PUT', `/Users/${id}`, { userName: 'moved@corp.example' })
    const place = async () => (await settings('GET', `users/${id}`)).body.data.departmentId as string | null
    expect(await place()).toBeNull()
    const { body: chess } = await scim('POST', '/Groups', { displayName: 'Chess' })
    const roleIds = names.map((name) => workspace.roleIds[name as 'Member'])
    await settings('PATCH', `scim-groups/${chess.id}`, { roleIds })
    await patch(`/Groups/${chess.id}`, { op: 'add', path: 'members', value: members })
    await patch(`/Groups/${chess.id}`, { op: 'replace', path: 'displayName', value: 'Bridge' })
    await patch(`/Groups/${chess.id}`, { op: 'remove', path: 'members' })
    await scim('DELETE', `/Groups/${chess.id}`)
    expect(await place()).toBeNull()
  })

  it('change by set operations, and not at all when one member is unknown', async () => {
    const { scim, person, patch } = await directory()
    const people = [await person(), await person(), await person()]
    const [a, b, c] = people.map(({ id }) => id) as [string, string, string]
    const group = (await scim('POST', '/Groups', { displayName: 'Crew', members: [{ value: a }] })).body
    const path = `/Groups/${group.id}`
    const members = async () =>
      ((await scim('GET', path)).body.members as { value: string }[]).map(({ value }) => value).toSorted()
    await Promise.all([b, c].map((value) => patch(path, { op: 'add', path: 'members', value: [{ value }] })))
    expect(await members()).toEqual([a, b, c].toSorted())
    await patch(path, { op: 'remove', path: `members[value eq "${a}" or value eq "${b}"]` })
    expect(await members()).toEqual([c])
    expect(await patch(path, { op: 'add', path: 'members', value: [{ value: a }, { value: newId() }] })).toMatchObject({
      status: 400,
      body: { scimType: 'invalidValue' },
    })
    expect(await members()).toEqual([c])
    await patch(
      path,
      { op: 'add', value: { members: [{ value: a }] } },
      { op: 'remove', path: 'members', value: [{ value: c }] },
    )
    expect(await members()).toEqual([a])
    await scim('PUT', path, { displayName: 'Crew', members: [{ value: b }] })
    expect(await members()).toEqual([b])
    await scim('PUT', path, { displayName: 'Crew' })
    expect(await members()).toEqual([])
  })

  it.each([
    ['a name that is taken', 'POST', { displayName: 'CREW' }, 409, 'uniqueness'],
    ['no name', 'POST', {}, 400, 'invalidValue'],
    ['a member that is no id', 'POST', { displayName: 'New', members: [{ value: 'bob' }] }, 400, 'invalidValue'],
  ] as const)('are refused with %s', async (_what, method, body, status, scimType) => {
    const { scim } = await crew
    expect(await scim(method, '/Groups', body)).toMatchObject({ status, body: { scimType, status: String(status) } })
  })
})

describe('a group', () => {
  it('is made and replaced as if null and what is unknown were left out', async () => {
    const { scim, person } = await directory()
    const { id } = await person()
    const odd = {
      schemas: null,
      colour: 'red',
      constructor: 1,
      'members[value pr]': 1,
      externalId: null,
      'urn:x:Shoe': {},
    }
    const made = await scim('POST', '/Groups', { ...odd, displayName: 'Odd', members: [null, { value: id }] })
    expect(made).toMatchObject({ status: 201, body: { displayName: 'Odd', members: [{ value: id }] } })
    const again = await scim('PUT', `/Groups/${made.body.id}`, { ...odd, displayName: 'Odder', members: null })
    expect(again).toMatchObject({ status: 200, body: { displayName: 'Odder', members: [] } })
  })

  it.each([
    ['displayName[value eq "Nobodies"]', 'Taken'],
    ['externalId[value pr]', 'x'],
    ['members[value eq "00000000-0000-0000-0000-000000000000"]', [{ value: newId() }]],
  ])('is not changed under a condition that nothing matches: %s', async (path, value) => {
    const { scim, patch, person } = await directory()
    const { id: member } = await person()
    const { id } = (await scim('POST', '/Groups', { displayName: 'Crew', members: [{ value: member }] })).body
    for (const op of ['add', 'replace'])
      expect(await patch(`/Groups/${id}`, { op, path, value })).toMatchObject({
        status: 400,
        body: { scimType: 'noTarget' },
      })
    expect((await scim('GET', `/Groups/${id}`)).body).toMatchObject({
      displayName: 'Crew',
      members: [{ value: member }],
    })
  })

  it('is found by whether it has members', async () => {
    const { scim, person, found } = await directory()
    const { id } = await person()
    await scim('POST', '/Groups', { displayName: 'Full', members: [{ value: id }] })
    await scim('POST', '/Groups', { displayName: 'Empty' })
    const names = async (filter: string) =>
      ((await found(filter, 'Groups')).Resources as { displayName: string }[]).map(({ displayName }) => displayName)
    expect([await names('members pr'), await names('not (members pr)')]).toEqual([['Full'], ['Empty']])
    for (const filter of ['constructor pr', 'members.tostring eq "x"', 'displayName eq "\\u0000"'])
      expect(await scim('GET', `/Groups?filter=${encodeURIComponent(filter)}`)).toMatchObject({ status: 400 })
    expect(
      await scim('PATCH', `/Groups/${id}`, { Operations: [{ op: 'remove', path: 'members[value eq "\\u0000"]' }] }),
    ).toMatchObject({ status: 400 })
  })
})

it('says what it can do', async () => {
  const { scim } = await crew
  expect((await scim('GET', '/ServiceProviderConfig')).body).toMatchObject({
    patch: { supported: true },
    filter: { supported: true, maxResults: 200 },
  })
  for (const kind of ['ResourceTypes', 'Schemas']) {
    const { Resources } = (await scim('GET', `/${kind}`)).body
    for (const { id } of Resources) expect((await scim('GET', `/${kind}/${id}`)).body.id).toBe(id)
    expect((await scim('GET', `/${kind}/Nothing`)).status).toBe(404)
  }
  for (const path of ['ServiceProviderConfig', 'ResourceTypes', 'ResourceTypes/User', 'Schemas', 'Schemas/Nothing'])
    for (const filter of ['id%20eq%20%22User%22', ''])
      expect(await scim('GET', `/${path}?filter=${filter}`)).toMatchObject({ status: 403, body: { status: '403' } })
})

it('answers what is no JSON in the words of the standard', async () => {
  const { scim } = await crew
  expect(await scim('POST', '/Users', '{"open":')).toMatchObject({ status: 400, body: { scimType: 'invalidSyntax' } })
})

async function connect(workspaceId: string, employeeId: string): Promise<string> {
  const [clientId, grantId, token] = [newId(), newId(), newSecret(accessTokenPrefix)]
  await db.insert(schema.oauthClients).values({ workspaceId, id: clientId, name: 'Chat', redirectUris: [] })
  await db.insert(schema.oauthGrants).values({ workspaceId, id: grantId, clientId, employeeId, scopes: ['VIEW_LEAD'] })
  const expiresAt = new Date(Date.now() + 60_000).toISOString()
  await db
    .insert(schema.oauthTokens)
    .values({ workspaceId, id: newId(), grantId, kind: 'access', tokenHash: digest(token), expiresAt })
  return token
}

describe('a role and a department of a group', () => {
  it('409 IN_USE: stay as long as the group has them', async () => {
    const { workspace, cookie, settings, scim } = await directory()
    const departmentId = await workspace.department('Pushed')
    const roleId = (await settings('POST', 'roles', { name: 'Pushed', permissions: [] })).body.data.id as string
    const { id } = (await scim('POST', '/Groups', { displayName: 'Pushed' })).body
    const name = (body: object) => settings('PATCH', `scim-groups/${id}`, body)
    const removals = async () => [
      await settings('DELETE', `roles/${roleId}`),
      await api.call({ method: 'DELETE', path: `/api/departments/${departmentId}`, cookie }, workspace),
    ]
    expect((await name({ roleIds: [roleId], departmentId })).status).toBe(200)
    const refused = { status: 409, body: { code: 'IN_USE', details: { count: 1 } } }
    expect(await removals()).toMatchObject([refused, refused])
    expect((await name({ roleIds: [], departmentId: null })).status).toBe(200)
    expect(await removals()).toMatchObject([{ status: 200 }, { status: 200 }])
  })
})
