import * as z from 'zod'
import { givenEmail, id, instant, timeZone } from '../fields.ts'
import { bookingResource } from '../resource.ts'
import { data } from '../standard.ts'
import { timeFormats } from './me.ts'

/** The states of a booking as they go on the wire. */
export const bookingStatuses = ['CONFIRMED', 'CANCELLED'] as const

/** The last words of booking addresses that are reserved for other pages. */
export const reservedSlugs = ['manage', 'embed.js', 'openapi.json'] as const

/** The format of the word at the end of a booking link's address. */
export const slugPattern = /^[a-z0-9][a-z0-9._-]{0,99}$/i

const noControls = 'Control characters are not allowed'

/** Counts characters as a reader does, not UTF-16 units; refused characters are not trimmed away first. */
function atMost(charactersMax: number, isAllowed: (value: string) => boolean) {
  return z
    .string()
    .refine(isAllowed, noControls)
    .transform((value) => value.trim().toWellFormed())
    .refine((value) => Array.from(value).length <= charactersMax, `Expected at most ${charactersMax} characters`)
    .meta({ maxLength: charactersMax })
}

// oxlint-disable-next-line no-control-regex
const isOneLine = (value: string): boolean => !/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(value)

// oxlint-disable-next-line no-control-regex
const isPlainText = (value: string): boolean => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(value)

/** The forms that the answer to a question of a booking link takes. */
export const bookingQuestionTypes = ['TEXT', 'LONG_TEXT', 'SELECT', 'CHECKBOX'] as const

/** A question that a booking link asks besides name and email. */
export const bookingQuestion = z.object({
  label: z.string(),
  type: z.enum(bookingQuestionTypes),
  required: z.boolean(),
  options: z.array(z.string()).meta({ description: 'The choices of a SELECT' }),
})

/** A guest's answer, with the question as it was asked. */
export const bookingAnswer = z.object({ label: z.string(), value: z.union([z.string(), z.boolean()]) })

/** Treats absent, `null` and empty the same, because widgets send whichever their form gives. */
function optional<Schema extends z.ZodType<string>>(schema: Schema) {
  return schema.nullish().transform((value) => value || undefined)
}

/** A time in the booking API: ISO 8601 with `Z`, with or without milliseconds; stored with milliseconds. */
const utcInstant = z.iso
  .datetime({ error: 'Expected an ISO 8601 date-time in UTC, for example 2026-01-31T08:00:00.000Z' })
  .refine(
    (value) => /T\d\d:\d\d:\d\d(\.\d{1,3})?Z$/.test(value) && value >= '1000' && value < '3000',
    'Expected seconds, at most milliseconds, and a year from 1000 to 2999',
  )
  .transform((value) => new Date(value).toISOString())
  .meta({ format: 'date-time' })

const organizer = z.object({ name: z.string().nullable(), avatar: z.string().nullable() })

const linkView = z.object({
  name: z.string(),
  description: z.string().nullable(),
  durationMin: z.int(),
  timezone: z.string(),
  showAvatar: z.boolean(),
  organizer,
  brand: z.object({
    companyName: z.string().nullable(),
    logo: z.string().nullable(),
    primaryColor: z.string().nullable(),
  }),
  locale: z.string().nullable(),
  timeFormat: z.enum(timeFormats),
  questions: z.array(bookingQuestion),
})

const linkOfBooking = z.object({
  slug: z.string(),
  name: z.string(),
  durationMin: z.int(),
  timezone: z.string(),
  organizer,
})

const managedBooking = {
  bookingId: id,
  status: z.enum(bookingStatuses),
  startAt: instant,
  endAt: instant,
  inviteeName: z.string(),
  inviteeEmail: z.string(),
  inviteeTimezone: z.string(),
  joinUrl: z.string(),
  link: linkOfBooking,
}

const bySlug = z.object({ slug: z.string() })
const byToken = z.object({ token: z.string() })

