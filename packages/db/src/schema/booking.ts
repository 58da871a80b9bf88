import { sql } from 'drizzle-orm'
import {
  boolean,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytes, instant, rowId, stamps, workspaceId } from '../columns.ts'
import { addressKey } from '../folding.ts'
import { employees } from './core.ts'

export interface WeeklyHours {
  readonly day: number
  readonly start: string
  readonly end: string
}

export interface DateOverride {
  readonly date: string
  readonly hours: readonly { readonly start: string; readonly end: string }[]
}

/** The forms that the answer to a question of a booking link takes. */
export const bookingQuestionTypes = ['TEXT', 'LONG_TEXT', 'SELECT', 'CHECKBOX'] as const

/** A question that a booking link asks besides name and email. */
export interface BookingQuestion {
  readonly label: string
  readonly type: (typeof bookingQuestionTypes)[number]
  readonly required: boolean
  /** The choices of a SELECT. */
  readonly options: readonly string[]
}

/** A guest's answer, with the question as it was asked; true and false come from a CHECKBOX. */
export interface BookingAnswer {
  readonly label: string
  readonly value: string | boolean
}

/** The beginning of a meeting on the clocks of host and guest, by the rules of time zones that were known when it was written. */
export interface ToldTimes {
  /** The release of the rules, such as `2026c`. */
  readonly rules: string
  /** The beginning that the clocks were asked for, ISO 8601. */
  readonly startAt: string
  readonly host: ToldTime
  readonly guest: ToldTime
}

export interface ToldTime {
  readonly timezone: string
  /** Such as `2027-01-13T10:00`. */
  readonly local: string
}

export const bookingLinks = pgTable(
  'booking_links',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    slug: text('slug').notNull(),
    name: text('name').notNull(),
    description: text('description'),
    organizerId: uuid('organizer_id').notNull(),
    durationMin: integer('duration_min').notNull().default(30),
    bufferMin: integer('buffer_min').notNull().default(0),
    timezone: text('timezone').notNull(),
    weeklyHours: jsonb('weekly_hours').$type<WeeklyHours[]>().notNull(),
    dateOverrides: jsonb('date_overrides').$type<DateOverride[]>().notNull().default([]),
    isActive: boolean('is_active').notNull().default(true),
    showAvatar: boolean('show_avatar').notNull().default(true),
    linkGuest: boolean('link_guest').notNull().default(true),
    questions: jsonb('questions').$type<BookingQuestion[]>().notNull().default([]),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    uniqueIndex('booking_links_slug_folded').on(t.workspaceId, addressKey(t.slug)),
    foreignKey({
      columns: [t.workspaceId, t.organizerId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'booking_links_organizer',
    }),
  ],
)

export const bookings = pgTable(
  'bookings',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    linkId: uuid('link_id').notNull(),
    organizerId: uuid('organizer_id').notNull(),
    /** PENDING holds the slot while the video call is created; it is never shown. */
    status: text('status').$type<'PENDING' | 'CONFIRMED' | 'CANCELLED'>().notNull(),
    startAt: instant('start_at').notNull(),
    endAt: instant('end_at').notNull(),
    inviteeName: text('invitee_name').notNull(),
    inviteeEmail: text('invitee_email').notNull(),
    inviteeTimezone: text('invitee_timezone').notNull(),
    /** Null for a booking of an earlier version that nobody has looked at since. */
    toldTimes: jsonb('told_times').$type<ToldTimes>(),
    inviteePhone: text('invitee_phone'),
    inviteeLocale: text('invitee_locale'),
    note: text('note'),
    answers: jsonb('answers').$type<BookingAnswer[]>().notNull().default([]),
    manageTokenHash: bytes('manage_token_hash').notNull(),
    callTokenHash: bytes('call_token_hash').notNull(),
    joinUrl: text('join_url').notNull(),
    roomId: text('room_id'),
    calendarSequence: integer('calendar_sequence').notNull().default(0),
    confirmationEmailSent: boolean('confirmation_email_sent').notNull().default(false),
    leadId: uuid('lead_id'),
    contactId: uuid('contact_id'),
    cancelledAt: instant('cancelled_at'),
    cancelReason: text('cancel_reason'),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    unique('bookings_manage_token').on(t.workspaceId, t.manageTokenHash),
    unique('bookings_call_token').on(t.workspaceId, t.callTokenHash),
    index('bookings_by_organizer').on(t.workspaceId, t.organizerId, t.startAt),
    index('bookings_ahead')
      .on(t.startAt)
      .where(sql`${t.status} = 'CONFIRMED'`),
    index('bookings_by_lead')
      .on(t.workspaceId, t.leadId)
      .where(sql`${t.leadId} is not null`),
    index('bookings_by_contact')
      .on(t.workspaceId, t.contactId)
      .where(sql`${t.contactId} is not null`),
    index('bookings_pending')
      .on(t.createdAt)
      .where(sql`${t.status} = 'PENDING'`),
    foreignKey({
      columns: [t.workspaceId, t.linkId],
      foreignColumns: [bookingLinks.workspaceId, bookingLinks.id],
      name: 'bookings_link',
    }),
    foreignKey({
      columns: [t.workspaceId, t.organizerId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'bookings_organizer',
    }),
  ],
)

