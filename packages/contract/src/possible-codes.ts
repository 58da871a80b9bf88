import { errorCodes, type ErrorCode } from '@crm/errors'
import { isDestructive, isWrite, type DeclaredOperation } from './operation.ts'

type Rule = (declared: DeclaredOperation) => boolean

const always: Rule = () => true
const never: Rule = () => false
const on =
  (...surfaces: string[]): Rule =>
  ({ resource }) =>
    surfaces.includes(resource.surface)
const both =
  (...rules: Rule[]): Rule =>
  (declared) =>
    rules.every((rule) => rule(declared))
const either =
  (...rules: Rule[]): Rule =>
  (declared) =>
    rules.some((rule) => rule(declared))

const needsCredential: Rule = ({ operation }) => operation.access !== 'open'
const isForActive: Rule = ({ operation }) => operation.evenDisabled !== true
const needsPermission: Rule = ({ operation }) => typeof operation.access !== 'string'
const needsFreshness: Rule = ({ operation }) => operation.fresh !== undefined
const hasModule: Rule = ({ resource }) => resource.module !== null
const hasBody: Rule = ({ operation }) => operation.body !== undefined || operation.upload !== undefined
const hasQuery: Rule = ({ operation }) => Object.keys(operation.query?.shape ?? {}).length > 0
const hasInput: Rule = ({ operation }) => Boolean(operation.params ?? operation.query ?? operation.body)
const isStrict: Rule = ({ operation }) => operation.queryPolicy === 'strict'
const isIdempotent: Rule = ({ operation }) => operation.idempotent === true
const isChange: Rule = ({ operation }) => operation.method !== 'GET'
const isAgentsWrite: Rule = ({ operation, resource }) =>
  resource.surface === 'public' && operation.access !== 'open' && isWrite(operation)
const isUnseen: Rule = ({ operation }) => operation.preview === false
const isPost: Rule = ({ operation }) => operation.method === 'POST'
const filtersCustomFields: Rule = ({ operation }) => operation.customFields !== undefined
const hasVersion: Rule = ({ operation }) =>
  operation.body !== undefined && 'shape' in operation.body && 'version' in (operation.body.shape as object)
const hasIdParameter: Rule = ({ operation }) =>
  [...Object.keys(operation.params?.shape ?? {}), ...Object.keys(operation.query?.shape ?? {})].some(
    (name) => name === 'id' || name.endsWith('Id'),
  )

const isBooking = on('booking')
const wrapsInput = on('booking', 'scim')
const isPublic = on('public')
const isApi = on('public', 'settings', 'scim')
const mayLackRights = either(both(isApi, needsPermission), both(on('settings'), needsCredential))

/** The condition under which the pipeline itself may answer with a code; operations declare all other codes. */
const occasions: Partial<Record<ErrorCode, Rule>> = {
  VALIDATION_ERROR: either(hasBody, both(wrapsInput, hasInput)),
  UNKNOWN_QUERY_PARAM: isStrict,
  DUPLICATE_QUERY_PARAM: isStrict,
  INVALID_QUERY_PARAM: both(isApi, hasQuery),
  UNKNOWN_CUSTOM_FIELD_FILTER: both(isStrict, filtersCustomFields),
  INVALID_ID: both(isApi, hasIdParameter),
  INVALID_REFERENCE: both(isApi, hasBody),
  NOT_PREVIEWABLE: both(isAgentsWrite, isUnseen),
  BUDGET_EXCEEDED: isAgentsWrite,
  CONFIRMATION_NEEDED: both(isAgentsWrite, ({ operation }) => isDestructive(operation)),
  IDEMPOTENCY_KEY_INVALID: isIdempotent,
  AUTHENTICATION_ERROR: both(isApi, needsCredential),
  ACCESS_DENIED: mayLackRights,
  // An operation without a level of its own has it too: a record that a call names, such as a document of an attachment, needs its level.
  ACCESS_LEVEL_NONE: mayLackRights,
  ADDRESS_NOT_ALLOWED: both(isApi, needsCredential),
  ACCOUNT_DISABLED: both(isApi, needsCredential, isForActive),
  MODULE_DISABLED: both(isApi, hasModule),
  QUOTA_EXCEEDED: both(isPublic, isPost),
  ORIGIN_REFUSED: both(isApi, isChange),
  REAUTHENTICATION_REQUIRED: needsFreshness,
  NOT_FOUND: always,
  IDEMPOTENCY_KEY_REUSED: isIdempotent,
  IDEMPOTENCY_KEY_IN_FLIGHT: isIdempotent,
  VERSION_CONFLICT: hasVersion,
  PRECONDITION_FAILED: both(on('public', 'settings'), isChange),
  PAYLOAD_TOO_LARGE: both(isApi, hasBody),
  UNSUPPORTED_CONTENT_ENCODING: hasBody,
  RATE_LIMITED: either(both(isApi, needsCredential), both(isBooking, isChange)),
  INTERNAL_ERROR: always,
  SCHEMA_OUT_OF_DATE: both(isPublic, needsCredential),
  SERVICE_UNAVAILABLE: always,
}

/** Returns every code that an operation may answer with: codes of the pipeline and its own, in the order of the code table. */
export function possibleCodes(declared: DeclaredOperation): readonly ErrorCode[] {
  const own = declared.operation.errors ?? []
  return (Object.keys(errorCodes) as ErrorCode[]).filter(
    (code) => own.includes(code) || (occasions[code] ?? never)(declared),
  )
}

/** Returns the status of a code; for the booking API a disabled module does not exist (docs/guide/booking.md). */
export function statusOf(code: ErrorCode, { resource }: DeclaredOperation): number {
  return code === 'MODULE_DISABLED' && resource.surface === 'booking' ? 404 : errorCodes[code].status
}
