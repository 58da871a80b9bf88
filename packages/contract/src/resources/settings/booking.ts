import * as z from 'zod'
import { byId, day, id, instant, instantInput, recordFields, requiredText, text, timeZone } from '../../fields.ts'
import { booleanParam, pagedList, rangeParam, orderQuery, usualPages } from '../../lists.ts'
import { settingsResource } from '../../resource.ts'
import { data, managedBy, reachesNothing, standard } from '../../standard.ts'
import {
  bookingAnswer,
  bookingQuestion,
  bookingQuestionTypes,
  bookingStatuses,
  reservedSlugs,
  slugPattern,
} from '../booking.ts'
import { via } from '../../via.ts'

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Expected a time of day such as 09:00')
const clockOrMidnight = z
  .string()
  .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'Expected a time of day such as 17:00, at most 24:00')

/** Local hours; an end before the start lies on the next day, an end equal to the start means closed. */
const hours = z.strictObject({ start: clock, end: clockOrMidnight })
const weeklyHours = z.array(hours.extend({ day: z.int().min(0).max(6).meta({ description: '0 = Sunday' }) })).max(100)
const dateOverrides = z.array(z.strictObject({ date: day, hours: z.array(hours).max(20) })).max(400)

const questionInput = z
  .strictObject({
    label: requiredText(200),
    type: z.enum(bookingQuestionTypes),
    required: z.boolean().default(false),
    options: z.array(requiredText(100)).max(50).default([]),
  })
  .refine(({ type, options }) => (type === 'SELECT') === options.length > 0, {
    message: 'A question of type SELECT has options, and no other',
    path: ['options'],
  })
const questions = z
  .array(questionInput)
  .max(10)
  .refine((asked) => new Set(asked.map(({ label }) => label)).size === asked.length, 'Each question is asked once')

const bookingLink = z.object({
  ...recordFields,
  slug: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  url: z.string(),
  organizerId: id,
  durationMin: z.int(),
  bufferMin: z.int(),
  timezone: z.string(),
  weeklyHours,
  dateOverrides,
  isActive: z.boolean(),
  showAvatar: z.boolean(),
  linkGuest: z.boolean(),
  questions: z.array(bookingQuestion),
})

const slug = z
  .string()
  .regex(slugPattern, 'Expected letters, digits, dots, dashes and underscores')
  .refine((value) => !(reservedSlugs as readonly string[]).includes(value.toLowerCase()), 'This word is reserved')

const linkFields = {
  description: text(2000).optional(),
  organizerId: id.optional().meta({ description: 'Whose calendar it books; yours unless told' }),
  durationMin: z.int().min(1).max(1440).optional(),
  bufferMin: z.int().min(0).max(1440).optional(),
  timezone: timeZone.optional(),
  weeklyHours: weeklyHours.optional(),
  dateOverrides: dateOverrides.optional(),
  isActive: z.boolean().optional(),
  showAvatar: z.boolean().optional(),
  linkGuest: z.boolean().optional(),
  questions: questions.optional().meta({ description: 'Asked of the guest besides name and email' }),
}

const bookingLinkInput = z.strictObject({ slug, name: requiredText(200), ...linkFields })
export type BookingLinkInput = z.output<typeof bookingLinkInput>
const bookingLinkPatch = z.strictObject({
  slug: slug.optional(),
  name: requiredText(200).optional(),
  ...linkFields,
})
export type BookingLinkPatch = z.output<typeof bookingLinkPatch>

const linkOperations = standard({
  path: '/api/settings/booking-links',
  noun: 'booking link',
  plural: 'booking links',
  record: bookingLink,
  create: bookingLinkInput,
  update: bookingLinkPatch,
  list: pagedList(bookingLink, usualPages, { organizerId: id.optional(), isActive: booleanParam.optional() }),
  access: managedBy({ all: ['MANAGE_BOOKING'] } as const),
  reach: reachesNothing,
})

