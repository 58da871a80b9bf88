import * as z from 'zod'
import { byId, id, instant, recordFields, requiredText } from '../../fields.ts'
import { pagedList, usualPages } from '../../lists.ts'
import { settingsResource } from '../../resource.ts'
import { data, managedBy, reachesNothing, standard } from '../../standard.ts'

/** The states of a subscribed calendar: not fetched yet, read, or with a failed last fetch or reading. */
export const subscriptionStates = ['WAITING', 'READ', 'FAILING'] as const

const subscription = z.object({
  ...recordFields,
  employeeId: id,
  name: z.string(),
  url: z.string(),
  state: z.enum(subscriptionStates),
  problem: z.string().nullable(),
  fetchedAt: instant.nullable(),
  eventCount: z.int(),
})

const url = z.string().trim().max(2048).meta({ description: 'Address of an iCalendar file: https, http or webcal' })

const calendarSubscriptionInput = z.strictObject({ name: requiredText(200), url })
const calendarSubscriptionPatch = z.strictObject({ name: requiredText(200).optional(), url: url.optional() })

const operations = standard({
  path: '/api/calendar/subscriptions',
  noun: 'calendar subscription',
  plural: 'the calendars of elsewhere whose events keep you busy',
  record: subscription,
  create: calendarSubscriptionInput,
  update: calendarSubscriptionPatch,
  list: pagedList(subscription, usualPages, {}),
  access: managedBy('credential' as const),
  reach: reachesNothing,
})

export const calendarSubscriptions = settingsResource('calendar.subscriptions', {
  ...operations,
  create: { ...operations.create, description: 'It is fetched in the background, and every 15 minutes from then on.' },
  refresh: {
    method: 'POST',
    path: '/api/calendar/subscriptions/{id}/refresh',
    summary: 'Fetch a subscribed calendar soon instead of in its turn',
    access: 'credential',
    reach: 'none',
    params: byId,
    reply: data(200, subscription),
  },
})

const feed = z.object({ createdAt: instant.nullable().meta({ description: 'null: there is no feed' }) })

export const calendarFeed = settingsResource('calendar.feed', {
  get: {
    method: 'GET',
    path: '/api/calendar/feed',
    summary: 'Read whether other programs can read your calendar',
    access: 'credential',
    reach: 'none',
    reply: data(200, feed),
  },
  create: {
    method: 'POST',
    path: '/api/calendar/feed',
    summary: 'Give your calendar a secret address for other programs; an earlier one is dead at once',
    description: 'The address is shown in this one answer.',
    access: 'credential',
    reach: 'none',
    reply: data(201, feed.extend({ url: z.string() })),
  },
  delete: {
    method: 'DELETE',
    path: '/api/calendar/feed',
    summary: 'Take the secret address of your calendar back',
    access: 'credential',
    reach: 'none',
    reply: data(200, feed),
  },
})
