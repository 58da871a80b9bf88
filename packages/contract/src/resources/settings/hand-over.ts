import * as z from 'zod'
import { byId, id, instant } from '../../fields.ts'
import { settingsResource } from '../../resource.ts'
import { data } from '../../standard.ts'

/** What belongs to a person besides records, and what becomes of it when they leave. */
export const belongingTypes = [
  'BOOKING_LINK',
  'DASHBOARD',
  'SAVED_FILTER',
  'WORKFLOW',
  'AUTOMATION_RULE',
  'API_KEY',
  'CONNECTION',
] as const
export type BelongingType = (typeof belongingTypes)[number]

/** What becomes of a person's upcoming bookings. */
export const meetingFates = ['REASSIGN', 'CANCEL', 'KEEP'] as const
export type MeetingFate = (typeof meetingFates)[number]

const count = z.int().min(0)

const belongings = z.object({
  records: z
    .array(
      z.object({
        entityType: z.string(),
        count: count.meta({ description: 'Those that something is left to do about, as far as you see them' }),
        movable: count.meta({ description: 'Those of them that you may change' }),
        over: count.meta({ description: 'Those that are won, lost, done or cancelled' }),
      }),
    )
    .meta({ description: 'By kind; a kind of which nothing belongs to the person is left out' }),
  others: z.array(
    z.object({
      type: z.enum(belongingTypes),
      count,
      names: z.array(z.string()).meta({ description: 'The first 20' }),
      fate: z.enum(['MOVES', 'STOPS']).meta({
        description:
          'STOPS: nobody else can have it, or you may not give it; it does nothing while the person is disabled',
      }),
    }),
  ),
  meetings: count.meta({ description: 'Upcoming bookings' }),
})
const counted = belongings.extend({
  handOver: z
    .object({ undoId: id, finishedAt: instant })
    .nullable()
    .meta({ description: 'The last hand-over of yours that can still be undone' }),
})
export type Belongings = z.output<typeof belongings>

const mayManageUsers = { all: ['MANAGE_USERS'] } as const

const handOver = z
  .strictObject({
    toId: id.optional().meta({ description: 'The person who gets everything' }),
    byTeam: z
      .literal(true)
      .optional()
      .meta({ description: 'The active people of the department get it in turn, instead of one person' }),
    kinds: z
      .array(z.string().max(60))
      .min(1)
      .max(200)
      .optional()
      .meta({ description: `Entity types, and ${belongingTypes.join(', ')}; everything unless told` }),
    meetings: z
      .enum(meetingFates)
      .default('KEEP')
      .meta({ description: 'REASSIGN leaves those where the new organizer is busy; CANCEL tells the guests' }),
    includeOver: z
      .boolean()
      .default(false)
      .meta({ description: 'Also what is won, lost, done or cancelled, which otherwise stays with who did it' }),
    dryRun: z.boolean().default(false),
  })
  .refine(({ toId, byTeam }) => (toId === undefined) !== (byTeam === undefined), {
    message: 'Send either toId or byTeam',
    path: ['toId'],
  })
export type HandOver = z.output<typeof handOver>

const planned = { to: z.array(z.object({ id, name: z.string() })), belongings }

export const handOvers = settingsResource('settings.users.handOver', {
  belongings: {
    method: 'GET',
    path: '/api/settings/users/{id}/belongings',
    summary: 'Count what belongs to a user',
    description: 'Ask before you suspend or terminate somebody.',
    access: mayManageUsers,
    reach: { actsAs: 'user' },
    params: byId,
    reply: data(200, counted),
    errors: ['ACCESS_DENIED'],
  },
  run: {
    method: 'POST',
    path: '/api/settings/users/{id}/hand-over',
    summary: 'Give what belongs to a user to others',
    description:
      'A background job with your rights: it moves the records that you may change, each with one entry in its history, to people who may see them. Workflows and rules move to somebody whose rights are within yours, and stop otherwise; API keys and connections always stop with their person. `undoId` undoes all of it for 72 hours (POST /api/undo/{undoId}), except for cancelled meetings. With dryRun nothing changes.',
    access: mayManageUsers,
    reach: { takes: 'user' },
    fresh: true,
    destructive: true,
    params: byId,
    body: handOver,
    reply: {
      ...data(200, z.object(planned)),
      also: {
        status: 202,
        body: z.object({ success: z.literal(true), data: z.object({ jobId: id, undoId: id, ...planned }) }),
      },
    },
    errors: ['ACCESS_DENIED', 'INVALID_TRANSITION'],
  },
})
