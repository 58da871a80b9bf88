import { activities, type SummaryQuestion } from '@crm/contract'
import { implement } from '../../../platform/context.ts'
import { createHandler, readHandlers, writeHandlers } from '../../../records/owned/handlers.ts'
import { summaryHandler } from '../../../domain/summaries/summary.handlers.ts'
import { requireListedRecord, type RecordLink } from '../../../kinds/record-links.ts'
import { activityWriter, createActivity, showActivities } from './activities.commands.ts'
import { sendEmail } from './activities.email.ts'
import { activityKind } from '../../../kinds/activities.ts'

const { list, get } = readHandlers(activityKind, showActivities)

export const implementedActivities = implement(activities, {
  list: async (input, context) => {
    await requireListedRecord(context.db, context, input.query)
    return list(input, context)
  },
  get,
  ...summaryHandler(activityKind, async (query: SummaryQuestion & Partial<RecordLink>, context) => {
    await requireListedRecord(context.db, context, query)
    return query
  }),
  ...writeHandlers(activityWriter, showActivities),
  create: createHandler(createActivity, showActivities),
  sendEmail: createHandler(sendEmail, showActivities),
})
