import * as z from 'zod'
import { scimResource } from '../resource.ts'

/** The schemas of RFC 7643. */
export const scimSchemas = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  enterpriseUser: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
} as const

/** The most resources of one page, and the number unless told. */
export const scimPage = { count: 100, countMax: 200 } as const

const meta = z.object({
  resourceType: z.string(),
  created: z.string().optional(),
  lastModified: z.string().optional(),
  location: z.string().optional(),
})
const schemas = z.array(z.string())

/** A person; a caller chooses which attributes the answer has. */
const scimUser = z.object({
  schemas,
  id: z.string(),
  externalId: z.string().optional(),
  userName: z.string().optional(),
  displayName: z.string().optional(),
  name: z
    .object({
      formatted: z.string().optional(),
      givenName: z.string().optional(),
      familyName: z.string().optional(),
    })
    .optional(),
  active: z.boolean().optional(),
  timezone: z.string().optional(),
  emails: z
    .array(z.object({ value: z.string().optional(), type: z.string().optional(), primary: z.boolean().optional() }))
    .optional(),
  groups: z
    .array(z.object({ value: z.string().optional(), display: z.string().optional(), $ref: z.string().optional() }))
    .optional(),
  [scimSchemas.enterpriseUser]: z
    .object({
      department: z.string().optional(),
      manager: z
        .object({ value: z.string(), displayName: z.string().optional(), $ref: z.string().optional() })
        .optional(),
    })
    .optional(),
  meta: meta.optional(),
})

const scimGroup = z.object({
  schemas,
  id: z.string(),
  externalId: z.string().optional(),
  displayName: z.string().optional(),
  members: z
    .array(
      z.object({
        value: z.string().optional(),
        display: z.string().optional(),
        type: z.string().optional(),
        $ref: z.string().optional(),
      }),
    )
    .optional(),
  meta: meta.optional(),
})

const listOf = <Resource extends z.ZodType>(resource: Resource) =>
  z.object({
    schemas,
    totalResults: z.int(),
    startIndex: z.int(),
    itemsPerPage: z.int(),
    Resources: z.array(resource),
  })

const names = z.string().max(2_000).optional()
const shape = { attributes: names, excludedAttributes: names }
const shaped = z.object(shape)
const pageQuery = z.object({
  ...shape,
  filter: z.string().max(2_000).optional(),
  startIndex: z.string().max(12).optional(),
  count: z.string().max(12).optional(),
})

/** Directories send attributes that the product has no place for; what it does not know it ignores. */
const resourceBody = z.looseObject({ schemas: z.array(z.string()).nullish() })
const patchBody = z.looseObject({})
/** An id that is no UUID belongs to nobody. */
const byId = z.object({ id: z.string().max(200) })

const access = { all: ['MANAGE_USERS'] } as const
const changes = ['ACCESS_DENIED', 'NAME_TAKEN', 'LAST_ADMINISTRATOR', 'BREAK_GLASS_REQUIRED'] as const

/** Returns the six operations of a kind of resource. */
function operationsOf<
  const Path extends `/${string}`,
  Resource extends z.ZodType,
  const Person extends 'scim-person' | 'scim-group',
>(path: Path, noun: string, plural: string, resource: Resource, object: Person) {
  const one = `${path}/{id}` as const
  const effect = { gives: object, takes: object } as const
  const reply = { status: 200, body: resource } as const
  return {
    list: {
      method: 'GET',
      path,
      summary: `List ${plural}`,
      access,
      reach: 'none',
      query: pageQuery,
      reply: { status: 200, body: listOf(resource) },
    },
    get: {
      method: 'GET',
      path: one,
      summary: `Read a ${noun}`,
      access,
      reach: 'none',
      params: byId,
      query: shaped,
      reply,
    },
    create: {
      method: 'POST',
      path,
      summary: `Create a ${noun}`,
      access,
      reach: effect,
      query: shaped,
      body: resourceBody,
      reply: { status: 201, body: resource },
      errors: changes,
    },
    replace: {
      method: 'PUT',
      path: one,
      summary: `Replace a ${noun}`,
      access,
      reach: effect,
      params: byId,
      query: shaped,
      body: resourceBody,
      reply,
      errors: changes,
    },
    change: {
      method: 'PATCH',
      path: one,
      summary: `Change a ${noun}`,
      access,
      reach: effect,
      params: byId,
      query: shaped,
      body: patchBody,
      reply,
      errors: changes,
    },
    delete: {
      method: 'DELETE',
      path: one,
      summary: `Delete a ${noun}`,
      access,
      reach: effect,
      params: byId,
      reply: { status: 204, body: z.never() },
      errors: changes,
    },
  } as const
}

export const scimUsers = scimResource(
  'scim.users',
  operationsOf('/api/scim/v2/Users', 'person', 'people', scimUser, 'scim-person'),
)
export const scimDirectoryGroups = scimResource(
  'scim.groups',
  operationsOf('/api/scim/v2/Groups', 'group', 'groups', scimGroup, 'scim-group'),
)

/** The documents in which a directory reads what it can do. */
const document = z.record(z.string(), z.unknown())
/** These documents take no filter, and one that has no effect would look like a complete answer (RFC 7644, section 4). */
const unfiltered = z.object({ filter: z.string().max(2_000).optional() })
const described = (path: `/${string}`, summary: string) =>
  ({
    method: 'GET',
    path,
    summary,
    access: 'credential',
    reach: 'none',
    query: unfiltered,
    errors: ['ACCESS_DENIED'],
    reply: { status: 200, body: document },
  }) as const
const describedOne = (path: `/${string}`, summary: string) => ({ ...described(path, summary), params: byId }) as const

export const scimDiscovery = scimResource('scim.discovery', {
  serviceProviderConfig: described('/api/scim/v2/ServiceProviderConfig', 'Read what the provisioning API can do'),
  resourceTypes: described('/api/scim/v2/ResourceTypes', 'List the kinds of resource'),
  resourceType: describedOne('/api/scim/v2/ResourceTypes/{id}', 'Read a kind of resource'),
  schemas: described('/api/scim/v2/Schemas', 'List the schemas of resources'),
  schema: describedOne('/api/scim/v2/Schemas/{id}', 'Read a schema'),
})

export type ScimUser = z.input<typeof scimUser>
export type ScimGroup = z.input<typeof scimGroup>
