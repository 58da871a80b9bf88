import * as z from 'zod'
import {
  email,
  expectedVersion,
  entityTypeName,
  id,
  instant,
  instantInput,
  linkFilters,
  newOwner,
  ownedFields,
  recordLinks,
  requiredLine,
  requiredText,
  shownLinks,
  tags,
  text,
} from '../fields.ts'
import { enumFilter } from '../filters.ts'
import { commonFilters, pagedList, rangeParam, sortQuery, usualPages } from '../lists.ts'
import { resource } from '../resource.ts'
import { data, entityAccess, standard, withUndo } from '../standard.ts'
import { withSummary } from '../summaries.ts'

export const activityTypes = ['CALL', 'MEETING', 'EMAIL', 'NOTE', 'SMS', 'OTHER'] as const
export const activityStatuses = ['PLANNED', 'DONE', 'CANCELLED'] as const
export const directions = ['IN', 'OUT'] as const

const nullableText = z.string().nullable()

const shownParticipant = z.object({
  name: nullableText,
  email: nullableText,
  entityType: nullableText.meta({ description: 'With entityId: the record of the participant, when you may see it' }),
  entityId: id.nullable(),
})

/** An activity as the API shows it (docs/guide/records.md). */
export const activity = z.object({
  ...ownedFields,
  type: z.enum(activityTypes),
  subject: nullableText,
  body: nullableText,
  direction: z.enum(directions).nullable(),
  status: z.enum(activityStatuses),
  startAt: instant.nullable(),
  endAt: instant.nullable(),
  outcome: nullableText,
  participants: z.array(shownParticipant),
  links: shownLinks,
})
export type ActivityRecord = z.output<typeof activity>

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

const editable = {
  subject: text(500).optional(),
  body: text(50_000).optional(),
  direction: z.enum(directions).nullable().optional(),
  status: z.enum(activityStatuses).optional(),
  startAt: instantInput.nullable().optional(),
  endAt: instantInput.nullable().optional(),
  outcome: text(2000).optional(),
  participants: z.array(participant).max(100).optional(),
  links: recordLinks.optional(),
  ownerId: newOwner,
  tags: tags.optional(),
}

const activityInput = z.strictObject({ type: z.enum(activityTypes), ...editable })
export type ActivityInput = z.output<typeof activityInput>

const activityPatch = z.strictObject({ type: z.enum(activityTypes).optional(), ...editable, version: expectedVersion })
export type ActivityPatch = z.output<typeof activityPatch>

const recipients = z.array(email).max(20)

/** The most bytes that the attachments of a written mail have together. */
export const attachedBytesMax = 10 * 1024 ** 2

/** A mail that a person writes to somebody about records. */
const writtenMail = z.strictObject({
  to: recipients.min(1),
  cc: recipients.default([]),
  subject: requiredLine(200),
  message: requiredText(20_000),
  links: recordLinks.min(1),
  fileIds: z
    .array(id)
    .max(10)
    .default([])
    .meta({ description: `Attachments, ${attachedBytesMax / 1024 ** 2} MB in all` }),
})
export type WrittenMail = z.output<typeof writtenMail>

const activitySortFields = ['createdAt', 'updatedAt', 'subject', 'status', 'startAt'] as const

const activityFilters = {
  ...commonFilters,
  ...linkFilters,
  type: enumFilter({ values: activityTypes }).optional(),
  status: enumFilter({ values: activityStatuses }).optional(),
  direction: enumFilter({ values: directions, canBeEmpty: true }).optional(),
  startFrom: rangeParam('from').optional(),
  startTo: rangeParam('to').optional(),
}

const activityList = pagedList(activity, usualPages, { ...activityFilters, ...sortQuery(activitySortFields) })

export const activities = resource(
  'activities',
  'SALES',
  withUndo({
    ...withSummary(
      standard({
        path: '/api/activities',
        noun: 'activity',
        plural: 'activities',
        record: activity,
        create: activityInput,
        update: activityPatch,
        list: activityList,
        access: entityAccess('ACTIVITY'),
      }),
    ),
    create: {
      method: 'POST',
      path: '/api/activities',
      summary: 'Log or plan an activity',
      description:
        'A call, meeting, email, note or message. Without a status it is DONE, or PLANNED when startAt lies ahead. It shows in the timeline of every record in links.',
      access: { all: ['CREATE_ACTIVITY'] },
      body: activityInput,
      reply: data(201, activity),
      idempotent: true,
    },
    sendEmail: {
      method: 'POST',
      path: '/api/emails',
      summary: 'Send an email about records',
      description:
        'Answers go to your own address. It becomes an activity of the records in links, CANCELLED when it cannot be sent.',
      access: { all: ['CREATE_ACTIVITY'] },
      body: writtenMail,
      reply: data(201, activity),
      idempotent: true,
      tool: false,
      toolReason: 'A letter leaves in the name of a person, to anybody and with any words, and cannot be taken back.',
    },
  }),
)
