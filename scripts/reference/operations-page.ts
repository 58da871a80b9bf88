import type { OpenApiDocument } from '@crm/openapi'
import { createHash } from 'node:crypto'
import { pageHead, table } from './table.ts'

interface OperationObject {
  readonly summary?: string
  readonly security?: readonly unknown[]
  readonly responses?: Readonly<Record<string, unknown>>
  readonly 'x-required-permissions'?: readonly string[]
  readonly 'x-permission-rule'?: string
}

/** Returns the page with a line for each operation, and for everything that operations share, of each document by its title. */
export function operationsPage(documents: Readonly<Record<string, OpenApiDocument>>): string {
  return `${pageHead(
    'Operations',
    [
      'Every operation of the OpenAPI documents, with prints of its request and of its answers: a print changes when a schema, a',
      'description, an example or a code does. Schemas and answers that operations share have prints of their own below them.',
      'The documents themselves are written into `dist/openapi` by `npm run reference`, and each installation serves them.',
    ].join('\n'),
  )}${Object.entries(documents)
    .map(([title, document]) => `\n## ${title}\n\n${operationsOf(document)}\n\n${sharedBy(document)}\n`)
    .join('')}`
}

function operationsOf({ paths }: OpenApiDocument): string {
  const rows = Object.entries(paths).flatMap(([path, onPath]) =>
    Object.entries(onPath as Record<string, OperationObject>).map(([method, operation]) => {
      const { responses = {}, ...request } = operation
      return [
        `\`${method.toUpperCase()} ${path}\``,
        needs(operation),
        operation.summary ?? '',
        print(request),
        Object.keys(responses).join(' '),
        print(responses),
      ]
    }),
  )
  return table(['operation', 'needs', 'what it does', 'request', 'statuses', 'answers'], rows)
}

function needs(operation: OperationObject): string {
  const names = (operation['x-required-permissions'] ?? []).map((name) => `\`${name}\``).join(', ')
  if (names === '') return operation.security?.length === 0 ? 'nothing' : 'a credential'
  const rule = operation['x-permission-rule']
  return rule === undefined ? names : `${rule}: ${names}`
}

function sharedBy({ paths: _paths, components, ...head }: OpenApiDocument): string {
  // Refusals are named by their status and codes, which the prints of operations hold; one print tells of their words.
  const { responses, ...named } = components
  const rows = Object.entries(named).flatMap(([kind, values]) =>
    Object.entries(values).map(([name, value]) => [`${kind} ${name}`, fieldsOf(value), print(value)]),
  )
  return table(
    ['shared', 'fields', 'print'],
    [['document', Object.keys(head).join(', '), print(head)], ['refusals', '', print(responses)], ...rows],
  )
}

function fieldsOf({ properties }: { readonly properties?: unknown }): string {
  return Object.keys(properties ?? {}).join(', ')
}

/** Returns eight digits that are the same for values that differ in the order of their keys only. */
function print(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, sorted)).digest('hex').slice(0, 8)
}

function sorted(_key: string, value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value
}
