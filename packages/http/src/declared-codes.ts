import { possibleCodes, statusOf, type DeclaredOperation } from '@crm/contract'
import type { ApiError, ErrorAnswer, ErrorCode } from '@crm/errors'

const codesByOperation = new WeakMap<DeclaredOperation, readonly ErrorCode[]>()

/** Whether the contract declares a refusal for an operation: the code in the answer, and its status. */
export function isDeclared(
  { status, body }: ErrorAnswer,
  refusal: Pick<ApiError, 'code'>,
  declared: DeclaredOperation,
): boolean {
  const codes = codesByOperation.get(declared) ?? possibleCodes(declared)
  codesByOperation.set(declared, codes)
  const sent = declared.resource.surface === 'scim' ? refusal.code : codeIn(body)
  return codes.some((code) => code === sent && statusOf(code, declared) === status)
}

/** The booking API nests its code in `error`. */
function codeIn({ code, error }: Readonly<Record<string, unknown>>): unknown {
  return code ?? (error as { readonly code?: unknown }).code
}
