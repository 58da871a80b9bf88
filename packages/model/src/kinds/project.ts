import { choice, currency, day, integer, money, percent, reference, references, text } from '../field.ts'
import { defineKind } from '../kind.ts'

export const projectStatuses = ['PLANNED', 'ACTIVE', 'ON_HOLD', 'COMPLETED', 'CANCELLED'] as const

/** Work with a beginning and an end (docs/guide/records.md). */
export const project = defineKind({
  entity: 'PROJECT',
  noun: 'project',
  plural: 'projects',
  stem: 'projects',
  module: 'PROJECTS',
  transferred: true,
  called: ['project', 'projekt', 'projet', 'proyecto', 'проект'],
  icon: 'projects',
  title: ['name'],
  over: ['COMPLETED', 'CANCELLED'],
  hub: true,
  quota: true,
  line: { note: 'status' },
  letter: ['number', 'name', 'status', 'startDate', 'endDate', 'budget', 'currency'],
  list: { columns: ['name', 'number', 'status', 'progress', 'endDate', 'ownerId', 'memberIds'] },
  main: [
    'name',
    'status',
    'companyId',
    'dealId',
    'startDate',
    'endDate',
    'progress',
    'budget',
    'currency',
    'ownerId',
    'memberIds',
    'tags',
  ],
  defaults: { status: 'PLANNED' },
  fields: {
    number: integer({ presence: 'always', written: 'never', ordinal: true, sort: true }),
    name: text({ max: 300, presence: 'required', holds: 'prose', sort: true }),
    description: text({ max: 10_000, holds: 'prose' }),
    status: choice({ values: projectStatuses, presence: 'always', sort: true, filter: true }),
    companyId: reference({ to: 'COMPANY', filter: true }),
    dealId: reference({ to: 'DEAL', filter: true }),
    memberIds: references({ to: 'EMPLOYEE', max: 200, presence: 'always', filter: 'memberId' }),
    startDate: day({ sort: true, filter: 'start' }),
    endDate: day({ sort: true, filter: 'end' }),
    budget: money({ sort: true }),
    currency: currency({ lasting: true, filter: true }),
    progress: percent({ presence: 'always', description: 'Per cent' }),
  },
})
