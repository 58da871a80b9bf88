import { scimDiscovery, scimPage, scimSchemas } from '@crm/contract'
import { ApiError } from '@crm/errors'
import { implement, type CrmContext } from '../../../platform/context.ts'

interface Attribute {
  readonly name: string
  readonly type?: 'string' | 'boolean' | 'complex' | 'reference'
  readonly multiValued?: true
  readonly required?: true
  readonly caseExact?: true
  readonly mutability?: 'readOnly'
  readonly uniqueness?: 'server'
  readonly subAttributes?: readonly Attribute[]
}

const value: Attribute = { name: 'value' }

/** The attributes of each schema that the product keeps. */
const schemas: readonly { readonly id: string; readonly name: string; readonly attributes: readonly Attribute[] }[] = [
  {
    id: scimSchemas.user,
    name: 'User',
    attributes: [
      { name: 'userName', required: true, uniqueness: 'server' },
      { name: 'displayName' },
      {
        name: 'name',
        type: 'complex',
        subAttributes: [{ name: 'formatted', mutability: 'readOnly' }, { name: 'givenName' }, { name: 'familyName' }],
      },
      { name: 'active', type: 'boolean' },
      { name: 'timezone' },
      {
        name: 'emails',
        type: 'complex',
        multiValued: true,
        subAttributes: [value, { name: 'type' }, { name: 'primary', type: 'boolean' }],
      },
      {
        name: 'groups',
        type: 'complex',
        multiValued: true,
        mutability: 'readOnly',
        subAttributes: [value, { name: 'display' }, { name: '$ref', type: 'reference' }],
      },
    ],
  },
  {
    id: scimSchemas.enterpriseUser,
    name: 'EnterpriseUser',
    attributes: [
      { name: 'department' },
      {
        name: 'manager',
        type: 'complex',
        subAttributes: [value, { name: 'displayName', mutability: 'readOnly' }, { name: '$ref', type: 'reference' }],
      },
    ],
  },
  {
    id: scimSchemas.group,
    name: 'Group',
    attributes: [
      { name: 'displayName', required: true, uniqueness: 'server' },
      {
        name: 'members',
        type: 'complex',
        multiValued: true,
        subAttributes: [value, { name: 'display' }, { name: 'type' }, { name: '$ref', type: 'reference' }],
      },
    ],
  },
]

const types = [
  {
    id: 'User',
    endpoint: '/Users',
    schema: scimSchemas.user,
    schemaExtensions: [{ schema: scimSchemas.enterpriseUser, required: false }],
  },
  { id: 'Group', endpoint: '/Groups', schema: scimSchemas.group, schemaExtensions: [] },
]

const metaOf = ({ workspace }: CrmContext, resourceType: string, path: string) => ({
  resourceType,
  location: `${workspace.baseUrl}/api/scim/v2/${path}`,
})

export const implementedScimDiscovery = implement(scimDiscovery, {
  serviceProviderConfig: async ({ query }, context) => {
    refuseFilter(query)
    return {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
      patch: { supported: true },
      bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
      filter: { supported: true, maxResults: scimPage.countMax },
      changePassword: { supported: false },
      sort: { supported: false },
      etag: { supported: false },
      authenticationSchemes: [
        {
          type: 'oauthbearertoken',
          name: 'Bearer token',
          description: 'A token of the settings of the workspace',
          specUri: 'https://www.rfc-editor.org/info/rfc6750',
          primary: true,
        },
      ],
      meta: metaOf(context, 'ServiceProviderConfig', 'ServiceProviderConfig'),
    }
  },

  resourceTypes: async ({ query }, context) => {
    refuseFilter(query)
    return listOf(types.map((type) => toResourceType(type, context)))
  },

  resourceType: async ({ params, query }, context) => {
    refuseFilter(query)
    const type = types.find(({ id }) => id.toLowerCase() === params.id.toLowerCase())
    if (!type) throw new ApiError('NOT_FOUND', { message: 'There is no such kind of resource' })
    return toResourceType(type, context)
  },

  schemas: async ({ query }, context) => {
    refuseFilter(query)
    return listOf(schemas.map((schema) => toSchema(schema, context)))
  },

  schema: async ({ params, query }, context) => {
    refuseFilter(query)
    const schema = schemas.find(({ id }) => id.toLowerCase() === params.id.toLowerCase())
    if (!schema) throw new ApiError('NOT_FOUND', { message: 'There is no such schema' })
    return toSchema(schema, context)
  },
})

function refuseFilter({ filter }: { readonly filter?: string | undefined }): void {
  if (filter !== undefined) throw new ApiError('ACCESS_DENIED', { message: 'This document cannot be filtered' })
}

function listOf(resources: readonly unknown[]) {
  return {
    schemas: [scimSchemas.list],
    totalResults: resources.length,
    startIndex: 1,
    itemsPerPage: resources.length,
    Resources: resources,
  }
}

function toResourceType(type: (typeof types)[number], context: CrmContext) {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    name: type.id,
    ...type,
    meta: metaOf(context, 'ResourceType', `ResourceTypes/${type.id}`),
  }
}

function toSchema({ id, name, attributes }: (typeof schemas)[number], context: CrmContext) {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id,
    name,
    attributes: attributes.map(toAttribute),
    meta: metaOf(context, 'Schema', `Schemas/${id}`),
  }
}

/** Writes the characteristics of RFC 7643, section 2.2, that an attribute does not name. */
function toAttribute({ subAttributes, ...attribute }: Attribute): object {
  return {
    type: 'string',
    multiValued: false,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...attribute,
    ...(subAttributes ? { subAttributes: subAttributes.map(toAttribute) } : {}),
  }
}
