import * as z from 'zod'
import { byId, id, instant, recordFields, requiredText, text } from '../../fields.ts'
import { pagedList, usualPages } from '../../lists.ts'
import { settingsResource } from '../../resource.ts'
import { data, deleted, managedBy, standard } from '../../standard.ts'

const mayManage = { all: ['MANAGE_WORKSPACE'] } as const
/** Whoever says how everybody signs in could sign in as anybody. */
const reach = { actsAs: 'everybody' } as const

const domainName = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .transform((name) =>
    URL.canParse(`http://${name}`) && !/[/?#@:\\\s]/.test(name) ? new URL(`http://${name}`).hostname : name,
  )
  .pipe(
    z
      .string()
      .regex(/^([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]*[a-z\d]$/, 'Expected a domain such as example.com'),
  )

const domain = z.object({
  id,
  domain: z.string(),
  status: z.enum(['PENDING', 'VERIFIED']),
  record: z
    .object({ type: z.literal('TXT'), name: z.string(), value: z.string() })
    .meta({ description: 'What the owner of the domain publishes in DNS' }),
  createdAt: instant,
  verifiedAt: instant.nullable(),
})

/** The domains whose mail addresses belong to the workspace. */
export const domains = settingsResource('settings.domains', {
  list: {
    method: 'GET',
    path: '/api/settings/domains',
    summary: 'List the domains of the workspace',
    access: mayManage,
    reach: 'none',
    ...pagedList(domain, usualPages, {}),
  },
  create: {
    method: 'POST',
    path: '/api/settings/domains',
    summary: 'Claim a domain; its owner proves it by a record in DNS',
    access: mayManage,
    reach,
    fresh: true,
    body: z.strictObject({ domain: domainName }),
    reply: data(201, domain),
    errors: ['NAME_TAKEN', 'ACCESS_DENIED'],
  },
  verify: {
    method: 'POST',
    path: '/api/settings/domains/{id}/verify',
    summary: 'Look for the record of a domain in DNS',
    access: mayManage,
    reach,
    fresh: true,
    params: byId,
    reply: data(200, domain),
    errors: ['DOMAIN_NOT_VERIFIED', 'NAME_TAKEN', 'ACCESS_DENIED'],
  },
  delete: {
    method: 'DELETE',
    path: '/api/settings/domains/{id}',
    summary: 'Give up a domain',
    access: mayManage,
    reach,
    fresh: true,
    params: byId,
    reply: deleted,
    errors: ['ACCESS_DENIED'],
  },
})

const authMethods = ['client_secret_basic', 'client_secret_post', 'none'] as const
const provisionings = ['JIT', 'LINK', 'OFF'] as const

const groupRule = z.strictObject({
  group: requiredText(200),
  roleIds: z.array(id).max(20),
  departmentId: id.nullable().optional(),
})

const provider = z.object({
  ...recordFields,
  slug: z.string(),
  name: z.string(),
  issuer: z.string(),
  clientId: z.string(),
  hasSecret: z.boolean(),
  authMethod: z.enum(authMethods),
  scopes: z.array(z.string()),
  domains: z.array(z.string()),
  provisioning: z.enum(provisionings),
  defaultRoleIds: z.array(id),
  groupsClaim: z.string().nullable(),
  groupMapping: z.array(z.object({ group: z.string(), roleIds: z.array(id), departmentId: id.nullable().optional() })),
  trustEmail: z.boolean(),
  assumesSecondFactor: z.boolean(),
  rpLogout: z.boolean(),
  sessionHours: z.int(),
  isActive: z.boolean(),
})

const slug = z.string().regex(/^[a-z\d]([a-z\d-]{0,38}[a-z\d])?$/, 'Expected small letters, digits and dashes')

const required = {
  slug,
  name: requiredText(100),
  issuer: z
    .string()
    .trim()
    .max(2_000)
    .refine(
      (value) => /^https?:\/\//.test(value) && URL.canParse(value),
      'Expected an address that begins with https://',
    ),
  clientId: requiredText(500),
}

const optional = {
  clientSecret: text(2_000).optional(),
  authMethod: z.enum(authMethods).optional(),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, 'This is no scope'))
    .max(20)
    .optional(),
  domains: z.array(domainName).max(100).optional(),
  provisioning: z
    .enum(provisionings)
    .optional()
    .meta({ description: 'JIT makes accounts, LINK only finds them by address' }),
  defaultRoleIds: z.array(id).max(20).optional(),
  groupsClaim: text(200).optional(),
  groupMapping: z.array(groupRule).max(500).optional(),
  trustEmail: z
    .boolean()
    .optional()
    .meta({ description: 'Whether an address counts as verified when the provider does not say' }),
  assumesSecondFactor: z.boolean().optional(),
  rpLogout: z.boolean().optional().meta({ description: 'Whether signing out here signs out there too' }),
  sessionHours: z
    .int()
    .min(1)
    .max(24 * 365)
    .optional(),
  isActive: z.boolean().optional(),
}

