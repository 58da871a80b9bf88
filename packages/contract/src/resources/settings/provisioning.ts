import * as z from 'zod'
import { byId, id, instant, instantInput, requiredText, wholeNumber } from '../../fields.ts'
import { pagedList, usualPages } from '../../lists.ts'
import { settingsResource } from '../../resource.ts'
import { data, deleted } from '../../standard.ts'

const mayManageUsers = { all: ['MANAGE_USERS'] } as const
const mayManageRoles = { all: ['MANAGE_ROLES'] } as const

const scimToken = z.object({
  id,
  name: z.string(),
  prefix: z.string(),
  ownerId: id,
  ownerName: z.string(),
  createdAt: instant,
  expiresAt: instant.nullable(),
  lastUsedAt: instant.nullable(),
  lastUsedAddress: z.string().nullable(),
})

/** The credentials with which directories keep the people of the workspace up to date (docs/guide/provisioning.md). */
export const scimTokens = settingsResource('settings.scimTokens', {
  list: {
    method: 'GET',
    path: '/api/settings/scim-tokens',
    summary: 'List the tokens of directories',
    access: mayManageUsers,
    reach: 'none',
    ...pagedList(scimToken, usualPages, {}),
  },
  create: {
    method: 'POST',
    path: '/api/settings/scim-tokens',
    summary: 'Create a token for a directory; its text is shown once',
    access: mayManageUsers,
    reach: { takes: 'scim-token' },
    fresh: true,
    body: z.strictObject({
      name: requiredText(100),
      ownerId: id.meta({ description: 'The service account whose reach the directory has' }),
      expiresAt: instantInput.nullable().optional(),
    }),
    reply: data(201, z.object({ id, token: z.string().meta({ description: 'It is shown only in this answer' }) })),
    errors: ['ACCESS_DENIED'],
  },
  delete: {
    method: 'DELETE',
    path: '/api/settings/scim-tokens/{id}',
    summary: 'End the token of a directory at once',
    access: mayManageUsers,
    reach: { takes: 'scim-token' },
    fresh: true,
    params: byId,
    reply: deleted,
    errors: ['ACCESS_DENIED'],
  },
})

const scimGroup = z.object({
  id,
  displayName: z.string(),
  externalId: z.string().nullable(),
  memberCount: wholeNumber,
  roleIds: z.array(id),
  departmentId: id.nullable(),
  createdAt: instant,
  updatedAt: instant,
})

/** The groups of directories, and the rights that follow from them. */
export const scimGroups = settingsResource('settings.scimGroups', {
  list: {
    method: 'GET',
    path: '/api/settings/scim-groups',
    summary: 'List the groups that directories have sent',
    access: mayManageRoles,
    reach: 'none',
    ...pagedList(scimGroup, usualPages, {}),
  },
  update: {
    method: 'PATCH',
    path: '/api/settings/scim-groups/{id}',
    summary: 'Say which roles and which department the members of a group get',
    access: mayManageRoles,
    // A rule about who gets which rights: it may concern anybody, also when the group is empty at present.
    reach: { gives: 'everybody', takes: 'everybody' },
    fresh: true,
    params: byId,
    body: z.strictObject({ roleIds: z.array(id).max(20).optional(), departmentId: id.nullable().optional() }),
    reply: data(200, scimGroup),
    errors: ['ACCESS_DENIED', 'LAST_ADMINISTRATOR', 'BREAK_GLASS_REQUIRED'],
  },
})