/** An external calendar whose events count as busy time: the CRM API fetches it, and the booking service reads its events. */
export const calendarSubscriptions = pgTable(
  'calendar_subscriptions',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    employeeId: uuid('employee_id').notNull(),
    name: text('name').notNull(),
    /** Often a secret in itself, so only its owner sees it. */
    url: text('url').notNull(),
    nextFetchAt: instant('next_fetch_at')
      .notNull()
      .default(sql`now()`),
    fetchedAt: instant('fetched_at'),
    /** Consecutive failed fetches, up to the latest. */
    failures: integer('failures').notNull().default(0),
    /** The reason why the last fetch or reading failed, in words for the owner. */
    problem: text('problem'),
    /** The iCalendar text of the last fetch. */
    content: text('content'),
    /** Increases whenever the content differs. */
    revision: integer('revision').notNull().default(0),
    /** The revision from which the events were read. */
    readRevision: integer('read_revision').notNull().default(0),
    /** The end of the time up to which recurring events were expanded. */
    readUntil: instant('read_until'),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('calendar_subscriptions_by_employee').on(t.workspaceId, t.employeeId),
    index('calendar_subscriptions_due').on(t.nextFetchAt),
    foreignKey({
      columns: [t.workspaceId, t.employeeId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'calendar_subscriptions_employee',
    }).onDelete('cascade'),
  ],
)

/** The secret address under which other programs read a person's calendar. */
export const calendarFeeds = pgTable(
  'calendar_feeds',
  {
    workspaceId: workspaceId(),
    employeeId: uuid('employee_id').notNull(),
    tokenHash: bytes('token_hash').notNull(),
    createdAt: instant('created_at')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.employeeId] }),
    unique('calendar_feeds_token').on(t.workspaceId, t.tokenHash),
    foreignKey({
      columns: [t.workspaceId, t.employeeId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'calendar_feeds_employee',
    }).onDelete('cascade'),
  ],
)

/** Unsent mail about the latest change of a booking; the row is deleted when the mail is sent. */
export const bookingMails = pgTable(
  'booking_mails',
  {
    workspaceId: workspaceId(),
    bookingId: uuid('booking_id').notNull(),
    change: text('change').$type<'confirmed' | 'rescheduled' | 'cancelled'>().notNull(),
    /** The state of the booking that the mail reports. */
    sequence: integer('sequence').notNull(),
    /** For the guest's link; kept only until the mail is sent. */
    manageToken: text('manage_token').notNull(),
    toGuest: boolean('to_guest').notNull().default(true),
    toOrganizer: boolean('to_organizer').notNull().default(true),
    attempts: integer('attempts').notNull().default(0),
    /** Whether an attempt has begun whose end is not stored. */
    underWay: boolean('under_way').notNull().default(false),
    /** Whether the process of an earlier attempt was lost before it could store the end. */
    wasLost: boolean('was_lost').notNull().default(false),
    /** A sender claims the mail by moving this time forward. */
    nextAt: instant('next_at').notNull(),
    createdAt: instant('created_at')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.bookingId] }),
    index('booking_mails_due').on(t.nextAt),
    foreignKey({
      columns: [t.workspaceId, t.bookingId],
      foreignColumns: [bookings.workspaceId, bookings.id],
      name: 'booking_mails_booking',
    }).onDelete('cascade'),
  ],
)

export const calendarEvents = pgTable(
  'calendar_events',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    employeeId: uuid('employee_id').notNull(),
    bookingId: uuid('booking_id'),
    title: text('title').notNull(),
    startAt: instant('start_at').notNull(),
    endAt: instant('end_at').notNull(),
    allDay: boolean('all_day').notNull().default(false),
    startDate: date('start_date'),
    endDate: date('end_date'),
    busy: boolean('busy').notNull().default(true),
    /** The subscribed calendar from which the event was read. */
    subscriptionId: uuid('subscription_id'),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('calendar_events_by_employee').on(t.workspaceId, t.employeeId, t.startAt),
    index('calendar_events_by_subscription')
      .on(t.workspaceId, t.subscriptionId)
      .where(sql`${t.subscriptionId} IS NOT NULL`),
    foreignKey({
      columns: [t.workspaceId, t.subscriptionId],
      foreignColumns: [calendarSubscriptions.workspaceId, calendarSubscriptions.id],
      name: 'calendar_events_subscription',
    }).onDelete('cascade'),
    uniqueIndex('calendar_events_booking').on(t.workspaceId, t.bookingId),
    foreignKey({
      columns: [t.workspaceId, t.employeeId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'calendar_events_employee',
    }).onDelete('cascade'),
    foreignKey({
      columns: [t.workspaceId, t.bookingId],
      foreignColumns: [bookings.workspaceId, bookings.id],
      name: 'calendar_events_booking',
    }).onDelete('cascade'),
  ],
)
