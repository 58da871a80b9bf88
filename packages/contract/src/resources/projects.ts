import { project as kind } from '@crm/model'
import type * as z from 'zod'
import { byId } from '../fields.ts'
import { commonFilters, cursorList, pagedList, sortQuery, usualPages } from '../lists.ts'
import { filtersOf, inputOf, patchOf, recordOf, sortFieldsOf } from '../of-kind.ts'
import { resource } from '../resource.ts'
import { data, entityAccess, standard, withUndo } from '../standard.ts'
import { withSummary } from '../summaries.ts'
import { timelineEntry } from './comments.ts'

export { projectStatuses } from '@crm/model'

/** A project as the API shows it (docs/guide/records.md). */
export const project = recordOf(kind)
export type ProjectRecord = z.output<typeof project>

const projectInput = inputOf(kind)
export type ProjectInput = z.output<typeof projectInput>

const projectPatch = patchOf(kind)
export type ProjectPatch = z.output<typeof projectPatch>

const projectSortFields = sortFieldsOf(kind)

const projectFilters = { ...commonFilters, ...filtersOf(kind) }

const projectList = {
  ...pagedList(project, usualPages, { ...projectFilters, ...sortQuery(projectSortFields) }),
  queryPolicy: 'strict',
} as const

export const projects = resource(
  { name: 'projects', entity: kind.entity },
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
      kind.fields,
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
