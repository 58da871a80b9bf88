import { ApiError } from '@crm/errors'
import type { Step } from '../exchange.ts'
import { requestShareOf } from '../request-share.ts'

const retryAfterS = 1

/** Refuses a request when the process works on as many as its workspace may have at once (docs/guide/limits.md). */
export const takePlace: Step = ({ declared, inner, recognition: { workspace }, reply }, { places }) => {
  // The request that sends an inner one holds its place.
  if (inner) return
  // An endless answer has a limit of its own.
  if (!places || !workspace || declared.operation.reply.mediaType === 'text/event-stream') return
  const leave = places.take(workspace.id, requestShareOf(workspace))
  if (!leave) throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterS })
  reply.raw.once('close', leave)
}
