import { changeEvents, eventBody, type ChangeEventDeclaration } from '@crm/contract'
import { z } from 'zod'
import { pageHead, table } from './table.ts'

interface Schema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

/** Returns the page of events: the occasion of each, the operations that emit it, and its body. */
export function eventsPage(): string {
  const byEntity = Map.groupBy(changeEvents, ({ entityType }) => entityType)
  return (
    [
      pageHead(
        'Events',
        'What automation rules and workflows can listen to. Records of custom entities emit `<key>.created`, `<key>.updated` and `<key>.deleted`. Imports, workflows and guests emit the same events as the operations.',
      ),
      table(
        ['event', 'when', 'emitted by'],
        changeEvents.map(({ name, when, emittedBy }) => [
          `\`${name}\``,
          when,
          emittedBy.map((id) => `\`${id}\``).join(', '),
        ]),
      ),
      ...[...byEntity].map(([entityType, events]) => section(entityType, events)),
    ].join('\n\n') + '\n'
  )
}

/** The body of one entity is shown once, with the additions of single events beside it. */
function section(entityType: string, events: readonly ChangeEventDeclaration[]): string {
  const bodies = events.filter((event, n) => n === 0 || event.more)
  return [
    `## ${entityType}`,
    ...bodies.flatMap((event) => {
      const schema = z.toJSONSchema(eventBody(event), { io: 'output', unrepresentable: 'any' }) as Schema
      const names = event.more
        ? event.name
        : events
            .filter(({ more }) => !more)
            .map(({ name }) => name)
            .join(', ')
      const sample = { ...(sampleOf(schema) as object), event: event.name, entityType }
      return [`### ${names}`, block(sample), details('Schema', `\`\`\`json\n${JSON.stringify(schema)}\n\`\`\``)]
    }),
  ].join('\n\n')
}

function block(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
}

function details(summary: string, text: string): string {
  return `<details><summary>${summary}</summary>\n\n${text}\n\n</details>`
}

const samples: Readonly<Record<string, unknown>> = {
  uuid: '01890a5d-ac96-774b-bcce-b302099a8057',
  'date-time': '2026-01-31T08:00:00.000Z',
  date: '2026-01-31',
  email: 'ada@example.com',
  uri: 'https://example.com/',
}

function sampleOf(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return sampleOf(schema.anyOf[0] ?? {})
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object')
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, member]) => [name, sampleOf(member)]))
  if (type === 'array') return schema.items ? [sampleOf(schema.items)] : []
  if (type === 'integer' || type === 'number') return 1
  if (type === 'boolean') return false
  return type === 'string' ? (samples[schema.format ?? ''] ?? 'text') : null
}
