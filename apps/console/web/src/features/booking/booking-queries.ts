import { queryOptions } from '@tanstack/react-query'
import { settings } from '../../base/api.ts'

export type BookingLink = Awaited<ReturnType<typeof settings.bookingLinks.list>>['items'][number]
export type Meeting = Awaited<ReturnType<typeof settings.bookings.list>>['items'][number]

const pageSize = 100

export const linksQuery = (page: number) =>
  queryOptions({
    queryKey: ['booking-links', page],
    queryFn: ({ signal }) => settings.bookingLinks.list({ query: { page, pageSize }, signal }),
  })

export const linkQuery = (id: string) =>
  queryOptions({
    queryKey: ['booking-link', id],
    queryFn: async ({ signal }) => (await settings.bookingLinks.get({ params: { id }, signal })).data,
  })

const upcoming = () => ({ status: 'CONFIRMED', from: new Date().toISOString(), sortOrder: 'asc' }) as const

/** Reads the confirmed meetings that are not over, the next one first, or all bookings, the latest first. */
export const meetingsQuery = (page: number, isUpcoming: boolean) =>
  queryOptions({
    queryKey: ['meetings', page, isUpcoming],
    queryFn: ({ signal }) =>
      settings.bookings.list({ query: { page, pageSize, ...(isUpcoming ? upcoming() : {}) }, signal }),
  })

/** The people who can be organizers, for a person who may see them. */
export const organizersQuery = queryOptions({
  queryKey: ['organizers'],
  queryFn: async ({ signal }) => (await settings.users.list({ query: { pageSize: 100 }, signal })).items,
})
