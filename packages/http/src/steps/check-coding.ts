import { ApiError } from '@crm/errors'
import type { FastifyRequest } from 'fastify'
import type { Step } from '../exchange.ts'
import { bodyBytesOf } from '../large-bodies.ts'

/** Refuses a body with a content coding (RFC 9110, section 15.5.16); the answer says what is taken (RFC 7694, section 3). */
export const checkCoding: Step = ({ declared: { operation }, request, reply }) => {
  if ((operation.body === undefined && operation.upload === undefined) || !isCoded(request)) return
  void reply.header('accept-encoding', 'identity')
  throw new ApiError('UNSUPPORTED_CONTENT_ENCODING')
}

/** Whether a request has a body that is not as it is read; nothing has no coding. */
export function isCoded(request: FastifyRequest): boolean {
  const coding = request.headers['content-encoding']
  return coding !== undefined && !/^(?:[\s,]|identity)*$/i.test(coding) && bodyBytesOf(request) > 0
}
