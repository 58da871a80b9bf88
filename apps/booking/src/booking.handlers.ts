import { booking, success } from '@crm/contract'
import { ApiError, invalidField } from '@crm/errors'
import { findByManageToken } from './bookings/bookings.repository.ts'
import { createBooking } from './bookings/create-booking.ts'
import { cancelManaged, openManaged, rescheduleBooking, toManagedView } from './bookings/manage-booking.ts'
import { implement, isSalesOn, requireSales, type BookingContext } from './platform/context.ts'
import { findOpenLink, type Link } from './links/links.repository.ts'
import { toLinkView } from './links/links.view.ts'
import { listFreeSlots } from './slots/slots.ts'

const windowMsMax = 60 * 86_400_000

export const implementedBooking = implement(booking, {
  link: async ({ params }, context) => {
    if (!isSalesOn(context)) throw context.refuse('LINK_NOT_FOUND')
    return success(toLinkView(await requireLink(context, params.slug), context.workspace))
  },

  availability: async ({ params, query: { from, to, manageToken } }, context) => {
    if (from >= to) throw invalidField('from', 'Expected a time before to')
    if (Date.parse(to) - Date.parse(from) > windowMsMax) throw context.refuse('WINDOW_TOO_LARGE')
    requireSales(context)
    const { deps, workspace } = context
    const link = await requireLink(context, params.slug)
    const moved = manageToken === undefined ? undefined : await findByManageToken(deps.db, workspace.id, manageToken)
    const exceptBookingId = moved?.linkId === link.id ? moved.id : undefined
    return success({
      slots: await listFreeSlots(
        deps.db,
        { workspaceId: workspace.id, link, clock: deps.clock, exceptBookingId },
        from,
        to,
      ),
    })
  },

  create: async ({ params, body }, context) => {
    requireSales(context)
    return success(await createBooking(context, await requireLink(context, params.slug), body))
  },

  manage: async ({ params }, context) =>
    success(toManagedView(await openManaged(context, params.token), context.workspace)),

  reschedule: async ({ params, body }, context) => {
    requireSales(context)
    return success({ booking: await rescheduleBooking(context, params.token, body) })
  },

  cancel: async ({ params, body }, context) => success(await cancelManaged(context, params.token, body?.reason)),
})

async function requireLink({ deps, workspace }: BookingContext, slug: string): Promise<Link> {
  const link = await findOpenLink(deps.db, workspace.id, slug)
  if (!link) throw new ApiError('LINK_NOT_FOUND')
  return link
}