const providerInput = z.strictObject({ ...required, ...optional })
export type ProviderInput = z.output<typeof providerInput>
const providerPatch = z.strictObject({
  slug: required.slug.optional(),
  name: required.name.optional(),
  issuer: required.issuer.optional(),
  clientId: required.clientId.optional(),
  ...optional,
})
export type ProviderPatch = z.output<typeof providerPatch>

const providerOperations = standard({
  path: '/api/settings/identity-providers',
  noun: 'identity provider',
  plural: 'identity providers',
  record: provider,
  create: providerInput,
  update: providerPatch,
  list: pagedList(provider, usualPages, {}),
  access: managedBy(mayManage),
  reach: { view: 'none', create: reach, update: reach, delete: reach } as const,
})

/** OpenID providers with which people sign in (docs/guide/sign-in.md). */
export const identityProviders = settingsResource('settings.identityProviders', {
  ...providerOperations,
  create: {
    ...providerOperations.create,
    fresh: true,
    errors: ['NAME_TAKEN', 'ISSUER_UNREACHABLE', 'ISSUER_MISMATCH', 'ACCESS_DENIED'],
  },
  update: {
    ...providerOperations.update,
    fresh: true,
    errors: ['NAME_TAKEN', 'ISSUER_UNREACHABLE', 'ISSUER_MISMATCH', 'ACCESS_DENIED'],
  },
  delete: {
    ...providerOperations.delete,
    fresh: true,
    errors: ['ACCESS_DENIED', 'LAST_ADMINISTRATOR', 'BREAK_GLASS_REQUIRED'],
  },
})

const ssoPurposes = ['sign-in', 'link', 'reauth'] as const
export type SsoPurpose = (typeof ssoPurposes)[number]

/** The reasons with which a sign-in at a provider ends at the sign-in page. */
export const ssoErrors = [
  'SSO_STATE_INVALID',
  'SSO_REFUSED',
  'SSO_TOKEN_INVALID',
  'SSO_EMAIL_UNVERIFIED',
  'SSO_EMAIL_INVALID',
  'SSO_NOT_PROVISIONED',
  'SSO_LINK_CONFLICT',
  'ACCOUNT_DISABLED',
] as const
export type SsoError = (typeof ssoErrors)[number]

const bySlug = z.object({ slug })
const word = (charactersMax: number) => z.string().max(charactersMax).optional()
/** A redirect: an answer without a body, whose status and place the handler gives. */
const redirect = z.object({})

const identity = z.object({
  id,
  issuer: z.string(),
  providerName: z.string().nullable(),
  slug: z.string().nullable().meta({ description: 'The provider that signs the person in; null when none does now' }),
  email: z.string().nullable(),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
})

export const sso = settingsResource('auth.sso', {
  providers: {
    method: 'GET',
    path: '/api/auth/providers',
    summary: 'List the ways of signing in',
    access: 'open',
    reach: 'none',
    reply: data(
      200,
      z.object({
        password: z.boolean().meta({ description: 'Whether people sign in with a password' }),
        providers: z.array(z.object({ slug: z.string(), name: z.string() })),
        workspaceName: z.string(),
      }),
    ),
  },
  start: {
    method: 'GET',
    path: '/api/auth/sso/{slug}/start',
    summary: 'Go to a provider to sign in, to link an account or to prove who you are once more',
    access: 'open',
    reach: 'none',
    params: bySlug,
    query: z.object({ next: word(2_000), purpose: z.enum(ssoPurposes).default('sign-in') }),
    reply: { status: 302, body: redirect },
    errors: ['AUTHENTICATION_ERROR', 'REAUTHENTICATION_REQUIRED', 'ORIGIN_REFUSED', 'RATE_LIMITED'],
  },
  callback: {
    method: 'GET',
    path: '/api/auth/sso/{slug}/callback',
    summary: 'Come back from a provider',
    access: 'open',
    reach: 'none',
    params: bySlug,
    query: z.object({
      code: word(4_000),
      state: word(500),
      iss: word(2_000),
      error: word(500),
      error_description: word(2_000),
    }),
    reply: { status: 302, body: redirect },
  },
  identities: {
    method: 'GET',
    path: '/api/auth/identities',
    summary: 'List your accounts at providers',
    access: 'credential',
    reach: 'none',
    reply: { status: 200, body: z.object({ data: z.array(identity) }) },
  },
  unlink: {
    method: 'DELETE',
    path: '/api/auth/identities/{id}',
    summary: 'Unlink one of your accounts at providers',
    access: 'credential',
    reach: 'none',
    params: byId,
    reply: deleted,
  },
})
