import { takesIfMatch } from '@crm/contract'
import { ApiError } from '@crm/errors'
import type { Step } from '../exchange.ts'

/** Refuses a change with `If-Match` where nothing has a version that it could name (RFC 9110 13.1.1); `*` names anything. */
export const requireVersion: Step = ({ declared, request }) => {
  const sent = request.headers['if-match']
  if (sent === undefined || sent.trim() === '*' || declared.operation.method === 'GET' || takesIfMatch(declared)) return
  throw new ApiError('PRECONDITION_FAILED', { message: 'Nothing here has a version that If-Match could name' })
}
