import { bookingContract, type Service } from '@crm/contract'
import { ApiError, toBookingAnswer, type ErrorAnswer } from '@crm/errors'
import { answerUnrouted, createServer, registerService } from '@crm/http'
import { bookingDocument } from '@crm/openapi'
import type { FastifyInstance } from 'fastify'
import { implementedBooking } from './booking.handlers.ts'
import { addSignalling } from './call/signalling.ts'
import type { BookingContext } from './platform/context.ts'
import { allowAnyOrigin, allowFromEverywhere, everywhere } from './cors.ts'
import type { BookingDeps } from './platform/deps.ts'
import { addPages } from './pages/pages.ts'
import { createPorts } from './ports.ts'

/** Every operation of the booking API with its handler. */
const operations = { booking: implementedBooking } satisfies Service<typeof bookingContract, BookingContext>

const bodyBytesMax = 64 * 1024

/** Builds the booking service without listening. */
export function createBookingApp(deps: BookingDeps): FastifyInstance {
  const app = createServer({
    trustedProxies: deps.trustedProxies,
    bodyBytesMax,
    refuseAddress: (reply) => {
      allowFromEverywhere(reply)
      const { status, body } = invalid('The address of the request is not valid')
      void reply.code(status).send(body)
    },
    wordBrokenRequest: (text) => ({ body: invalid(text).body, headers: everywhere }),
  })
  allowAnyOrigin(app)
  const ports = createPorts(deps)
  registerService(app, operations, ports)
  app.get('/api/public/booking/openapi.json', async () => bookingDocument(bookingContract))
  addSignalling(app, deps)
  addPages(app, deps)
  answerUnrouted(app, { surface: 'booking', ports })
  return app
}

function invalid(message: string): ErrorAnswer {
  return toBookingAnswer(new ApiError('VALIDATION_ERROR', { message }), '')
}
