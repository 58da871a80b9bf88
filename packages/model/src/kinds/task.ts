import * as z from 'zod'
import { choice, instant, integer, parts, reference, references, text } from '../field.ts'
import { defineKind } from '../kind.ts'
import { id, instant as moment, recordLinks, requiredText, shownLinks } from '../values.ts'

export const taskStatuses = ['TODO', 'IN_PROGRESS', 'IN_REVIEW', 'DONE', 'CANCELLED'] as const
/** What has to be done: a call, a mail, a meeting, or anything else. */
export const taskTypes = ['CALL', 'EMAIL', 'MEETING', 'TODO'] as const
export const taskPriorities = ['LOW', 'NORMAL', 'HIGH', 'URGENT'] as const

/** The most items of a checklist. */
export const checklistItemsMax = 200

/** An item of a checklist in answers. */
export const checklistItem = z.object({
  id,
  title: z.string(),
  isDone: z.boolean(),
  position: z.int().meta({ description: 'From 0, without gaps' }),
  createdAt: moment,
  updatedAt: moment,
  createdById: id.nullable(),
})

/** A new item of a checklist. */
export const checklistInput = z.strictObject({ title: requiredText(500), isDone: z.boolean().default(false) })

/** Something to do (docs/guide/records.md). */
export const task = defineKind({
  entity: 'TASK',
  noun: 'task',
  plural: 'tasks',
  stem: 'tasks',
  module: 'PROJECTS',
  transferred: true,
  called: ['task', 'to-do', 'todo', 'aufgabe', 'tâche', 'tarea', 'задача'],
  icon: 'tasks',
  title: ['title'],
  shared: true,
  over: ['DONE', 'CANCELLED'],
  quota: true,
  line: { note: 'dueAt' },
  letter: ['number', 'title', 'type', 'status', 'priority', 'dueAt', 'description'],
  list: {
    columns: ['title', 'links', 'dueAt', 'status', 'priority', 'assigneeId', 'projectId'],
    sort: 'dueAt',
  },
  main: ['title', 'type', 'status', 'priority', 'assigneeId', 'dueAt', 'startAt', 'projectId', 'tags', 'description'],
  defaults: { type: 'TODO', status: 'TODO', priority: 'NORMAL', assigneeId: 'me' },
  fields: {
    number: integer({ presence: 'always', written: 'never', ordinal: true, sort: true }),
    title: text({ max: 500, presence: 'required', holds: 'prose', sort: true }),
    description: text({ max: 20_000, holds: 'prose' }),
    type: choice({ values: taskTypes, presence: 'always', bulk: true, filter: true }),
    status: choice({ values: taskStatuses, presence: 'always', bulk: true, sort: true, filter: true }),
    priority: choice({ values: taskPriorities, presence: 'always', bulk: true, sort: true, filter: true }),
    assigneeId: reference({ to: 'EMPLOYEE', bulk: true, filter: true }),
    memberIds: references({ to: 'EMPLOYEE', max: 200, presence: 'always', filter: 'memberId' }),
    projectId: reference({ to: 'PROJECT', bulk: true, filter: true }),
    parentTaskId: reference({ to: 'TASK', filter: true }),
    startAt: instant({ sort: true }),
    dueAt: instant({ bulk: true, sort: true, filter: 'due' }),
    completedAt: instant({ written: 'never', carried: true, sort: true, filter: 'completed' }),
    estimateMin: integer({ min: 0, max: 1_000_000, description: 'Minutes' }),
    links: parts({ presence: 'always', computed: true, holds: 'fixed' }, shownLinks, recordLinks),
    checklist: parts(
      { presence: 'always', computed: true, written: 'create', holds: 'prose' },
      z.array(checklistItem),
      z.array(checklistInput).max(checklistItemsMax),
    ),
  },
})
