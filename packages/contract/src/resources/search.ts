import { z } from 'zod'
import { cappedParam } from '../lists.ts'
import { resource } from '../operation.ts'
import { data } from '../standard.ts'

/** The kinds of record that search covers, as they stand before the colon of a result id. */
export const searchTypes = [
  'lead', 'contact', 'company', 'deal', 'task', 'project', 'file', 'activity', 'invoice', 'quote', 'product', 'department', 'employee', 'channel',
  'conversation', 'document',
] as const
export type SearchType = (typeof searchTypes)[number]

/** A type as it stands before the colon of a result's id; custom entities bring their own. */
const typeWord = z.string().regex(/^[a-z][a-z0-9_]{0,59}$/, 'Expected a type such as lead')

/** The access of search: what the caller may see, records of custom entities too, decides what is found. */
const anyRecord = {
  record: [
    'VIEW_LEAD', 'VIEW_CONTACT', 'VIEW_COMPANY', 'VIEW_DEAL', 'VIEW_TASK', 'VIEW_PROJECT', 'VIEW_FILE', 'VIEW_ACTIVITY', 'VIEW_INVOICE', 'VIEW_QUOTE',
    'VIEW_PRODUCT', 'VIEW_DEPARTMENT', 'VIEW_EMPLOYEE', 'VIEW_CONVERSATION', 'VIEW_DOCUMENT',
  ],
} as const

const result = z.object({
  id: z.string().meta({ description: 'Kind and id, for example lead:<uuid>' }),
  type: typeWord,
  title: z.string(),
  snippet: z.string(),
  url: z.string(),
  score: z.number(),
})

export const search = resource('search', null, {
  find: {
    method: 'GET',
    path: '/api/search',
    summary: 'Search all records that you may see',
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
    reply: { status: 200, body: z.object({ results: z.array(result) }) },
  },
  read: {
    method: 'GET',
    path: '/api/search/{id}',
    summary: 'Read one search result in full',
    access: anyRecord,
    params: z.object({ id: z.string().regex(/^[a-z][a-z0-9_]*:[0-9a-fA-F-]{36}$/) }),
    reply: data(200, z.object({ id: z.string(), type: typeWord, title: z.string(), url: z.string(), record: z.record(z.string(), z.unknown()) })),
  },
})
