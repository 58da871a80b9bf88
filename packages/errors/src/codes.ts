import * as z from 'zod'

/** A stable error code: its HTTP status, its usual text and the shape of its extra fields. */
export interface ErrorDefinition {
  readonly status: number
  readonly text: string
  /** The shape of `details`, where the code has them. */
  readonly details?: z.ZodType
  /** Names of further members beside `error` and `code`. */
  readonly extra?: readonly string[]
}

const params = z.array(z.string())
/** The nearest known word for each wrong one. */
const suggestions = z.record(z.string(), z.string()).optional()
const define = <const T extends Record<string, ErrorDefinition>>(table: T): T => table

/** Every code of the public API (docs/guide/errors.md), the booking API (docs/guide/booking.md) and the domain, with its status. */
export const errorCodes = define({
  VALIDATION_ERROR: { status: 400, text: 'The request is not valid', extra: ['issues'] },
  UNKNOWN_QUERY_PARAM: {
    status: 400,
    text: 'Unknown query parameter',
    details: z.object({ unknownParams: params, acceptedParams: params, suggestions }),
  },
  DUPLICATE_QUERY_PARAM: {
    status: 400,
    text: 'A single-value query parameter is repeated',
    details: z.object({ duplicatedParams: params }),
  },
  INVALID_QUERY_PARAM: {
    status: 400,
    text: 'A query parameter has an unusable value',
    details: z.object({ param: z.string(), message: z.string(), suggestions }),
  },
  UNKNOWN_CUSTOM_FIELD_FILTER: {
    status: 400,
    text: 'A custom field filter names no custom field',
    details: z.object({ unknownParams: params, suggestions }),
  },
  INVALID_ID: { status: 400, text: 'An id is not a valid id' },
  INVALID_REFERENCE: {
    status: 400,
    text: 'A field refers to a record that is not in the workspace',
    details: z.object({ field: z.string() }),
  },
  INVALID_CURRENCY: { status: 400, text: 'Unknown or inactive currency' },
  RATE_MISSING: { status: 400, text: 'A currency has no exchange rate', details: z.object({ currencies: params }) },
  TOO_MANY_GROUPS: {
    status: 400,
    text: 'The answer would have too many groups',
    details: z.object({ max: z.number() }),
  },
  SUMMARY_TOO_EXPENSIVE: {
    status: 400,
    text: 'The question takes too long to answer',
    details: z.object({ budgetMs: z.number() }),
  },
  NOT_PREVIEWABLE: { status: 400, text: 'Nobody can see beforehand what this would do' },
  IDEMPOTENCY_KEY_INVALID: { status: 400, text: 'Idempotency-Key must be 1 to 255 characters' },
  STAGE_NOT_FOUND: { status: 400, text: 'The stage does not exist in this pipeline' },
  PIPELINE_NOT_FOUND: { status: 400, text: 'The pipeline does not exist' },
  ISSUER_UNREACHABLE: { status: 400, text: 'The identity provider does not answer as one' },
  ISSUER_MISMATCH: { status: 400, text: 'The identity provider names another issuer' },
  AUTHENTICATION_ERROR: { status: 401, text: 'A valid credential is required' },
  SECOND_FACTOR_INVALID: { status: 401, text: 'The code or the passkey is not valid' },
  SIGN_IN_EXPIRED: { status: 401, text: 'Sign in again from the beginning' },
  ACCESS_DENIED: { status: 403, text: 'A permission is missing', extra: ['requiredPermission'] },
  ACCESS_LEVEL_NONE: { status: 403, text: 'No access to records of this kind', extra: ['requiredPermission'] },
  SSO_REQUIRED: { status: 403, text: 'People of this workspace sign in with their identity provider' },
  ADDRESS_NOT_ALLOWED: { status: 403, text: 'The key does not work from this address' },
  ACCOUNT_DISABLED: { status: 403, text: 'The account is suspended or terminated' },
  MODULE_DISABLED: { status: 403, text: 'The module is switched off', extra: ['key', 'reason'] },
  QUOTA_EXCEEDED: {
    status: 403,
    text: 'A plan limit is reached',
    details: z.object({ quota: z.string(), used: z.number(), limit: z.number() }),
  },
  BUDGET_EXCEEDED: {
    status: 403,
    text: 'The limit of this key or client is reached',
    details: z.object({ name: z.string(), limit: z.number(), used: z.number(), resetsAt: z.string() }),
  },
  CONFIRMATION_NEEDED: { status: 403, text: 'A person confirms such a call first, in a client that can ask' },
  TYPED_PASSWORDS_OFF: { status: 403, text: 'People choose their own passwords in this workspace' },
  REAUTHENTICATION_REQUIRED: { status: 403, text: 'Confirm first that it is you' },
  ORIGIN_REFUSED: { status: 403, text: 'The request does not come from the workspace itself' },
  NOT_FOUND: { status: 404, text: 'Not found', details: z.object({ mergedIntoId: z.string() }) },
  LINK_INVALID: { status: 404, text: 'The link is no longer valid' },
  METHOD_NOT_ALLOWED: { status: 405, text: 'This path has no such method' },
  IDEMPOTENCY_KEY_REUSED: { status: 409, text: 'The Idempotency-Key was used with a different request' },
  IDEMPOTENCY_KEY_IN_FLIGHT: { status: 409, text: 'The first request with this Idempotency-Key is still running' },
  VERSION_CONFLICT: {
    status: 409,
    text: 'The record has changed since',
    details: z.union([
      z.object({ version: z.number() }),
      z.object({
        conflicts: z.array(
          z.object({ id: z.string(), field: z.string(), proposed: z.unknown(), current: z.unknown() }),
        ),
      }),
    ]),
  },
  PROPOSAL_CLOSED: { status: 409, text: 'The proposal was decided already' },
  PRECONDITION_FAILED: {
    status: 412,
    text: 'The record is in another version than If-Match names',
    details: z.object({ version: z.number() }),
  },
  IN_USE: {
    status: 409,
    text: 'The record is in use',
    details: z.object({
      count: z.number(),
      uses: z.array(z.object({ entityType: z.string(), count: z.number() })),
    }),
  },
  NAME_TAKEN: { status: 409, text: 'The name is taken', details: z.object({ field: z.string() }) },
  INVITATION_PENDING: { status: 409, text: 'This person is invited already' },
  SECOND_FACTOR_REQUIRED: { status: 409, text: 'The last second factor cannot be removed, because one is required' },
  SYSTEM_RECORD: { status: 409, text: 'The service itself uses this record, so it cannot be deleted' },
  SYSTEM_ROLE: { status: 409, text: 'A system role cannot be changed' },
  NOT_TERMINATED: { status: 409, text: 'Only people who have left can be erased' },
  TOO_MANY_TEXTS: {
    status: 409,
    text: 'The name or address stands in more texts than that of one person would',
    details: z.object({ limit: z.number() }),
  },
  LAST_ADMINISTRATOR: { status: 409, text: 'The workspace needs an active administrator' },
  DOMAIN_NOT_VERIFIED: { status: 409, text: 'The record of the domain was not found in DNS' },
  BREAK_GLASS_REQUIRED: {
    status: 409,
    text: 'One of the people who keep a password must be an administrator with a second factor',
  },
  PARENT_CYCLE: { status: 409, text: 'A record cannot stand below itself' },
  STAGE_IN_USE: { status: 409, text: 'The stage holds records', details: z.object({ count: z.number() }) },
  LAST_OPEN_STAGE: { status: 409, text: 'A pipeline needs at least one open stage' },
  DEFAULT_PIPELINE: { status: 409, text: 'The default pipeline cannot be deleted or deactivated' },
  STAGE_TRANSITION_NOT_ALLOWED: { status: 409, text: 'The pipeline does not allow this move' },
  LEAD_ALREADY_CONVERTED: {
    status: 409,
    text: 'The lead is already converted',
    details: z.object({
      contactId: z.string().nullable(),
      companyId: z.string().nullable(),
      dealId: z.string().nullable(),
    }),
  },
  DUPLICATE_FOUND: {
    status: 409,
    text: 'A matching record exists',
    details: z.object({ candidates: z.array(z.object({ entityType: z.string(), id: z.string() })) }),
  },
  COUNT_MISMATCH: {
    status: 409,
    text: 'The filter matches another number of records',
    details: z.object({ expected: z.number(), matched: z.number() }),
  },
  INVOICE_LOCKED: { status: 409, text: 'An issued invoice cannot be changed like this' },
  HOME_DASHBOARD: { status: 409, text: 'The workspace needs a home' },
  NUMBER_IN_USE: { status: 409, text: 'The number is used already' },
  PAYMENT_EXCEEDS_BALANCE: {
    status: 409,
    text: 'The payment is larger than what is due',
    details: z.object({ amountDue: z.string() }),
  },
  PAYMENT_ALREADY_REVERSED: { status: 409, text: 'The payment is reversed already' },
  SKU_TAKEN: { status: 409, text: 'Another product has this SKU' },
  TIER_OVERLAP: { status: 409, text: 'The tiers of an entry must not overlap' },
  INVALID_TRANSITION: { status: 409, text: 'The state does not allow this' },
  CUSTOM_FIELD_TYPE_FIXED: { status: 409, text: 'The type of a custom field cannot be changed' },
  FIELD_REQUIRED_BY_STAGE: { status: 409, text: 'A stage requires this field' },
  TEMPLATE_INVALID: { status: 400, text: 'A template is not valid', extra: ['issues'] },
  WINDOW_TOO_LARGE: { status: 400, text: 'The window is longer than 60 days' },
  MANAGE_LINK_EXPIRED: { status: 403, text: 'This link has expired' },
  LINK_NOT_FOUND: { status: 404, text: 'There is no such booking link' },
  BOOKING_NOT_FOUND: { status: 404, text: 'There is no such booking' },
  SLOT_TAKEN: { status: 409, text: 'This time is no longer free' },
  BOOKING_NOT_ACTIVE: { status: 409, text: 'This booking is no longer confirmed' },
  PAYLOAD_TOO_LARGE: { status: 413, text: 'The body is too large' },
  STORAGE_QUOTA_EXCEEDED: {
    status: 413,
    text: 'The storage of the workspace is full',
    details: z.object({ used: z.number(), limit: z.number() }),
  },
  UNSUPPORTED_CONTENT_ENCODING: { status: 415, text: 'The body is packed; send it without Content-Encoding' },
  RANGE_NOT_SATISFIABLE: { status: 416, text: 'The range lies outside the file' },
  RATE_LIMITED: { status: 429, text: 'Too many requests' },
  INTERNAL_ERROR: { status: 500, text: 'Internal error' },
  NOT_IMPLEMENTED: { status: 501, text: 'The service leaves this part of the standard out' },
  CALL_CREATION_FAILED: { status: 502, text: 'The video call could not be created; please try again' },
  SCHEMA_OUT_OF_DATE: { status: 503, text: 'The workspace is being updated; please try again' },
  SERVICE_UNAVAILABLE: { status: 503, text: 'The service cannot answer now; please try again' },
})

/** The name of a stable error code. */
export type ErrorCode = keyof typeof errorCodes

/** Whether a string is one of the stable codes. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code)
}
