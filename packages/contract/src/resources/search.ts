import { plainKinds, tableOfPlainKinds, type PlainEntity } from '@crm/model'
import * as z from 'zod'
import { plainResource } from '../plain-resources.ts'
import { cappedParam } from '../lists.ts'
import { resource } from '../resource.ts'
import { data, recordOf } from '../standard.ts'
import { activities } from './activities.ts'
import { companies } from './companies.ts'
import { contacts } from './contacts.ts'
import { customRecords } from './custom-entities.ts'
import { deals } from './deals.ts'
import { departments } from './departments.ts'
import { documents } from './documents.ts'
import { employees } from './employees.ts'
import { files } from './files.ts'
import { invoices } from './invoices.ts'
import { leads } from './leads.ts'
import { products } from './products.ts'
import { projects } from './projects.ts'
import { quotes } from './quotes.ts'
import { channelInFull, conversationInFull } from './settings/conversations.ts'
import { tasks } from './tasks.ts'

/** The kinds of which nothing is special, as in the prefix of a result id. */
const plainTypes = Object.keys(plainKinds).map((entity) => entity.toLowerCase()) as Lowercase<PlainEntity>[]

/** The kinds of record that search covers, as in the prefix of a result id. */
export const searchTypes = [
  'lead',
  'contact',
  'company',
  'deal',
  'task',
  'project',
  'file',
  'activity',
  'invoice',
  'quote',
  'product',
  'department',
  'employee',
  'channel',
  'conversation',
  'document',
  ...plainTypes,
] as const
export type SearchType = (typeof searchTypes)[number]

/** A type as in the prefix of a result's id; custom entities have types of their own. */
const typeWord = z.string().regex(/^[a-z][a-z0-9_]{0,59}$/, 'Expected a type such as lead')

/** The access of search; the caller's rights decide which records, custom entities included, are found. */
const anyRecord = {
  record: [
    'VIEW_LEAD',
    'VIEW_CONTACT',
    'VIEW_COMPANY',
    'VIEW_DEAL',
    'VIEW_TASK',
    'VIEW_PROJECT',
    'VIEW_FILE',
    'VIEW_ACTIVITY',
    'VIEW_INVOICE',
    'VIEW_QUOTE',
    'VIEW_PRODUCT',
    'VIEW_DEPARTMENT',
    'VIEW_EMPLOYEE',
    'VIEW_CONVERSATION',
    'VIEW_DOCUMENT',
    ...(Object.keys(plainKinds) as PlainEntity[]).map((entity) => `VIEW_${entity}` as const),
  ],
} as const

/** What a line says of a result beside its title, in values that a program words itself. */
const resultContext = z.object({
  company: z.string().optional().meta({ description: 'The name of its company, if the caller may see it' }),
  email: z.string().optional(),
  phone: z.string().optional(),
  domain: z.string().optional(),
  jobTitle: z.string().optional(),
  status: z.string().optional(),
  stageId: z.string().optional(),
  amount: z.string().optional(),
  currency: z.string().optional(),
  dueAt: z.string().optional().meta({ description: 'A day or a moment' }),
})
export type ResultContext = z.input<typeof resultContext>

const result = z.object({
  id: z.string().meta({ description: 'Kind and id, for example lead:<uuid>' }),
  type: typeWord,
  title: z.string(),
  snippet: z.string(),
  context: resultContext.optional().meta({ description: 'Absent for kinds that have none' }),
  url: z.string(),
  score: z.number(),
  approximate: z.literal(true).optional().meta({ description: 'The text may be misspelled: the title is near it' }),
})

/** The record of each kind of result when a caller reads it; further details are read by its own resource. */
const recordsInFull = {
  lead: recordOf(leads),
  contact: recordOf(contacts),
  company: recordOf(companies),
  deal: recordOf(deals),
  task: recordOf(tasks).omit({ links: true, checklist: true }),
  project: recordOf(projects),
  file: recordOf(files).omit({ links: true }),
  activity: recordOf(activities).omit({ links: true }),
  invoice: recordOf(invoices).omit({ isOverdue: true, amountDue: true, paymentLinkUrl: true }),
  quote: recordOf(quotes),
  product: recordOf(products).omit({ images: true, attributes: true }),
  department: recordOf(departments),
  employee: recordOf(employees),
  channel: channelInFull,
  conversation: conversationInFull,
  document: recordOf(documents),
  ...tableOfPlainKinds<{ readonly [Entity in PlainEntity as Lowercase<Entity>]: z.ZodObject }>((kind) => [
    kind.entity.toLowerCase(),
    recordOf(plainResource(kind)),
  ]),
} satisfies Record<SearchType, z.ZodObject>

/** Declares a result in full; its type says which record it holds. */
function inFull<Type extends z.ZodType<string>, Fields extends z.ZodObject>(type: Type, record: Fields) {
  return z.object({ id: z.string(), type, title: z.string(), url: z.string(), record })
}

/** Records of custom entities come last, because their type may be any word. */
const resultInFull = z.union([
  ...Object.entries(recordsInFull).map(([type, record]) => inFull(z.literal(type), record)),
  inFull(typeWord, recordOf(customRecords)),
])
export type ResultInFull = z.input<typeof resultInFull>

export const search = resource('search', null, {
  find: {
    method: 'GET',
    path: '/api/search',
    mayLag: true,
    summary: 'Search all records that you may see',
    description: 'With fewer than three results, titles that are near the text are found as well.',
    access: anyRecord,
    query: z.object({
      q: z.string().trim().min(1).max(200),
      types: z
        .string()
        .transform((list) => list.split(',').map((name) => name.trim()))
        .pipe(z.array(typeWord))
        .optional()
        .meta({ description: `Comma-separated: ${searchTypes.join(', ')}, or keys of custom entities` }),
      limit: cappedParam({ fallback: 20, max: 50 }),
    }),
    reply: {
      status: 200,
      body: z.object({
        results: z.array(result),
        partial: z.literal(true).optional().meta({ description: 'There may be more: the search took too long' }),
      }),
    },
  },
  read: {
    method: 'GET',
    path: '/api/search/{id}',
    summary: 'Read one search result in full',
    access: anyRecord,
    params: z.object({ id: z.string().regex(/^[a-z][a-z0-9_]*:[0-9a-fA-F-]{36}$/) }),
    reply: data(200, resultInFull),
  },
})
