import type { Metrics } from '@crm/runtime'
import type { FastifyInstance } from 'fastify'

/** The outcome of a request that was accepted, by the operation. */
const outcomes: Readonly<Record<string, string>> = { create: 'booked', reschedule: 'moved', cancel: 'cancelled' }

/** Counts bookings by outcome: booked, moved, cancelled, refused or failed. */
export function countBookings(app: FastifyInstance, metrics: Metrics): void {
  const count = metrics.counter('crm_bookings_total', 'Requests for bookings by outcome.')
  app.addHook('onResponse', (request, reply, next) => {
    const outcome = outcomes[request.exchange?.declared.key ?? '']
    if (outcome !== undefined) count(reply.statusCode < 400 ? outcome : reply.statusCode < 500 ? 'refused' : 'failed')
    next()
  })
}