export const bookingLinks = settingsResource('settings.bookingLinks', {
  ...linkOperations,
  create: { ...linkOperations.create, errors: ['NAME_TAKEN'] },
  update: { ...linkOperations.update, errors: ['NAME_TAKEN'] },
  delete: {
    ...linkOperations.delete,
    description: 'Only a link that nobody has booked yet; others are switched off.',
    errors: ['IN_USE'],
  },
})

/** A booking as the workspace sees it. */
export const bookingRecord = z.object({
  ...recordFields,
  linkId: id,
  organizerId: id,
  status: z.enum(bookingStatuses),
  startAt: instant,
  endAt: instant,
  inviteeName: z.string(),
  inviteeEmail: z.string(),
  inviteeTimezone: z.string(),
  inviteePhone: z.string().nullable(),
  note: z.string().nullable(),
  answers: z.array(bookingAnswer),
  joinUrl: z.string(),
  confirmationEmailSent: z.boolean(),
  leadId: id.nullable(),
  contactId: id.nullable(),
  cancelledAt: instant.nullable(),
  cancelReason: z.string().nullable(),
})

export const bookings = settingsResource('settings.bookings', {
  list: {
    method: 'GET',
    path: '/api/settings/bookings',
    summary: 'List bookings, the latest meeting first unless sortOrder is asc; your own unless you manage booking',
    access: 'credential',
    reach: 'none',
    ...pagedList(bookingRecord, usualPages, {
      status: z.enum(bookingStatuses).optional(),
      linkId: id.optional(),
      organizerId: id.optional(),
      from: rangeParam('from').optional(),
      to: rangeParam('to').optional(),
      ...orderQuery(['startAt', 'createdAt']),
    }),
  },
  cancel: {
    method: 'POST',
    path: '/api/settings/bookings/{id}/cancel',
    summary: 'Cancel a booking and tell the guest',
    access: 'credential',
    reach: 'none',
    params: byId,
    reply: data(200, bookingRecord),
    errors: ['BOOKING_NOT_ACTIVE'],
  },
})

const calendarEvent = z.object({
  ...recordFields,
  title: z.string(),
  startAt: instant,
  endAt: instant,
  allDay: z.boolean(),
  startDate: day.nullable(),
  endDate: day.nullable(),
  busy: z.boolean(),
  bookingId: id.nullable(),
  subscriptionId: id.nullable(),
})

const eventTimes = {
  startAt: instantInput.optional(),
  endAt: instantInput.optional(),
  allDay: z
    .boolean()
    .optional()
    .meta({ description: 'An event of whole days has startDate and endDate instead of times' }),
  startDate: day.optional(),
  endDate: day.optional().meta({ description: 'The last day, included' }),
  busy: z.boolean().optional(),
}

const calendarEventInput = z.strictObject({ title: requiredText(200), ...eventTimes })
export type CalendarEventInput = z.output<typeof calendarEventInput>
const calendarEventPatch = z.strictObject({ title: requiredText(200).optional(), ...eventTimes })
export type CalendarEventPatch = z.output<typeof calendarEventPatch>

const eventOperations = standard({
  path: '/api/calendar/events',
  noun: 'calendar event',
  plural: 'the events of your calendar',
  record: calendarEvent,
  create: calendarEventInput,
  update: calendarEventPatch,
  list: pagedList(calendarEvent, usualPages, { from: rangeParam('from').optional(), to: rangeParam('to').optional() }),
  access: managedBy('credential' as const),
  reach: reachesNothing,
})

export const calendarEvents = settingsResource('calendar.events', {
  ...eventOperations,
  update: {
    ...eventOperations.update,
    description: 'Events of bookings are changed through the booking.',
    errors: ['ACCESS_DENIED'],
  },
  delete: {
    ...eventOperations.delete,
    description: 'Events of bookings are cancelled through the booking.',
    errors: ['ACCESS_DENIED'],
  },
})

