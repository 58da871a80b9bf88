export { errorCodes, isErrorCode, type ErrorCode, type ErrorDefinition } from './codes.ts'
export {
  ApiError,
  InvalidJsonError,
  invalidField,
  invalidQueryParam,
  invalidReference,
  permissionRequired,
  type ErrorExtras,
  type Issue,
} from './api-error.ts'
export { isRefusal, toApiAnswer, toBookingAnswer, toHookAnswer, toScimAnswer, type ErrorAnswer } from './wire.ts'
export * from './problems.ts'
export { suggestionsFor } from './suggestions.ts'
