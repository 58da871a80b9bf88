import { activity as kind } from '@crm/model'
import * as z from 'zod'
import { email, id, linkFilters, recordLinks, requiredLine, requiredText } from '../fields.ts'
import { commonFilters, pagedList, sortQuery, usualPages } from '../lists.ts'
import { filtersOf, inputOf, patchOf, recordOf, sortFieldsOf } from '../of-kind.ts'
import { resource } from '../resource.ts'
import { data, entityAccess, standard, withUndo } from '../standard.ts'
import { withSummary } from '../summaries.ts'

export { activityStatuses, activityTypes, directions } from '@crm/model'

/** An activity as the API shows it (docs/guide/records.md). */
export const activity = recordOf(kind)
export type ActivityRecord = z.output<typeof activity>

const activityInput = inputOf(kind)
export type ActivityInput = z.output<typeof activityInput>

const activityPatch = patchOf(kind)
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

const activityFilters = { ...commonFilters, ...linkFilters, ...filtersOf(kind) }

const activityList = pagedList(activity, usualPages, { ...activityFilters, ...sortQuery(sortFieldsOf(kind)) })

export const activities = resource(
  { name: 'activities', entity: kind.entity },
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
      kind.fields,
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
