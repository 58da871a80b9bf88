import * as z from 'zod'
import {
  byId,
  currencyCode,
  day,
  decimal,
  expectedVersion,
  id,
  newOwner,
  ownedFields,
  requiredText,
  shownAmount,
  shownDay,
  tags,
  text,
} from '../fields.ts'
import { enumFilter, idFilter, personFilter } from '../filters.ts'
import { commonFilters, cursorList, dayParam, pagedList, sortQuery, usualPages } from '../lists.ts'
import { resource } from '../resource.ts'
import { data, entityAccess, standard, withUndo } from '../standard.ts'
import { withSummary } from '../summaries.ts'
import { timelineEntry } from './comments.ts'

export const projectStatuses = ['PLANNED', 'ACTIVE', 'ON_HOLD', 'COMPLETED', 'CANCELLED'] as const

const nullableText = z.string().nullable()

/** A project as the API shows it (docs/guide/records.md). */
export const project = z.object({
  ...ownedFields,
  number: z.int(),
  name: z.string(),
  description: nullableText,
  status: z.enum(projectStatuses),
  companyId: id.nullable(),
  dealId: id.nullable(),
  memberIds: z.array(id),
  startDate: shownDay,
  endDate: shownDay,
  budget: shownAmount,
  currency: nullableText,
  progress: z.int().meta({ description: 'Per cent' }),
})
export type ProjectRecord = z.output<typeof project>

const editable = {
  description: text(10_000).optional(),
  status: z.enum(projectStatuses).optional(),
  companyId: id.nullable().optional(),
  dealId: id.nullable().optional(),
  memberIds: z.array(id).max(200).optional(),
  startDate: day.nullable().optional(),
  endDate: day.nullable().optional(),
  budget: decimal.nullable().optional(),
  currency: currencyCode.optional(),
  progress: z.int().min(0).max(100).optional(),
  ownerId: newOwner,
  tags: tags.optional(),
}

const projectInput = z.strictObject({ name: requiredText(300), ...editable })
export type ProjectInput = z.output<typeof projectInput>

const projectPatch = z.strictObject({ name: requiredText(300).optional(), ...editable, version: expectedVersion })
export type ProjectPatch = z.output<typeof projectPatch>

const projectSortFields = [
  'createdAt',
  'updatedAt',
  'number',
  'name',
  'status',
  'startDate',
  'endDate',
  'budget',
] as const

const projectFilters = {
  ...commonFilters,
  status: enumFilter({ values: projectStatuses }).optional(),
  companyId: idFilter({ canBeEmpty: true }).optional(),
  dealId: idFilter({ canBeEmpty: true }).optional(),
  memberId: personFilter.optional(),
  currency: currencyCode.optional(),
  startFrom: dayParam.optional(),
  startTo: dayParam.optional(),
  endFrom: dayParam.optional(),
  endTo: dayParam.optional(),
}

const projectList = {
  ...pagedList(project, usualPages, { ...projectFilters, ...sortQuery(projectSortFields) }),
  queryPolicy: 'strict',
} as const

export const projects = resource(
  'projects',
  'PROJECTS',
  withUndo({
    ...withSummary(
      standard({
        path: '/api/projects',
        noun: 'project',
        plural: 'projects',
        record: project,
        create: projectInput,
        update: projectPatch,
        list: projectList,
        access: entityAccess('PROJECT'),
      }),
    ),
    create: {
      method: 'POST',
      path: '/api/projects',
      summary: 'Create a project',
      description: 'It gets the next number of the workspace, and the caller as owner unless told.',
      access: { all: ['CREATE_PROJECT'] },
      body: projectInput,
      reply: data(201, project),
      errors: ['INVALID_CURRENCY'],
      idempotent: true,
    },
    update: {
      method: 'PATCH',
      path: '/api/projects/{id}',
      summary: 'Change a project',
      access: { all: ['UPDATE_PROJECT'] },
      params: byId,
      body: projectPatch,
      reply: data(200, project),
      errors: ['INVALID_CURRENCY'],
    },
    activity: {
      method: 'GET',
      path: '/api/projects/{id}/activity',
      summary: 'List what happened in a project and its tasks, newest first',
      access: { all: ['VIEW_PROJECT'] },
      params: byId,
      queryPolicy: 'strict',
      ...cursorList(timelineEntry, {}),
    },
  }),
)