export const booking = bookingResource('booking', {
  link: {
    method: 'GET',
    path: '/api/public/booking/{slug}',
    summary: 'Read a booking link',
    access: 'open',
    params: bySlug,
    reply: data(200, linkView),
    errors: ['LINK_NOT_FOUND'],
  },
  availability: {
    method: 'GET',
    path: '/api/public/booking/{slug}/availability',
    summary: 'List the start times of free slots',
    description:
      'Slots with from ≤ start < to, in a window of at most 60 days. They change with every booking and are not to be cached.',
    access: 'open',
    params: bySlug,
    query: z.object({
      from: utcInstant,
      to: utcInstant,
      manageToken: z
        .string()
        .max(200)
        .optional()
        .meta({ description: 'Of a booking that is to be moved: its own time counts as free' }),
    }),
    reply: data(200, z.object({ slots: z.array(instant) })),
    errors: ['WINDOW_TOO_LARGE', 'LINK_NOT_FOUND', 'MODULE_DISABLED', 'RATE_LIMITED'],
  },
  create: {
    method: 'POST',
    path: '/api/public/booking/{slug}',
    summary: 'Book a free slot',
    description: 'Creates a video call and a calendar event, and mails the guest a confirmation.',
    access: 'open',
    params: bySlug,
    body: z.strictObject({
      name: atMost(200, isOneLine).refine((value) => value.length > 0, 'Expected at least 1 character'),
      email: z.string().refine(isOneLine, noControls).pipe(givenEmail).meta({ format: 'email', maxLength: 255 }),
      startAt: utcInstant,
      timezone: timeZone,
      phone: optional(atMost(50, isOneLine)),
      note: optional(atMost(1000, isPlainText)),
      answers: z
        .record(z.string().max(200), z.union([atMost(1000, isPlainText), z.boolean()]))
        .optional()
        .meta({ description: 'The answers to the questions of the link, by the label of the question' }),
      locale: optional(
        z
          .string()
          .trim()
          .max(35)
          .regex(/^([A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*)?$/, 'Expected a language code such as en or de-AT'),
      ),
    }),
    reply: data(
      201,
      z.object({
        bookingId: id,
        manageToken: z.string(),
        joinUrl: z.string(),
        startAt: instant,
        endAt: instant,
        confirmationEmailSent: z.boolean(),
      }),
    ),
    errors: ['LINK_NOT_FOUND', 'MODULE_DISABLED', 'SLOT_TAKEN', 'CALL_CREATION_FAILED'],
  },
  manage: {
    method: 'GET',
    path: '/api/public/booking/manage/{token}',
    summary: 'Read the booking of a manage token',
    access: 'open',
    params: byToken,
    reply: data(200, z.object(managedBooking)),
    errors: ['BOOKING_NOT_FOUND', 'MANAGE_LINK_EXPIRED', 'RATE_LIMITED'],
  },
  reschedule: {
    method: 'POST',
    path: '/api/public/booking/manage/{token}/reschedule',
    summary: 'Move a booking to another free slot',
    description: 'Its id, manage token and video call stay. The same time again changes nothing.',
    access: 'open',
    params: byToken,
    body: z.strictObject({ newStartAt: utcInstant, timezone: timeZone.optional() }),
    reply: data(
      200,
      z.object({
        booking: z.object({ ...managedBooking, manageToken: z.string(), confirmationEmailSent: z.boolean() }),
      }),
    ),
    errors: ['BOOKING_NOT_FOUND', 'MANAGE_LINK_EXPIRED', 'MODULE_DISABLED', 'BOOKING_NOT_ACTIVE', 'SLOT_TAKEN'],
  },
  cancel: {
    method: 'POST',
    path: '/api/public/booking/manage/{token}/cancel',
    summary: 'Cancel a booking',
    access: 'open',
    params: byToken,
    body: z
      .object({ reason: optional(atMost(1000, isPlainText)) })
      .nullish()
      .meta({ description: 'The reason is told to the organizer' }),
    reply: data(200, z.object({ bookingId: id })),
    errors: ['BOOKING_NOT_FOUND', 'MANAGE_LINK_EXPIRED', 'BOOKING_NOT_ACTIVE'],
  },
})
