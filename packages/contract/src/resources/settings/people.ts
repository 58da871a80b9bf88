import { accessLevels } from '@crm/permissions'
import * as z from 'zod'
import { byId, email, id, recordFields, requiredText, text, timeZone } from '../../fields.ts'
import { pagedList, usualPages } from '../../lists.ts'
import { settingsResource } from '../../resource.ts'
import { deleted, managedBy, standard } from '../../standard.ts'
import { newPassword } from './sessions.ts'

export const employeeStatuses = ['ACTIVE', 'SUSPENDED', 'TERMINATED'] as const

/** People sign in; a service account is a program with roles of its own, and never does. */
export const employeeKinds = ['PERSON', 'SERVICE'] as const

/** A person or a service account, as the settings and the list of employees show them. */
export const user = z.object({
  ...recordFields,
  kind: z.enum(employeeKinds),
  email: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  name: z.string(),
  roleIds: z.array(id),
  departmentId: id.nullable(),
  managerId: id.nullable(),
  timezone: z.string().nullable(),
  status: z.enum(employeeStatuses),
})

const userFields = {
  firstName: text(100).optional(),
  lastName: text(100).optional(),
  roleIds: z.array(id).max(20).optional(),
  departmentId: id.nullable().optional(),
  managerId: id.nullable().optional(),
  timezone: timeZone.nullable().optional(),
  status: z.enum(employeeStatuses).optional(),
}

const serviceName = requiredText(100)
  .optional()
  .meta({ description: 'The name of a service account; people have a first and a last name' })

/** The fields that only people have. */
const fieldsOfPeople = ['email', 'password', 'firstName', 'lastName', 'managerId', 'timezone'] as const

const userInput = z
  .strictObject({
    kind: z.enum(employeeKinds).default('PERSON'),
    name: serviceName,
    email: email.optional(),
    password: newPassword.optional().meta({
      description:
        'Only where the workspace allows typed passwords; without one the person signs in by SSO, or by a link that you send them',
    }),
    ...userFields,
  })
  .superRefine((body, context) => {
    const refuse = (field: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [field], message })
    if (body.kind === 'PERSON') {
      if (body.email === undefined) refuse('email', 'A person needs an email address')
      if (body.name !== undefined) refuse('name', 'People have a first and a last name')
    } else {
      if (body.name === undefined) refuse('name', 'A service account needs a name')
      for (const field of fieldsOfPeople)
        if ((body[field] ?? null) !== null) refuse(field, 'A service account has no such thing')
    }
  })
export type UserInput = z.output<typeof userInput>
const userPatch = z.strictObject({
  name: serviceName,
  email: email.optional(),
  password: newPassword.optional(),
  endConnections: z.boolean().optional().meta({
    description:
      'Whether a new password ends the API keys and connected clients of the person as well as the sessions; yes unless told',
  }),
  ...userFields,
})
export type UserPatch = z.output<typeof userPatch>

const mayManageUsers = { all: ['MANAGE_USERS'] } as const

const { delete: _, ...userOperations } = standard({
  path: '/api/settings/users',
  noun: 'user',
  plural: 'users',
  record: user,
  create: userInput,
  update: userPatch,
  list: pagedList(user, usualPages, {
    search: z.string().max(200).optional(),
    status: z.enum(employeeStatuses).optional(),
    kind: z.enum(employeeKinds).optional(),
    departmentId: id.optional(),
  }),
  access: managedBy(mayManageUsers),
  reach: {
    view: 'none',
    create: { gives: 'user' },
    update: { gives: 'user', takes: 'user', when: ['email', 'password', 'roleIds', 'departmentId', 'status'] },
    delete: { takes: 'user' },
  } as const,
})

export const users = settingsResource('settings.users', {
  ...userOperations,
  withoutSight: {
    method: 'GET',
    path: '/api/settings/users/without-sight',
    summary: 'List the active people who see none of the records that a team shares',
    description:
      'People whose role lets them see leads, contacts, deals and the like, but none of those that are there. Empty where there are none yet.',
    access: mayManageUsers,
    reach: 'none',
    reply: { status: 200, body: z.object({ data: z.array(z.object({ id, name: z.string() })) }) },
  },
  create: {
    ...userOperations.create,
    fresh: true,
    errors: ['NAME_TAKEN', 'QUOTA_EXCEEDED', 'ACCESS_DENIED', 'TYPED_PASSWORDS_OFF'],
  },
  update: {
    ...userOperations.update,
    fresh: { when: ['email', 'password', 'roleIds', 'status'] },
    errors: ['NAME_TAKEN', 'LAST_ADMINISTRATOR', 'BREAK_GLASS_REQUIRED', 'ACCESS_DENIED', 'TYPED_PASSWORDS_OFF'],
  },
  delete: {
    method: 'DELETE',
    fresh: true,
    path: '/api/settings/users/{id}',
    summary: 'Terminate a user; their records stay',
    access: mayManageUsers,
    reach: { takes: 'user' },
    params: byId,
    reply: deleted,
    errors: ['LAST_ADMINISTRATOR', 'BREAK_GLASS_REQUIRED', 'ACCESS_DENIED'],
  },
})

const accessRule = z.strictObject({
  entityType: requiredText(60),
  VIEW: z.enum(accessLevels).default('ALL'),
  UPDATE: z.enum(accessLevels).default('ALL'),
  DELETE: z.enum(accessLevels).default('ALL'),
})

const role = z.object({
  ...recordFields,
  name: z.string(),
  description: z.string().nullable(),
  isSystem: z.boolean(),
  permissions: z.array(z.string()),
  access: z.array(
    z.object({
      entityType: z.string(),
      VIEW: z.enum(accessLevels),
      UPDATE: z.enum(accessLevels),
      DELETE: z.enum(accessLevels),
    }),
  ),
  userCount: z.int(),
})

const roleFields = {
  description: text(500).optional(),
  permissions: z.array(requiredText(80)).max(500).optional(),
  access: z.array(accessRule).max(200).optional(),
}

const roleInput = z.strictObject({ name: requiredText(100), ...roleFields })
export type RoleInput = z.output<typeof roleInput>
const rolePatch = z.strictObject({ name: requiredText(100).optional(), ...roleFields })
export type RolePatch = z.output<typeof rolePatch>

const roleOperations = standard({
  path: '/api/settings/roles',
  noun: 'role',
  plural: 'roles',
  record: role,
  create: roleInput,
  update: rolePatch,
  list: pagedList(role, usualPages, {}),
  access: managedBy({ all: ['MANAGE_ROLES'] } as const),
  reach: {
    view: 'none',
    create: { gives: 'role' },
    update: { gives: 'role', takes: 'role', when: ['permissions', 'access'] },
    delete: { takes: 'role' },
  } as const,
})

export const roles = settingsResource('settings.roles', {
  ...roleOperations,
  create: { ...roleOperations.create, fresh: true, errors: ['NAME_TAKEN', 'ACCESS_DENIED'] },
  update: {
    ...roleOperations.update,
    fresh: true,
    errors: ['NAME_TAKEN', 'SYSTEM_ROLE', 'LAST_ADMINISTRATOR', 'BREAK_GLASS_REQUIRED', 'ACCESS_DENIED'],
  },
  delete: {
    ...roleOperations.delete,
    fresh: true,
    errors: ['SYSTEM_ROLE', 'IN_USE', 'LAST_ADMINISTRATOR', 'BREAK_GLASS_REQUIRED', 'ACCESS_DENIED'],
  },
})
