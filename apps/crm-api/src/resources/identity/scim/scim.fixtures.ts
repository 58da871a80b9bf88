/** One request of a directory. Names in braces stand for ids that earlier answers gave, such as `{isaac}`. */
export interface DirectoryRequest {
  readonly says: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  readonly status: number
  /** A part of the answer. */
  readonly answer?: unknown
  /** The name under which later requests know the id of the answer. */
  readonly named?: string
}

const user = 'urn:ietf:params:scim:schemas:core:2.0:User'
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const group = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

const patch = (...Operations: readonly object[]) => ({ schemas: [patchOp], Operations })
const isaac = 'isaac.brock@okta.example'
const okta = {
  schemas: [user],
  userName: isaac,
  name: { givenName: 'Isaac', familyName: 'Brock' },
  emails: [{ primary: true, value: isaac, type: 'work' }],
  displayName: 'Isaac Brock',
  locale: 'en-US',
  externalId: '00ujl29u0le5T6Aj10h7',
  groups: [],
  password: '1mz050nq',
  active: true,
}

/** The sequence of Okta's SCIM 2.0 guide: look for a person, create, read, replace, deactivate, reactivate, and push a group. */
export const oktaRequests: readonly DirectoryRequest[] = [
  {
    says: 'looks whether the person is there',
    method: 'GET',
    path: `/Users?filter=${encodeURIComponent(`userName eq "${isaac}"`)}&startIndex=1&count=100`,
    status: 200,
    answer: { totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] },
  },
  {
    says: 'creates the person',
    method: 'POST',
    path: '/Users',
    body: okta,
    status: 201,
    named: 'isaac',
    answer: { userName: isaac, externalId: okta.externalId, active: true, emails: [{ value: isaac, type: 'work' }] },
  },
  {
    says: 'is told that the address is taken',
    method: 'POST',
    path: '/Users',
    body: okta,
    status: 409,
    answer: { scimType: 'uniqueness', status: '409', schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'] },
  },
  {
    says: 'reads the person',
    method: 'GET',
    path: '/Users/{isaac}',
    status: 200,
    answer: { displayName: 'Isaac Brock' },
  },
  {
    says: 'replaces the person',
    method: 'PUT',
    path: '/Users/{isaac}',
    body: { ...okta, id: '{isaac}', name: { givenName: 'Isaac', familyName: 'Brook' }, displayName: 'Isaac Brook' },
    status: 200,
    answer: { name: { familyName: 'Brook' }, displayName: 'Isaac Brook', active: true },
  },
  {
    says: 'deactivates the person',
    method: 'PATCH',
    path: '/Users/{isaac}',
    body: patch({ op: 'replace', value: { active: false } }),
    status: 200,
    answer: { active: false },
  },
  {
    says: 'reactivates the person',
    method: 'PATCH',
    path: '/Users/{isaac}',
    body: patch({ op: 'replace', value: { active: true } }),
    status: 200,
    answer: { active: true },
  },
  {
    says: 'pushes a group',
    method: 'POST',
    path: '/Groups',
    body: { schemas: [group], displayName: 'Test SCIMv2', members: [] },
    status: 201,
    named: 'group',
    answer: { displayName: 'Test SCIMv2', members: [] },
  },
  {
    says: 'renames the group',
    method: 'PATCH',
    path: '/Groups/{group}',
    body: patch({ op: 'replace', value: { id: '{group}', displayName: 'Test SCIMv2 0' } }),
    status: 200,
    answer: { displayName: 'Test SCIMv2 0' },
  },
  {
    says: 'adds a member',
    method: 'PATCH',
    path: '/Groups/{group}',
    body: patch({ op: 'add', path: 'members', value: [{ value: '{isaac}', display: isaac }] }),
    status: 200,
    answer: { members: [{ value: '{isaac}' }] },
  },
  {
    says: 'removes a member',
    method: 'PATCH',
    path: '/Groups/{group}',
    body: patch({ op: 'remove', path: 'members[value eq "{isaac}"]' }),
    status: 200,
    answer: { members: [] },
  },
  {
    says: 'replaces all members',
    method: 'PATCH',
    path: '/Groups/{group}',
    body: patch({ op: 'replace', path: 'members', value: [{ value: '{isaac}' }] }),
    status: 200,
    answer: { members: [{ value: '{isaac}' }] },
  },
  {
    says: 'reads the groups',
    method: 'GET',
    path: '/Groups?startIndex=1&count=100',
    status: 200,
    answer: { totalResults: 1 },
  },
  { says: 'deletes the group', method: 'DELETE', path: '/Groups/{group}', status: 204 },
  { says: 'no longer finds it', method: 'GET', path: '/Groups/{group}', status: 404, answer: { status: '404' } },
]

const megan = 'megan@entra.example'
const adele = 'adele@entra.example'
const entra = (userName: string, givenName: string) => ({
  schemas: [user, enterprise],
  externalId: `external-${givenName}`,
  userName,
  active: true,
  emails: [{ primary: true, type: 'work', value: userName }],
  meta: { resourceType: 'User' },
  name: { formatted: `${givenName} Family`, familyName: 'Family', givenName },
  roles: [],
})