/** The kinds of notification. */
export const notificationKinds = [
  'mention',
  'reply',
  'assigned',
  'followed',
  'task.due',
  'booking.created',
  'RUN_FAILED',
  'RULE_FAILED',
  'RULE_PAUSED',
  'job.finished',
  'import.finished',
  'import.failed',
  'mail.failed',
  'booking.mail-failed',
  'booking.guest-not-linked',
  'booking.time-moved',
  'sign-in.groups-missing',
  'proposal.waiting',
] as const
export type NotificationKind = (typeof notificationKinds)[number]

const kindsOf = (description: string) =>
  z.array(z.enum(notificationKinds)).max(notificationKinds.length).meta({ description })

const wishesShape = {
  mail: kindsOf('The kinds that come by email as well, from now on'),
  digest: kindsOf('The kinds that come in one email each morning at 8, from now on'),
  off: kindsOf('The kinds that do not come at all'),
}
const notificationWishes = z.strictObject(wishesShape)

const wishesInput = z
  .strictObject({
    mail: wishesShape.mail,
    digest: wishesShape.digest.default([]),
    off: wishesShape.off.default([]),
  })
  .refine(
    ({ mail, digest, off }) => new Set([...mail, ...digest, ...off]).size === mail.length + digest.length + off.length,
    {
      message: 'A kind of notification comes in one way',
      path: ['mail'],
    },
  )

/** The most notifications that are listed and counted, the newest. */
export const notificationsShownMax = 1_000

const notificationStates = ['OPEN', 'SNOOZED', 'DONE'] as const

const notification = z.object({
  id,
  kind: z.string(),
  text: z.string(),
  data: z.record(z.string(), z.unknown()),
  record: z
    .object({ entityType: z.string(), id, title: z.string(), url: z.string() })
    .nullable()
    .meta({ description: 'The record that it is about' }),
  about: z
    .array(z.object({ entityType: z.string(), entityId: id, title: z.string() }))
    .meta({ description: 'The records that the task is for, as far as you may see them' }),
  quote: z.string().nullable().meta({ description: 'The words of a mention or a reply' }),
  via,
  createdAt: instant,
  readAt: instant.nullable(),
  snoozedUntil: instant.nullable(),
  doneAt: instant.nullable(),
})

export const notifications = settingsResource('settings.notifications', {
  list: {
    method: 'GET',
    path: '/api/settings/notifications',
    summary: 'List your notifications, newest first',
    description: `The newest ${notificationsShownMax}; those about a record only while you may see it.`,
    access: 'credential',
    reach: 'none',
    ...pagedList(notification, usualPages, {
      unread: booleanParam.optional(),
      state: z.enum(notificationStates).optional().meta({ description: 'OPEN: neither done nor put off until later' }),
      viaId: id.optional(),
    }),
  },
  read: {
    method: 'PATCH',
    path: '/api/settings/notifications',
    summary: 'Mark notifications as read, put them off, or finish them: the named ones, or all',
    access: 'credential',
    reach: 'none',
    body: z.strictObject({
      ids: z.array(id).max(500).optional(),
      read: z.boolean().optional().meta({ description: 'True unless something else is asked for' }),
      done: z.boolean().optional(),
      snoozedUntil: instantInput.nullable().optional().meta({ description: 'It is unread again then' }),
    }),
    reply: data(200, z.object({ updated: z.int() })),
  },
  wishes: {
    method: 'GET',
    path: '/api/settings/notifications/preferences',
    summary: 'Read how your notifications come to you',
    access: 'credential',
    reach: 'none',
    reply: data(200, notificationWishes),
  },
  setWishes: {
    method: 'PUT',
    path: '/api/settings/notifications/preferences',
    summary: 'Choose how your notifications come to you',
    access: 'credential',
    reach: 'none',
    body: wishesInput,
    reply: data(200, notificationWishes),
  },
})
