import * as z from 'zod'
import { choice, instant, parts, text } from '../field.ts'
import { defineKind } from '../kind.ts'
import { email, entityTypeName, id, recordLinks, requiredText, shownLinks } from '../values.ts'

export const activityTypes = ['CALL', 'MEETING', 'EMAIL', 'NOTE', 'SMS', 'OTHER'] as const
export const activityStatuses = ['PLANNED', 'DONE', 'CANCELLED'] as const
export const directions = ['IN', 'OUT'] as const

const shownParticipant = z.object({
  name: z.string().nullable(),
  email: z.string().nullable(),
  entityType: z
    .string()
    .nullable()
    .meta({ description: 'With entityId: the record of the participant, when you may see it' }),
  entityId: id.nullable(),
})

const participant = z
  .strictObject({
    name: requiredText(200).nullable().default(null),
    email: email.nullable().default(null),
    entityType: entityTypeName.nullable().default(null).meta({ description: 'EMPLOYEE, CONTACT, LEAD, …' }),
    entityId: id
      .overwrite((value) => value.toLowerCase())
      .nullable()
      .default(null),
  })
  .refine(
    ({ name, email: address, entityId }) => Boolean(name ?? address ?? entityId),
    'A participant needs a name, an email or a record',
  )
  .refine(({ entityType, entityId }) => (entityType === null) === (entityId === null), {
    message: 'entityType and entityId go together',
    path: ['entityId'],
  })

/** A call, a meeting, a mail or a note (docs/guide/records.md). */
export const activity = defineKind({
  entity: 'ACTIVITY',
  noun: 'activity',
  plural: 'activities',
  stem: 'activities',
  module: 'SALES',
  transferred: true,
  called: [
    'activity',
    'activities',
    'note',
    'call',
    'meeting',
    'email',
    'event',
    'engagement',
    'aktivität',
    'notiz',
    'anruf',
    'termin',
    'besprechung',
    'activité',
    'appel',
    'réunion',
    'actividad',
    'nota',
    'llamada',
    'reunión',
    'активность',
    'заметка',
    'звонок',
    'встреча',
  ],
  icon: 'calendar',
  title: ['subject'],
  shared: true,
  over: ['DONE', 'CANCELLED'],
  line: { note: 'type' },
  list: { columns: ['subject', 'type', 'status', 'startAt', 'outcome', 'ownerId', 'createdAt'] },
  main: ['type', 'subject', 'status', 'startAt', 'endAt', 'outcome', 'ownerId'],
  fields: {
    type: choice({ values: activityTypes, presence: 'required', filter: true }),
    subject: text({ max: 500, holds: 'prose', sort: true }),
    body: text({ max: 50_000, holds: 'prose' }),
    direction: choice({ values: directions, filter: true }),
    status: choice({ values: activityStatuses, presence: 'always', sort: true, filter: true }),
    startAt: instant({ sort: true, filter: 'start' }),
    endAt: instant({}),
    outcome: text({ max: 2000, holds: 'prose' }),
    participants: parts(
      { presence: 'always', holds: 'prose' },
      z.array(shownParticipant),
      z.array(participant).max(100),
    ),
    links: parts({ presence: 'always', computed: true, holds: 'fixed' }, shownLinks, recordLinks),
  },
})