/** The sequence of Microsoft's guide for SCIM endpoints, with the forms that Entra ID sends besides. */
export const entraRequests: readonly DirectoryRequest[] = [
  {
    says: 'tests the connection with a person whom nobody has',
    method: 'GET',
    path: `/Users?filter=${encodeURIComponent('userName eq "c5a8b7e0-7a1c-4d4b-9f0e-8a8bb8f8a0aa"')}`,
    status: 200,
    answer: { totalResults: 0, Resources: [] },
  },
  {
    says: 'creates the manager',
    method: 'POST',
    path: '/Users',
    body: entra(adele, 'Adele'),
    status: 201,
    named: 'adele',
  },
  {
    says: 'creates a person',
    method: 'POST',
    path: '/Users',
    body: entra(megan, 'Megan'),
    status: 201,
    named: 'megan',
  },
  {
    says: 'finds the person, whatever the case of the address',
    method: 'GET',
    path: `/Users?filter=${encodeURIComponent(`userName eq "${megan.toUpperCase()}"`)}`,
    status: 200,
    answer: { totalResults: 1, Resources: [{ id: '{megan}' }] },
  },
  {
    says: 'updates parts with filters in brackets',
    method: 'PATCH',
    path: '/Users/{megan}',
    body: patch(
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'megan.b@entra.example' },
      { op: 'Replace', path: 'name.familyName', value: 'Bowen' },
    ),
    status: 200,
    answer: { emails: [{ value: 'megan.b@entra.example' }], name: { familyName: 'Bowen', givenName: 'Megan' } },
  },
  {
    says: 'updates the user name',
    method: 'PATCH',
    path: '/Users/{megan}',
    body: patch({ op: 'Replace', path: 'userName', value: megan }),
    status: 200,
    answer: { userName: megan },
  },
  {
    says: 'sends dotted names without a path',
    method: 'PATCH',
    path: '/Users/{megan}',
    body: patch({
      op: 'Add',
      value: {
        'name.givenName': 'Meg',
        [`${enterprise}:department`]: 'Sales',
        'phoneNumbers[type eq "work"].value': '1',
      },
    }),
    status: 200,
    answer: { name: { givenName: 'Meg' }, [enterprise]: { department: 'Sales' } },
  },
  {
    says: 'sets the manager in a list of one',
    method: 'PATCH',
    path: '/Users/{megan}',
    body: patch({ op: 'Add', path: `${enterprise}:manager`, value: [{ $ref: '../Users/{adele}', value: '{adele}' }] }),
    status: 200,
    answer: { [enterprise]: { manager: { value: '{adele}' } } },
  },
  {
    says: 'sets the manager as a text',
    method: 'PATCH',
    path: '/Users/{megan}',
    body: patch({ op: 'Replace', path: `${enterprise}:manager`, value: '{adele}' }),
    status: 200,
    answer: { [enterprise]: { manager: { value: '{adele}', displayName: 'Adele Family' } } },
  },
  {
    says: 'removes the manager',
    method: 'PATCH',
    path: '/Users/{megan}',
    body: patch({ op: 'Remove', path: `${enterprise}:manager` }),
    status: 200,
    answer: { [enterprise]: { department: 'Sales' } },
  },
  {
    says: 'disables the person with a text',
    method: 'PATCH',
    path: '/Users/{megan}',
    body: patch({ op: 'Replace', path: 'active', value: 'False' }),
    status: 200,
    answer: { active: false },
  },
  {
    says: 'enables the person with a text',
    method: 'PATCH',
    path: '/Users/{megan}',
    body: patch({ op: 'Replace', value: { active: 'True' } }),
    status: 200,
    answer: { active: true },
  },
  {
    says: 'creates a group',
    method: 'POST',
    path: '/Groups',
    body: {
      schemas: [group, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'Sales people',
      meta: { resourceType: 'Group' },
    },
    status: 201,
    named: 'group',
  },
  {
    says: 'finds the group without its members',
    method: 'GET',
    path: `/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "sales people"')}`,
    status: 200,
    answer: { totalResults: 1, Resources: [{ id: '{group}' }] },
  },
  {
    says: 'adds members',
    method: 'PATCH',
    path: '/Groups/{group}',
    body: patch({
      op: 'Add',
      path: 'members',
      value: [
        { $ref: null, value: '{megan}' },
        { $ref: null, value: '{adele}' },
      ],
    }),
    status: 200,
  },
  {
    says: 'removes a member by its value',
    method: 'PATCH',
    path: '/Groups/{group}',
    body: patch({ op: 'Remove', path: 'members', value: [{ $ref: null, value: '{adele}' }] }),
    status: 200,
    answer: { members: [{ value: '{megan}' }] },
  },
  {
    says: 'finds the groups of a person',
    method: 'GET',
    path: `/Groups?attributes=id&filter=${encodeURIComponent('id eq "{group}" and members eq "{megan}"')}`,
    status: 200,
    answer: { totalResults: 1, Resources: [{ id: '{group}' }] },
  },
  { says: 'deletes the person', method: 'DELETE', path: '/Users/{megan}', status: 204 },
  { says: 'no longer finds the person', method: 'GET', path: '/Users/{megan}', status: 404 },
  {
    says: 'brings the person back under the same id',
    method: 'POST',
    path: '/Users',
    body: entra(megan, 'Megan'),
    status: 201,
    answer: { id: '{megan}', active: true, groups: [] },
  },
]
