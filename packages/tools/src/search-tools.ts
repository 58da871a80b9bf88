import type { DeclaredOperation } from '@crm/contract'
import type { Tool } from './tool.ts'

/** The operations behind the two tools, which replace their plain tools. */
const searchOperations = { search: 'search.find', fetch: 'search.read' } as const

type Shape = Pick<Tool, 'name' | 'title' | 'inputSchema' | 'outputSchema' | 'reshape'> & {
  readonly summary: string
  readonly route: Pick<Tool['route'], 'pathArguments' | 'queryArguments'>
}

const text = { type: 'string' } as const

const yes = { type: 'boolean', const: true } as const
const found = {
  type: 'object',
  properties: { id: text, title: text, url: text, approximate: { ...yes, description: 'The query may be misspelled' } },
  required: ['id', 'title', 'url'],
} as const

const search: Shape = {
  name: 'search',
  title: 'Search all records',
  summary: 'Finds records of every kind by text; read one in full with fetch and its id.',
  inputSchema: {
    type: 'object',
    properties: { query: { type: 'string', description: 'Words to look for' } },
    required: ['query'],
  },
  outputSchema: {
    type: 'object',
    properties: { results: { type: 'array', items: found }, partial: { ...yes, description: 'There may be more' } },
    required: ['results'],
  },
  route: { pathArguments: {}, queryArguments: { query: 'q' } },
  reshape: (answer) => {
    const { results, partial } = answer as { readonly results: readonly SearchResult[]; readonly partial?: true }
    return {
      results: results.map(({ id, title, url, approximate }) => ({
        id,
        title,
        url,
        ...(approximate ? { approximate } : {}),
      })),
      ...(partial ? { partial } : {}),
    }
  },
}

const fetch: Shape = {
  name: 'fetch',
  title: 'Read one search result',
  summary: 'Reads one result of search in full.',
  inputSchema: {
    type: 'object',
    properties: { id: { type: 'string', description: 'An id that search gave, such as lead:<uuid>' } },
    required: ['id'],
  },
  outputSchema: {
    type: 'object',
    properties: { id: text, title: text, text, url: text, metadata: { type: 'object' } },
    required: ['id', 'title', 'text', 'url'],
  },
  route: { pathArguments: { id: 'id' }, queryArguments: {} },
  reshape: (answer) => {
    const { id, type, title, url, record } = (answer as { readonly data: SearchResult & { readonly record: unknown } })
      .data
    return { id, title, text: JSON.stringify(record), url, metadata: { type } }
  },
}

interface SearchResult {
  readonly id: string
  readonly type: string
  readonly title: string
  readonly url: string
  readonly approximate?: true
}

/** The tools in the format that chat products expect of a search connector, by operation. */
const shapes: Readonly<Record<string, Shape>> = { [searchOperations.search]: search, [searchOperations.fetch]: fetch }

/** Returns the special format of a search operation, or null for all others. */
export function searchShape({ id }: DeclaredOperation): Shape | null {
  return shapes[id] ?? null
}
