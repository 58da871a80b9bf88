import { checklistInput, checklistItem, checklistItemsMax, task as kind } from '@crm/model'
import * as z from 'zod'
import { bulkOperations } from '../bulk.ts'
import { byId, id, linkFilters, position, requiredText } from '../fields.ts'
import { booleanParam, commonFilters, cursorList, pagedList, sortQuery, type PageRule } from '../lists.ts'
import { bulkSetOf, filtersOf, inputOf, patchOf, recordOf, sortFieldsOf } from '../of-kind.ts'
import { resource } from '../resource.ts'
import { data, deleted, entityAccess, standard, withUndo } from '../standard.ts'
import { withSummary } from '../summaries.ts'
import { timelineEntry, writtenComment, writtenReply } from './comments.ts'

export { checklistItemsMax, taskPriorities, taskStatuses, taskTypes } from '@crm/model'

export type ChecklistItem = z.output<typeof checklistItem>

/** A task as the API shows it (docs/guide/records.md). */
export const task = recordOf(kind)
export type TaskRecord = z.output<typeof task>

const taskInput = inputOf(kind)
export type TaskInput = z.output<typeof taskInput>

const taskPatch = patchOf(kind)
export type TaskPatch = z.output<typeof taskPatch>

const taskSortFields = sortFieldsOf(kind)

/** The paging of tasks (docs/guide/lists.md): 50 by default; a page size over 500 is cut to 500. */
const taskPages: PageRule = { pageSize: 50, pageSizeMax: 500, overMax: 'cap' }

const taskFilters = { ...commonFilters, ...linkFilters, ...filtersOf(kind), isOverdue: booleanParam.optional() }

const taskList = {
  ...pagedList(task, taskPages, { ...taskFilters, ...sortQuery(taskSortFields) }),
  queryPolicy: 'strict',
} as const

export const tasks = resource(
  { name: 'tasks', entity: kind.entity },
  'PROJECTS',
  withUndo({
    ...withSummary(
      standard({
        path: '/api/tasks',
        noun: 'task',
        plural: 'tasks',
        record: task,
        create: taskInput,
        update: taskPatch,
        list: taskList,
        access: entityAccess('TASK'),
      }),
      kind.fields,
    ),
    create: {
      method: 'POST',
      path: '/api/tasks',
      summary: 'Create a task',
      description:
        'It gets the next number of the workspace, and the caller as owner unless told. It shows in the timeline of its project and of every record in links.',
      access: { all: ['CREATE_TASK'] },
      body: taskInput,
      reply: data(201, task),
      idempotent: true,
    },
    update: {
      method: 'PATCH',
      path: '/api/tasks/{id}',
      summary: 'Change a task',
      description: 'Takes any subset of the fields; null clears. The checklist is changed item by item.',
      access: { all: ['UPDATE_TASK'] },
      params: byId,
      body: taskPatch,
      reply: data(200, task),
      errors: ['PARENT_CYCLE'],
    },
    ...bulkOperations({ path: '/api/tasks', plural: 'tasks', entity: 'TASK', set: bulkSetOf(kind) }),
    activity: {
      method: 'GET',
      path: '/api/tasks/{id}/activity',
      summary: 'List what happened to a task, newest first',
      access: { all: ['VIEW_TASK'] },
      params: byId,
      queryPolicy: 'strict',
      ...cursorList(timelineEntry, {}),
    },
  }),
)

const checklistPath = '/api/tasks/{id}/checklist'
const itemPath = '/api/tasks/{id}/checklist/{itemId}'
const oneItem = z.object({ id, itemId: id })
const newPosition = position.optional().meta({ description: 'From 0; those behind move on. Without one it comes last' })

export const taskChecklist = resource({ name: 'tasks.checklist', entity: 'CHECKLIST_ITEM' }, 'PROJECTS', {
  list: {
    method: 'GET',
    path: checklistPath,
    summary: 'List the checklist of a task in order',
    access: { all: ['VIEW_TASK'] },
    params: byId,
    ...pagedList(checklistItem, { pageSize: checklistItemsMax, pageSizeMax: checklistItemsMax, overMax: 'cap' }, {}),
  },
  create: {
    method: 'POST',
    path: checklistPath,
    summary: 'Add an item to the checklist of a task',
    access: { all: ['UPDATE_TASK'] },
    params: byId,
    body: checklistInput.extend({ position: newPosition }),
    reply: data(201, checklistItem),
    idempotent: true,
  },
  update: {
    method: 'PATCH',
    path: itemPath,
    summary: 'Change, check off or move an item of the checklist',
    access: { all: ['UPDATE_TASK'] },
    params: oneItem,
    body: z.strictObject({
      title: requiredText(500).optional(),
      isDone: z.boolean().optional(),
      position: position.optional(),
    }),
    reply: data(200, checklistItem),
  },
  delete: {
    method: 'DELETE',
    path: itemPath,
    summary: 'Delete an item of the checklist',
    access: { all: ['UPDATE_TASK'] },
    params: oneItem,
    reply: deleted,
  },
})

const commentsPath = '/api/tasks/{id}/comments'

export const taskComments = resource({ name: 'tasks.comments', entity: 'COMMENT' }, 'PROJECTS', {
  list: {
    method: 'GET',
    path: commentsPath,
    summary: 'List the comments on a task, newest first',
    access: { all: ['VIEW_TASK'] },
    params: byId,
    ...writtenComment.list,
  },
  create: {
    method: 'POST',
    path: commentsPath,
    summary: 'Comment on a task',
    description: 'As a comment on any record; it is changed and deleted under /api/crm/comments.',
    access: { all: ['VIEW_TASK'] },
    params: byId,
    body: writtenComment.input,
    reply: { ...writtenReply(201), also: writtenReply(200) },
    idempotent: true,
  },
})
