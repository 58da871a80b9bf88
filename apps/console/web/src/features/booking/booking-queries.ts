import { queryOptions } from '@tanstack/react-query'
import { settings } from '../../base/api.ts'

export type BookingLink = Awaited<ReturnType<typeof settings.bookingLinks.list>>['items'][number]
export type Meeting = Awaited<ReturnType<typeof settings.bookings.list>>['items'][number]
export type CalendarEvent = Awaited<ReturnType<typeof settings.calendarEvents.list>>['items'][number]
export type Subscription = Awaited<ReturnType<typeof settings.calendarSubscriptions.list>>['items'][number]

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

export const eventsQuery = (page: number) =>
  queryOptions({
    queryKey: ['calendar-events', page],
    queryFn: ({ signal }) =>
      settings.calendarEvents.list({ query: { page, pageSize, from: new Date().toISOString() }, signal }),
  })

export const feedQuery = queryOptions({
  queryKey: ['calendar-feed'],
  queryFn: async ({ signal }) => (await settings.calendarFeed.get({ signal })).data,
})

export const subscriptionsQuery = queryOptions({
  queryKey: ['calendar-subscriptions'],
  queryFn: async ({ signal }) =>
    (await settings.calendarSubscriptions.list({ query: { pageSize: 100 }, signal })).items,
})

/** The people who can be organizers, for a person who may see them. */
export const organizersQuery = queryOptions({
  queryKey: ['organizers'],
  queryFn: async ({ signal }) => (await settings.users.list({ query: { pageSize: 100 }, signal })).items,
})
